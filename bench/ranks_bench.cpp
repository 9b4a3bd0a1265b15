// Times steps of a bed of spheres on several processes:
//
//   mpirun -n 16 ranks_bench together SPHERES STEPS SWEEPS    one world, shared by all ranks
//   mpirun -n 16 ranks_bench apart SPHERES STEPS SWEEPS       a world of so many for each rank
//   mpirun -n 16 ranks_bench both SPHERES STEPS SWEEPS ROUNDS both by turns, so many for each rank
//   mpirun -n 16 ranks_bench lists SPHERES LISTS              messages for making lists
//   mpirun -n 16 ranks_bench messages                         what the machine's messages take
//
// The bed is periodic sideways, twelve layers deep, and settles a little before the clock starts.
// A line of JSON comes out for each measurement, with times in seconds, means over ranks unless
// they are called slowest, most or least; "quick" ones are of the tenth of all steps that took
// least, which is what other programs on the machine disturbed least. bench/scaling makes a table
// and a plot of them.
#include "scree/mpi.hpp"
#include "scree/world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numeric>
#include <sched.h>
#include <string>

namespace {

using namespace scree;
using Clock = std::chrono::steady_clock;

constexpr int depth = 12;  // layers
constexpr int settle_steps = 30;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Time for which this thread has had a core [s]: work without waiting for it, however busy the
/// machine is.
double core_seconds()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Ranks that also count a core's time inside their functions, most of it spent in waiting.
class CountedRanks final : public Ranks {
public:
    explicit CountedRanks(std::shared_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}
    [[nodiscard]] int rank() const override { return ranks_->rank(); }
    [[nodiscard]] int size() const override { return ranks_->size(); }
    [[nodiscard]] double seconds() const override { return ranks_->seconds(); }
    void combine(Group group, std::span<double> sums, std::span<double> largest) override
    {
        ++reductions_;
        counted([&] { ranks_->combine(group, sums, largest); });
    }
    Bytes everywhere(const Bytes& mine) override
    {
        Bytes all;
        counted([&] { all = ranks_->everywhere(mine); });
        told_ += static_cast<double>(all.size());
        return all;
    }
    Messages exchange(const Messages& out) override
    {
        for (const auto& [to, bytes] : out) {
            letters_ += to != rank() ? 1 : 0;
            bytes_ += to != rank() ? static_cast<double>(bytes.size()) : 0;
        }
        Messages in;
        counted([&] { in = ranks_->exchange(out); });
        return in;
    }
    void hear(const PersistentMessages& plan) override
    {
        counted([&] { ranks_->hear(plan); });
    }
    void tell() override
    {
        counted([&] { ranks_->tell(); });
    }
    void answer() override
    {
        counted([&] { ranks_->answer(); });
    }
    void finish() override
    {
        counted([&] { ranks_->finish(); });
    }
    [[nodiscard]] double core() const { return core_; }
    /// Sent to other ranks by exchange, and how often all came together.
    [[nodiscard]] double letters() const { return letters_; }
    [[nodiscard]] double bytes() const { return bytes_; }
    [[nodiscard]] double reductions() const { return reductions_; }
    /// Received of what ranks told all others.
    [[nodiscard]] double told() const { return told_; }

private:
    template <class F> void counted(F f)
    {
        const double start = core_seconds();
        f();
        core_ += core_seconds() - start;
    }
    std::shared_ptr<Ranks> ranks_;
    double core_ = 0, letters_ = 0, bytes_ = 0, reductions_ = 0, told_ = 0;
};

/// Of one step: all, and what was spent in messages and waiting for them [s].
struct StepTime {
    double step, talking, work;
};

double largest(Ranks& ranks, double value)
{
    ranks.largest(std::span<double>(&value, 1));
    return value;
}
double mean(Ranks& ranks, double value)
{
    ranks.sum(std::span<double>(&value, 1));
    return value / ranks.size();
}

/// How ranks are bound: how many cores one of them may use, at most, and how many ranks a core has
/// then. One each if every rank has a core of its own.
struct Binding {
    double cores, ranks;
};

Binding binding(Ranks& ranks)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof(set), &set);
    const double cores = CPU_COUNT(&set);
    std::vector<double> load(CPU_SETSIZE, 0.0);
    for (std::size_t core = 0; core < load.size(); ++core) {
        load[core] = CPU_ISSET(core, &set) ? 1 / cores : 0;
    }
    ranks.sum(load);
    return {largest(ranks, cores), *std::max_element(load.begin(), load.end())};
}

Settings bed_settings(int sweeps, long length, long width, double r)
{
    Settings s;
    s.time_step = 1e-4;
    s.sweeps = sweeps;
    s.tolerance = 0;
    s.threads = 1;
    s.period = {2 * r * double(length), 2 * r * double(width), 0};
    return s;
}

/// Square layers, each in the hollows of the one below, of spheres that are a little too small for
/// them.
World bed(long spheres, int sweeps, const std::shared_ptr<Ranks>& ranks)
{
    const double r = 1e-3;
    const auto width = static_cast<long>(std::sqrt(double(spheres) / depth / 2));
    const long length = spheres / depth / width;
    World world(bed_settings(sweeps, length, width, r));
    if (ranks && ranks->size() > 1) {
        world.distribute(ranks);
    }
    world.add(obstacle(Shape::half_space()));
    for (int z = 0; z < depth; ++z) {
        for (long y = 0; y < width; ++y) {
            for (long x = 0; x < length; ++x) {
                Body b;
                const double shift = z % 2 == 0 ? 0.25 : 0.75;
                b.shape = Shape::sphere(r * (1 - 0.01 * double((x * 7 + y * 3 + z) % 5) / 5));
                b.position = {2 * r * (double(x) + shift), 2 * r * (double(y) + shift),
                              r + std::sqrt(2.0) * r * z};
                world.add(b);
            }
        }
    }
    return world;
}

World settled_bed(long spheres, int sweeps, const std::shared_ptr<Ranks>& ranks)
{
    World world = bed(spheres, sweeps, ranks);
    for (int i = 0; i < settle_steps; ++i) {
        world.step();
    }
    return world;
}

/// Steps of one world of all ranks ("together"), or of one of each ("apart").
void time_steps(const std::shared_ptr<CountedRanks>& ranks, const char* mode, World world,
                int steps)
{
    largest(*ranks, 0);  // all start together
    const double talked = ranks->seconds();
    const double core_before = core_seconds() - ranks->core();
    double relaxing = 0, listing = 0, lists = 0, candidates = 0, shared = 0, imbalance = 0;
    std::vector<StepTime> times;
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < steps; ++i) {
        const Clock::time_point step_start = Clock::now();
        const double talked_before = ranks->seconds(), core_start = core_seconds() - ranks->core();
        const StepReport& r = world.step();
        times.push_back({seconds_since(step_start), ranks->seconds() - talked_before,
                         core_seconds() - ranks->core() - core_start});
        lists += r.list_rebuilt ? 1 : 0;
        relaxing += r.seconds[static_cast<std::size_t>(Stage::relax)] / steps;
        listing += r.seconds[static_cast<std::size_t>(Stage::broad_phase)] / steps;
        candidates += double(r.candidates) / steps;
        shared += double(r.bodies_on_several_ranks) / steps;
        imbalance += r.load_imbalance / steps;
    }
    const double step = seconds_since(start) / steps;
    const double core = (core_seconds() - ranks->core() - core_before) / steps;
    const double talking = (ranks->seconds() - talked) / steps;
    std::vector<double> slowest_of_step;
    for (const StepTime& t : times) {
        slowest_of_step.push_back(t.step);
    }
    ranks->largest(slowest_of_step);
    const double slowest_each =
        std::accumulate(slowest_of_step.begin(), slowest_of_step.end(), 0.0) / steps;
    std::sort(times.begin(), times.end(),
              [](const StepTime& a, const StepTime& b) { return a.step < b.step; });
    const double median = mean(*ranks, times[times.size() / 2].step);
    const int few = std::max(1, steps / 10);
    StepTime quick{0, 0, 0};
    for (int i = 0; i < few; ++i) {
        quick.step += times[std::size_t(i)].step / few;
        quick.talking += times[std::size_t(i)].talking / few;
    }
    const double quick_most = largest(*ranks, quick.step);
    quick = {mean(*ranks, quick.step), mean(*ranks, quick.talking), 0};
    std::sort(times.begin(), times.end(),
              [](const StepTime& a, const StepTime& b) { return a.work < b.work; });
    const double median_work = mean(*ranks, times[times.size() / 2].work);
    const double step_mean = mean(*ranks, step), step_most = largest(*ranks, step);
    const double relaxing_mean = mean(*ranks, relaxing), listing_mean = mean(*ranks, listing);
    const double core_mean = mean(*ranks, core), core_most = largest(*ranks, core);
    const double talking_mean = mean(*ranks, talking);
    const double talking_least = -largest(*ranks, -talking);
    const Binding bound = binding(*ranks);
    std::vector<double> work_of(static_cast<std::size_t>(ranks->size()), 0.0);
    work_of[static_cast<std::size_t>(ranks->rank())] = core;
    ranks->sum(work_of);
    std::string works;
    for (const double work : work_of) {
        char text[32];
        std::snprintf(text, sizeof text, "%s%.3e", works.empty() ? "" : ", ", work);
        works += text;
    }
    if (ranks->rank() == 0) {
        std::printf(
            "{\"mode\": \"%s\", \"ranks\": %d, \"spheres\": %zu, \"contacts\": %zu, "
            "\"candidates\": %.0f, \"shared\": %.0f, \"imbalance\": %.4f, \"sweeps\": %d, "
            "\"steps\": %d, \"step\": %.6e, \"slowest_step\": %.6e, "
            "\"slowest_each_step\": %.6e, \"median_step\": %.6e, \"relax\": %.6e, \"list\": %.6e, "
            "\"communication\": %.6e, \"least_communication\": %.6e, "
            "\"quick_step\": %.6e, \"slowest_quick_step\": %.6e, "
            "\"quick_communication\": %.6e, \"work\": %.6e, "
            "\"most_work\": %.6e, \"work_of_ranks\": [%s], \"median_work\": %.6e, "
            "\"lists\": %.0f, "
            "\"cores_of_a_rank\": %.0f, \"ranks_of_a_core\": %.2f}\n",
            mode, ranks->size(), world.dynamic_count(), world.report().contacts, candidates, shared,
            imbalance, world.settings().sweeps, steps, step_mean, step_most, slowest_each, median,
            relaxing_mean, listing_mean, talking_mean, talking_least, quick.step, quick_most,
            quick.talking, core_mean, core_most, works.c_str(), median_work, lists, bound.cores,
            bound.ranks);
    }
}

/// A bed whose lists are made anew before every step.
void count_messages(const std::shared_ptr<CountedRanks>& ranks, long spheres, int lists)
{
    World world = bed(spheres, 1, ranks);
    const BodyId floor = world.add(obstacle(Shape::half_space()));
    double seconds = 0, before[4]{};
    for (int k = -2; k < lists; ++k) {
        if (k == 0) {  // bodies and cuts have come to rest
            before[0] = ranks->letters();
            before[1] = ranks->bytes();
            before[2] = ranks->reductions();
            before[3] = ranks->told();
        }
        world.set_pose(floor, {0, 0, 0}, {1, 0, 0, 0});
        const StepReport& r = world.step();
        seconds += k < 0 ? 0 : r.seconds[static_cast<std::size_t>(Stage::broad_phase)] / lists;
    }
    const double letters = (ranks->letters() - before[0]) / lists;
    const double bytes = (ranks->bytes() - before[1]) / lists;
    const double reductions = (ranks->reductions() - before[2]) / lists;
    const double told = (ranks->told() - before[3]) / lists;
    const double letters_mean = mean(*ranks, letters), letters_most = largest(*ranks, letters);
    const double bytes_mean = mean(*ranks, bytes), bytes_most = largest(*ranks, bytes);
    const double seconds_most = largest(*ranks, seconds);
    if (ranks->rank() == 0) {
        std::printf(
            "{\"mode\": \"lists\", \"ranks\": %d, \"spheres\": %zu, "
            "\"messages\": %.1f, \"most_messages\": %.1f, \"bytes\": %.0f, "
            "\"most_bytes\": %.0f, \"reductions\": %.1f, \"told_all\": %.0f, \"list\": %.6e}\n",
            ranks->size(), world.dynamic_count(), letters_mean, letters_most, bytes_mean,
            bytes_most, reductions, told, seconds_most);
    }
}

/// The time of something that all ranks do: the least of many means.
double time_of(Ranks& ranks, int times, const std::function<void()>& action)
{
    constexpr int rounds = 50;
    double least = 1e9;
    for (int round = 0; round < rounds; ++round) {
        largest(ranks, 0);
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < times; ++i) {
            action();
        }
        least = std::min(least, seconds_since(start) / times);
    }
    return largest(ranks, least);
}

/// Latency and bandwidth between pairs of ranks that all talk at once, and a reduction over all.
void time_messages(Ranks& ranks)
{
    const int other = ranks.rank() ^ 1;
    const auto swap_of = [&](std::size_t count, int times) {
        std::vector<double> send(count, 1.0), receive(count);
        std::vector<Ranks::Message> messages;
        if (other < ranks.size()) {
            messages.push_back({other, send, receive});
        }
        const Ranks::PersistentMessages plan(messages);
        return time_of(ranks, times, [&] {
            ranks.hear(plan);
            ranks.tell();
            ranks.answer();
            ranks.finish();
        });
    };
    const double small = swap_of(1, 200), medium = swap_of(4096, 40), large = swap_of(131072, 5);
    const double reduction = time_of(ranks, 200, [&] { (void)largest(ranks, 1); });
    if (ranks.rank() == 0) {
        std::printf("{\"mode\": \"messages\", \"ranks\": %d, \"swap_8_bytes\": %.3e, "
                    "\"swap_32_kB\": %.3e, \"swap_1_MB\": %.3e, \"reduction\": %.3e}\n",
                    ranks.size(), small, medium, large, reduction);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const std::string mode = argc > 1 ? argv[1] : "together";
    const auto argument = [&](int i, long otherwise) {
        return argc > i ? std::atol(argv[i]) : otherwise;
    };
    const auto ranks = std::make_shared<CountedRanks>(mpi_ranks());
    if (mode == "messages") {
        time_messages(*ranks);
    } else if (mode == "lists") {
        count_messages(ranks, argument(2, 20000), static_cast<int>(argument(3, 10)));
    } else {
        const long spheres = argument(2, 20000);
        const auto steps = static_cast<int>(argument(3, 40));
        const auto sweeps = static_cast<int>(argument(4, 20));
        const bool both = mode == "both";
        for (long round = both ? argument(5, 2) : 1; round > 0; --round) {
            if (mode != "together") {
                time_steps(ranks, "apart", settled_bed(spheres, sweeps, nullptr), steps);
            }
            if (mode != "apart") {
                const long all = both ? spheres * ranks->size() : spheres;
                time_steps(ranks, "together", settled_bed(all, sweeps, ranks), steps);
            }
        }
    }
    return 0;
}
