// Times steps of a bed of spheres on several processes:
//
//   mpirun -n 2 ranks_bench SPHERES STEPS SWEEPS
//
// A periodic box, four times as long for every further rank as it is deep, is filled with layers of
// touching spheres that settle a little first. One line comes out: ranks, spheres, contacts, bodies
// that ranks share, and for a step the median and the tenth percentile of its time, the mean time
// in communication (of the rank with least, which waits least), all in milliseconds.
#include "mpi/mpi_ranks.hpp"
#include "scree/world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv)
{
    using namespace scree;
    const auto argument = [&](int i, long otherwise) {
        return argc > i ? std::atol(argv[i]) : otherwise;
    };
    const long spheres = argument(1, 20000), steps = argument(2, 60), sweeps = argument(3, 20);
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    const double r = 1e-3;
    const int depth = 12;
    const int width = static_cast<int>(std::sqrt(double(spheres) / depth / 2));
    const long length = spheres / depth / width;
    Settings s;
    s.time_step = 5e-5;
    s.sweeps = static_cast<int>(sweeps);
    s.tolerance = 0;
    s.threads = 1;
    s.period = {2 * r * double(length), 2 * r * width, 0};
    World world(s);
    if (ranks->size() > 1) {
        world.spread(ranks);
    }
    world.add(obstacle(Shape::half_space()));
    for (int z = 0; z < depth; ++z) {
        for (int y = 0; y < width; ++y) {
            for (long x = 0; x < length; ++x) {
                Body b;
                const double shift = z % 2 == 0 ? 0.25 : 0.75;  // into the hollows below
                b.shape = Shape::sphere(r * (1 - 0.05 * double((x * 7 + y * 3 + z) % 5) / 5));
                b.position = {2 * r * (double(x) + shift), 2 * r * (y + shift), r + 1.37 * r * z};
                world.add(b);
            }
        }
    }
    for (int i = 0; i < 40; ++i) {
        world.step();
    }
    std::vector<double> times;
    const double before = ranks->seconds();
    for (long i = 0; i < steps; ++i) {
        const auto start = std::chrono::steady_clock::now();
        world.step();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        times.push_back(1e3 * time.count());
    }
    double communication = -(ranks->seconds() - before) / double(steps);
    ranks->largest(std::span<double>(&communication, 1));
    std::sort(times.begin(), times.end());
    if (ranks->rank() == 0) {
        std::printf(
            "%d ranks  %zu spheres  %zu candidates  %d copies  median %.2f ms  tenth %.2f ms  "
            "communication %.2f ms  imbalance %.2f\n",
            ranks->size(), world.dynamic_count(), world.report().candidates, world.report().copies,
            times[times.size() / 2], times[times.size() / 10], -1e3 * communication,
            world.report().imbalance);
    }
    return 0;
}
