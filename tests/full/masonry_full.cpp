// Large masonry for `make test-full`: a wall of a thousand bricks in five courses, an arch and a
// dome that have to stand for ten seconds, and the time each takes.
#include "support/masonry.hpp"

#include <chrono>
#include <cstdio>

namespace {

using namespace scree::test;

bool stands(const char* name, Masonry&& m, double within)
{
    const auto start = std::chrono::steady_clock::now();
    double way = 0;
    for (int second = 1; second <= 10; ++second) {
        way = m.way_after(1);
    }
    const double took =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool good = way <= within;
    std::printf("%-26s %5zu stones  moved %.2e m, at most %.0e  %5.0f s  %s\n", name, m.ids.size(),
                way, within, took, good ? "stands" : "FAILED");
    std::fflush(stdout);
    return good;
}

}  // namespace

int main()
{
    bool good = stands("arch of wedges", arch(0.3, 0.8, 500), 1e-4);
    good = stands("dome", dome(6, 20, 0.3, 0.8, 300), 1e-3) && good;
    good = stands("wall of 1002 bricks", wall(5, 200, 100), 1e-5) && good;
    return good ? 0 : 1;
}
