// A step in which nothing is new allocates nothing.
#include "support/allocations.hpp"

namespace scree::test {
namespace {

TEST(Allocation, MakesNoneInASteadyStep)
{
    for (const double tolerance : tolerances) {
        World world = settling_bed(tolerance);
        expect_no_allocation_in_steady_steps(world);
    }
}

}  // namespace
}  // namespace scree::test
