// The full draw: a million random problems (or as many as the first argument says) of the twelve
// ugly classes against the 113-bit oracle, in double; a tenth of it in float. Prints a table and
// fails if any figure is beyond its limit. Part of `make test-full`.
#include "law/laws.hpp"
#include "scree/contact.hpp"
#include "support/compare.hpp"

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using namespace scree;

struct Row {
    test::Errors wide, narrow;
    int failures = 0;
    double worst_residual = 0;
};

Row measure(int which, int count)
{
    test::Random random(123456789u + static_cast<unsigned>(which));
    Row row;
    for (int i = 0; i < count; ++i) {
        const auto c = test::random_problem(random, static_cast<test::ProblemClass>(which));
        const auto out = law::solve<Law::max_dissipation>(c);
        row.failures += out.unfinished || out.state < 0;
        row.wide.add(test::Oracle(c), c, out.x);
        row.worst_residual =
            std::max(row.worst_residual, law::residual<Law::max_dissipation>(c, out.x));
        if (i % 10 == 0) {
            const auto narrow = test::converted<float>(c);
            const auto same = test::converted<double>(narrow);
            if (problems_with(same).empty()) {
                const auto x = law::solve<Law::max_dissipation>(narrow).x;
                row.narrow.add(test::Oracle(same), same, {double(x.n), double(x.t), double(x.o)});
            }
        }
    }
    return row;
}

}  // namespace

int main(int argc, char** argv)
{
    const int total = argc > 1 ? std::atoi(argv[1]) : 1000000;
    const int count = (total + test::class_count - 1) / test::class_count;
    std::vector<Row> rows(test::class_count);
    const auto work = [&](int first) {
        for (int which = first; which < test::class_count; which += 2) {
            rows[static_cast<std::size_t>(which)] = measure(which, count);
        }
    };
    std::thread other(work, 1);
    work(0);
    other.join();

    std::printf("%d problems per class\n%-20s %10s %12s %10s %10s %10s | float %10s %12s\n", count,
                "class", "‖x−x*‖_A", "(E−E*)/E0", "cone", "residual", "failures", "‖x−x*‖_A",
                "(E−E*)/E0");
    bool good = true;
    for (int which = 0; which < test::class_count; ++which) {
        const Row& row = rows[static_cast<std::size_t>(which)];
        const auto limit = test::limits(static_cast<test::ProblemClass>(which));
        const bool physical = test::physical(static_cast<test::ProblemClass>(which));
        const bool ok = row.failures == 0 && row.wide.uncertified == 0 &&
                        row.wide.a_norm <= limit.a_norm &&
                        row.wide.suboptimal <= limit.suboptimal && row.wide.cone <= limit.cone &&
                        row.narrow.a_norm <= (physical ? 1e-4 : 1);
        good = good && ok;
        std::printf("%-20s %10.1e %12.1e %10.1e %10.1e %10d | %16.1e %12.1e %s\n",
                    test::class_names[static_cast<std::size_t>(which)], row.wide.a_norm,
                    row.wide.suboptimal, row.wide.cone, row.worst_residual,
                    row.failures + row.wide.uncertified, row.narrow.a_norm, row.narrow.suboptimal,
                    ok ? "" : "  <-- beyond its limit");
    }
    return good ? 0 : 1;
}
