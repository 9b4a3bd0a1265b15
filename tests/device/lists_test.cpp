// The stage broad_phase of a device, run by the host's loops in any order, against the CPU's.
#include "device/rebuilds.hpp"

namespace scree::test {
namespace {

/// Items in another order, as they may come on a GPU.
struct ShuffledLoops : exec::HostLoops {
    static std::size_t shuffled(std::size_t n, std::size_t k)
    {
        return k * (n % 7919 == 0 ? 7907 : 7919) % n;
    }
    template <class F, class... Hint> void for_each(std::size_t n, F f, Hint... /*hint*/)
    {
        HostLoops::for_each(n, [&](std::size_t k) { f(shuffled(n, k)); });
    }
};

template <class Loops> class DeviceLists : public ::testing::Test {
};
using AllLoops = ::testing::Types<exec::HostLoops, ShuffledLoops>;
TYPED_TEST_SUITE(DeviceLists, AllLoops);

TYPED_TEST(DeviceLists, AreRightForSpheres)
{
    const SeenInLists seen = rebuild_often<TypeParam>({.grains = 3000}, 42);
    EXPECT_EQ(seen.reordered, 4U);
    EXPECT_GT(seen.pairs, 42U * 6000);
    EXPECT_GT(seen.contacts, 41U * 2000);
}

TYPED_TEST(DeviceLists, AreRightForNoBodies)
{
    const SeenInLists seen = rebuild_often<TypeParam>({.grains = 0}, 3);
    EXPECT_EQ(seen.pairs, 0U);
}

TYPED_TEST(DeviceLists, AreRightForFewBodies)
{
    for (const std::size_t n : {1U, 2U, 5U}) {
        rebuild_often<TypeParam>({.grains = n, .size = 0.1}, 3);
    }
}

TYPED_TEST(DeviceLists, AreRightForSizesOneToThousand)
{
    const SeenInLists seen =
        rebuild_often<TypeParam>({.grains = 3000, .size = 0.6, .radius = {-4, -1}}, 8);
    EXPECT_GT(seen.pairs, 8U * 3000);
}

TYPED_TEST(DeviceLists, AreRightFarApartInHashedCells)
{
    // A few among cells without number, and many that share rows of the table.
    rebuild_often<TypeParam>({.grains = 500, .size = 1000}, 3);
    const SeenInLists seen =
        rebuild_often<TypeParam>({.grains = 4000, .size = 4, .radius = {-2, -0.8}}, 4);
    EXPECT_GT(seen.pairs, 4U * 1000);
}

TYPED_TEST(DeviceLists, AreRightAlongPeriodicAxes)
{
    const SeenInLists one = rebuild_often<TypeParam>(
        {.grains = 2000, .size = 1.5, .radius = {-2.5, -1.3}, .period = {1, 0, 0}}, 8);
    const SeenInLists all =
        rebuild_often<TypeParam>({.grains = 2000, .size = 1.5, .period = {1, 1, 0.4}}, 8);
    EXPECT_GT(one.pairs, 8U * 500);
    EXPECT_GT(all.pairs, 8U * 2000);
}

TYPED_TEST(DeviceLists, AreRightForWallsAndObstacles)
{
    const SeenInLists seen =
        rebuild_often<TypeParam>({.grains = 1500, .walls = true, .obstacles = true}, 10);
    EXPECT_GT(seen.wall_pairs, 10U * 1500);
}

TYPED_TEST(DeviceLists, KeepTensorsForcesAndFeatures)
{
    const SeenInLists seen = rebuild_often<TypeParam>(
        {.grains = 1500, .walls = true, .tensors = true, .forces = true, .period = {0, 1, 0}}, 10);
    EXPECT_GT(seen.contacts, 9U * 1500);
}

TYPED_TEST(DeviceLists, AreRightForSplitBodies)
{
    for (const int limit : {32, 5, 1}) {
        const SeenInLists seen = rebuild_often<TypeParam>(
            {.grains = 3000, .boulder = true, .contacts_per_copy = limit}, 8);
        EXPECT_GT(seen.copies, 8U * 12) << limit;
    }
}

TYPED_TEST(DeviceLists, AreRefusedForBodiesInsideEachOther)
{
    Random random(1);
    state::Model model;
    state::Bodies bodies;
    populate({.grains = 3000, .size = 1e-3}, random, model, bodies);
    using Loops = TypeParam;
    Loops loops;
    state::BodyColumns<Loops> columns;
    state::ListColumns<Loops> list;
    state::StoredColumns<Loops> stored, spare;
    neighbours::DeviceVerletList<Loops> lists;
    engine::upload(loops, bodies, columns);
    EXPECT_THROW(lists.rebuild(loops, view(model), columns, list, stored, spare, true, false),
                 Error);
    state::PairList host_list;
    state::StoredImpulses host_stored;
    EXPECT_THROW(neighbours::VerletList().rebuild(model, bodies, host_list, host_stored, true,
                                                  false, {}, nullptr),
                 Error);
    // It can be used again.
    state::Bodies fewer;
    state::Model other;
    populate({.grains = 100}, random, other, fewer);
    engine::upload(loops, fewer, columns);
    lists.rebuild(loops, view(other), columns, list, stored, spare, true, false);
    EXPECT_EQ(stored.count.size(), list.count);
}

TYPED_TEST(DeviceLists, NeedLittleMemoryPerBody)
{
    Random random(2);
    state::Model model;
    state::Bodies bodies;
    populate({.grains = 20000, .size = 1.2, .radius = {-1.6, -1.6}}, random, model, bodies);
    using Loops = TypeParam;
    Loops loops;
    state::BodyColumns<Loops> columns;
    state::ListColumns<Loops> list;
    state::StoredColumns<Loops> stored, spare;
    neighbours::DeviceVerletList<Loops> lists;
    engine::upload(loops, bodies, columns);
    std::size_t before = 0;
    for (int k = 0; k < 5; ++k) {
        lists.rebuild(loops, view(model), columns, list, stored, spare, k == 0, false);
        if (k == 0) {
            state::PairList host_list;
            state::StoredImpulses host_stored;
            engine::download(loops, list, host_list);
            fill_impulses(random, host_list, false, host_stored);
            engine::upload(loops, host_stored, list, stored);
        }
        EXPECT_TRUE(k < 2 || lists.bytes() == before);  // a steady list needs no more memory
        before = lists.bytes();
    }
    EXPECT_GT(list.count, 4 * bodies.count());
    EXPECT_LT(lists.bytes(), 130 * bodies.count());
}

}  // namespace
}  // namespace scree::test
