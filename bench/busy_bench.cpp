// Times steps of beds of spheres while other programs compute on the same cores:
//
//   busy_bench [--quiet] [seconds of each measurement] [spheres …]
//   mpirun -n 2 busy_bench [--quiet] [seconds of each measurement] [spheres …]
//
// Beds are stepped with one thread, two threads, and as many as the engine chooses, by turns, on a
// quiet machine and beside 1, 2 and 4 programs that only compute (--quiet: without these); several
// ranks have one thread each. A line of JSON for each measurement: steps per second, and how often
// somebody waited and slept in a step.
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

/// Worlds are stepped by turns, since machines change while somebody measures.
constexpr int turns = 10;

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

/// What was measured of a world beside so many programs.
struct Measured {
    int steps = 0;
    double seconds = 0, threads = 0;
#if !defined(SCREE_COUNTS_NO_WAITS)
    Waits waits;
#endif
};

void step_for(double seconds, World& world, Ranks* ranks, Measured& m)
{
    const auto start = Clock::now();
    double took = 0;
    // Ranks agree on how long, and not after every step, since that would be one more meeting.
    for (int batch = 1; took < seconds; batch = took < 0.1 * seconds ? 2 * batch : batch) {
        for (int k = 0; k < batch; ++k, ++m.steps) {
            const StepReport& r = world.step();
#if !defined(SCREE_COUNTS_NO_WAITS)
            m.threads += r.threads;
            m.waits += r.waits;
#else
            (void)r;
#endif
        }
        took = std::chrono::duration<double>(Clock::now() - start).count();
        if (ranks != nullptr) {
            ranks->largest(std::span(&took, 1));
        }
    }
    m.seconds += took;
}

void print(const Measured& m, const World& world, const Ranks* ranks, int programs,
           std::size_t spheres)
{
    std::printf("{\"spheres\": %zu, \"ranks\": %d, \"threads\": %d, \"programs\": %d, "
                "\"steps_per_second\": %.6g",
                spheres, ranks != nullptr ? ranks->size() : 1, world.settings().threads, programs,
                m.steps / m.seconds);
#if !defined(SCREE_COUNTS_NO_WAITS)
    std::printf(", \"threads_used\": %.3g, \"waits\": %.4g, \"looks\": %.4g, \"sleeps\": %.4g",
                m.threads / m.steps, static_cast<double>(m.waits.waits) / m.steps,
                static_cast<double>(m.waits.looks) / m.steps,
                static_cast<double>(m.waits.sleeps) / m.steps);
#endif
    std::printf("}\n");
    std::fflush(stdout);
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
                world.distribute(all);
            }
            for (int k = 0; k < 20; ++k) {
                world.step();
            }
        }
        const bool first = ranks == nullptr || ranks->rank() == 0;
        for (const int others : programs) {
            const Others running(first ? others : 0);
            std::vector<Measured> measured(worlds.size());
            for (int turn = 0; turn < turns; ++turn) {
                for (std::size_t k = 0; k < worlds.size(); ++k) {
                    step_for(seconds / turns, worlds[k], ranks, measured[k]);
                }
            }
            for (std::size_t k = 0; k < worlds.size() && first; ++k) {
                print(measured[k], worlds[k], ranks, others, spheres);
            }
        }
    }
}
