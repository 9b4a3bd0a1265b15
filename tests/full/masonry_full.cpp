// Large masonry for `make test-full`: an arch, a dome and a wall of a thousand bricks in five
// courses that have to stand for ten seconds, every step of them without a complaint, and what it
// takes.
#include "support/masonry.hpp"

#include <cstdio>
#include <ctime>

namespace {

using namespace scree::test;

bool stands(const char* name, Masonry&& m, double within)
{
    const std::clock_t start = std::clock();
    const double way = m.way_after(10);
    const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const Masonry::Record& r = m.record;
    const bool good = way <= within && r.bad == 0;
    std::printf("%-20s %5zu stones  moved %.1e m, at most %.0e  penetration %.1e m  residual %.1e  "
                "%5.1f sweeps a step  energy missed %.1e J  %ld of %ld steps bad  %4.0f s  %s\n",
                name, m.ids.size(), way, within, r.penetration, r.residual,
                static_cast<double>(r.sweeps) / static_cast<double>(r.steps), r.imbalance, r.bad,
                r.steps, took, good ? "stands" : "FAILED");
    std::fflush(stdout);
    return good;
}

}  // namespace

int main()
{
    bool good = stands("arch of wedges", arch(0.3, 0.8, 500), 2e-5);
    good = stands("dome", dome(6, 20, 0.3, 0.8, 500), 2e-5) && good;
    good = stands("wall of 1002 bricks", wall(5, 200, 1000, 1e-2), 1e-5) && good;
    return good ? 0 : 1;
}
