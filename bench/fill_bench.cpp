// How much memory each rank takes while the grains of a scene are made, and for the first step:
//
//   mpirun -n 4 fill_bench SCENE
//
// One line of JSON comes out: seconds, and the most memory that a rank ever had, in bytes, the mean
// over ranks and the largest.
#include "scree/mpi.hpp"
#include "scree/scene/simulation.hpp"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

namespace {

using namespace scree;
using Clock = std::chrono::steady_clock;

double peak_bytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            return 1024 * std::stod(line.substr(6));
        }
    }
    return 0;
}

struct Peak {
    double mean, most;
};
Peak peak(Ranks& ranks)
{
    double mean = peak_bytes(), most = mean;
    ranks.sum(std::span(&mean, 1));
    ranks.largest(std::span(&most, 1));
    return {mean / ranks.size(), most};
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: fill_bench SCENE\n");
        return 2;
    }
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    const scene::Scene scene = scene::read_scene(argv[1]).scene;
    const Peak before = peak(*ranks);
    const Clock::time_point start = Clock::now();
    scene::Simulation simulation(scene, ranks->size() > 1 ? ranks : nullptr);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const Peak made = peak(*ranks);
    simulation.step();
    const Peak stepped = peak(*ranks);
    if (ranks->rank() == 0) {
        std::printf("{\"ranks\": %d, \"grains\": %zu, \"seconds\": %.2f, \"before\": %.3e, "
                    "\"made\": [%.3e, %.3e], \"stepped\": [%.3e, %.3e]}\n",
                    ranks->size(), simulation.world().dynamic_count(), seconds, before.most,
                    made.mean, made.most, stepped.mean, stepped.most);
    }
    return 0;
}
