// A step in which nothing is new allocates nothing on any of several ranks. MPI's own memory does
// not count. Run by mpirun.
#include "scree/mpi.hpp"
#include "support/allocations.hpp"

namespace scree::test {
namespace {

TEST(Allocation, MakesNoneInASteadyStepOfRanks)
{
    for (const double tolerance : tolerances) {
        World world = settling_bed(tolerance);
        world.distribute(mpi_ranks());
        expect_no_allocation_in_steady_steps(world);
        if (mpi_ranks()->size() > 1) {
            EXPECT_GT(world.report().bodies_on_several_ranks, 10);
        }
    }
}

}  // namespace
}  // namespace scree::test

int main(int argc, char** argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    const auto ranks = scree::mpi_ranks();  // to the end
    return RUN_ALL_TESTS();
}
