// Times steps of beds of spheres while other programs compute on the same cores:
//
//   busy_bench [--quiet] [seconds of each measurement] [spheres …]
//   mpirun -n 2 busy_bench [--quiet] [seconds of each measurement] [spheres …]
//
// Beds are stepped with one thread, two threads, and as many as the engine chooses, by turns, on a
// quiet machine and beside 1, 2 and 4 programs that only compute (--quiet: without these); several
// ranks have one thread each. A line of JSON for each measurement: steps per second, and how often somebody waited and
// slept in a step.
#include "bed.hpp"
#include "scree/mpi.hpp"
#include "scree/world.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

namespace {

using namespace scree;
using Clock = std::chrono::steady_clock;

/// Programs that compute until this goes out of scope.
class Others {
public:
    explicit Others(int count)
    {
        for (int k = 0; k < count; ++k) {
            const pid_t child = ::fork();
            if (child == 0) {
                ::prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (volatile double x = 1;;) {
                    x = x * 1.000001 + 1e-9;
                }
            }
            children_.push_back(child);
        }
    }
    ~Others()
    {
        for (const pid_t child : children_) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }
    Others(const Others&) = delete;
    Others& operator=(const Others&) = delete;

private:
    std::vector<pid_t> children_;
};

void measure(World& world, Ranks* ranks, int others, std::size_t spheres, double seconds)
{
    const bool first = ranks == nullptr || ranks->rank() == 0;
    const Others programs(first ? others : 0);
    int steps = 0, batch = 1;
    double took = 0, threads = 0;
#if !defined(SCREE_COUNTS_NO_WAITS)
    Waits waits;
#endif
    const auto start = Clock::now();
    // Ranks agree on how long, and not after every step, since that would be one more meeting.
    while (took < seconds) {
        for (int k = 0; k < batch; ++k, ++steps) {
            const StepReport& r = world.step();
#if !defined(SCREE_COUNTS_NO_WAITS)
            threads += r.threads;
            waits += r.waits;
#else
            (void)r;
#endif
        }
        took = std::chrono::duration<double>(Clock::now() - start).count();
        if (ranks != nullptr) {
            ranks->largest(std::span(&took, 1));
        }
        batch = took < 0.05 * seconds ? 2 * batch : batch;
    }
    if (first) {
        std::printf("{\"spheres\": %zu, \"ranks\": %d, \"threads\": %d, \"programs\": %d, "
                    "\"steps_per_second\": %.6g",
                    spheres, ranks != nullptr ? ranks->size() : 1, world.settings().threads,
                    others, steps / took);
#if !defined(SCREE_COUNTS_NO_WAITS)
        std::printf(", \"threads_used\": %.3g, \"waits\": %.4g, \"looks\": %.4g, \"sleeps\": %.4g",
                    threads / steps, static_cast<double>(waits.waits) / steps,
                    static_cast<double>(waits.looks) / steps,
                    static_cast<double>(waits.sleeps) / steps);
#endif
        std::printf("}\n");
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const std::shared_ptr<Ranks> all = mpi_ranks();
    Ranks* const ranks = all->size() > 1 ? all.get() : nullptr;
    const bool quiet = argc > 1 && std::string_view(argv[1]) == "--quiet";
    const int at = quiet ? 2 : 1;
    const double seconds = argc > at ? std::atof(argv[at]) : 3;
    const std::vector<int> programs = quiet ? std::vector{0} : std::vector{0, 1, 2, 4};
    std::vector<std::size_t> sizes;
    for (int k = at + 1; k < argc; ++k) {
        sizes.push_back(std::strtoul(argv[k], nullptr, 10));
    }
    if (sizes.empty()) {
        sizes = {100, 5000, 100'000};
    }
    const std::vector<int> thread_counts = ranks != nullptr ? std::vector{1} : std::vector{1, 2, 0};
    for (const std::size_t spheres : sizes) {
        std::vector<World> worlds;
        for (const int threads : thread_counts) {
            cli::BedOptions bed;
            bed.particles = spheres;
            bed.settings.time_step = 1e-5;
            bed.settings.sweeps = 10;
            bed.settings.tolerance = 0;
            bed.settings.threads = threads;
            World& world = worlds.emplace_back(cli::settled_bed(bed, [](double) {}));
            if (ranks != nullptr) {
                world.spread(all);
            }
            for (int k = 0; k < 20; ++k) {
                world.step();
            }
        }
        for (const int others : programs) {
            for (World& world : worlds) {
                measure(world, ranks, others, spheres, seconds);
            }
        }
    }
}
