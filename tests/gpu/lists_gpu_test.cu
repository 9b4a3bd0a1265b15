// Neighbour lists made by a GPU: every column to the bit as the CPU makes it; and how long that
// takes for many spheres.
#include "device/rebuilds.hpp"
#include "exec/cuda_grid.cuh"
#include "exec/cuda_sort.cuh"

#include <chrono>
#include <cstdio>

namespace scree::test {
namespace {

using Loops = exec::CudaLoops;

class GpuLists : public ::testing::Test {
protected:
    void SetUp() override
    {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
            GTEST_SKIP() << "no GPU";
        }
    }
};

Cloud cloud_of(std::size_t grains, double size)
{
    Cloud cloud;
    cloud.grains = grains;
    cloud.size = size;
    return cloud;
}

TEST_F(GpuLists, AreRightForSpheres)
{
    EXPECT_GT(rebuild_often<Loops>(cloud_of(3000, 1), 42).contacts, 41U * 2000);
    rebuild_often<Loops>(cloud_of(60000, 3), 4);
}

TEST_F(GpuLists, AreRightForFewBodies)
{
    for (const std::size_t n : {0U, 1U, 2U, 5U}) {
        rebuild_often<Loops>(cloud_of(n, 0.1), 3);
    }
}

TEST_F(GpuLists, AreRightForSizesOneToThousand)
{
    Cloud cloud = cloud_of(3000, 0.6);
    cloud.radius[0] = -4;
    cloud.radius[1] = -1;
    rebuild_often<Loops>(cloud, 8);
}

TEST_F(GpuLists, AreRightIfPeriodicHashedAndWalled)
{
    rebuild_often<Loops>(cloud_of(500, 1000), 3);
    Cloud cloud = cloud_of(4000, 4);
    cloud.radius[0] = -2;
    cloud.radius[1] = -0.8;
    cloud.walls = cloud.obstacles = cloud.tensors = cloud.forces = true;
    rebuild_often<Loops>(cloud, 8);
    cloud = cloud_of(2000, 1.5);
    cloud.period = {1, 1, 0.4};
    rebuild_often<Loops>(cloud, 8);
}

TEST_F(GpuLists, AreRightForSplitBodies)
{
    Cloud cloud = cloud_of(3000, 1);
    cloud.boulder = true;
    for (const int limit : {32, 5, 1}) {
        cloud.contacts_per_copy = limit;
        EXPECT_GT(rebuild_often<Loops>(cloud, 8).copies, 8U * 12);
    }
}

struct Itself {
    SCREE_HD std::uint64_t operator()(std::size_t i) const { return i; }
};

// What could not be had once is not held against what comes after it.
TEST_F(GpuLists, GoOnAfterMemoryRanOut)
{
    Loops loops;
    Loops::Buffer<std::uint64_t> all, sums;
    all.fit(10);
    EXPECT_THROW(all.fit(std::size_t(1) << 50), std::runtime_error);
    EXPECT_EQ(all.size(), 10U);
    sums.fit(1001);
    EXPECT_NO_THROW(loops.scan(1000, sums.data(), Itself{}));
    std::uint64_t sum = 0;
    loops.download(sums.data() + 1000, &sum, 1);
    EXPECT_EQ(sum, 1000U * 999 / 2);
}

TEST_F(GpuLists, SayTheTimeOfARebuild)
{
    for (const std::size_t n : {30000U, 250000U, 1000000U}) {
        Random random(3);
        state::Model model;
        state::Bodies bodies;
        Cloud cloud = cloud_of(n, 0.047 * std::cbrt(static_cast<double>(n)));
        cloud.radius[0] = cloud.radius[1] = -1.6;
        cloud.speed = 1e-3;
        populate(cloud, random, model, bodies);
        Loops loops;
        state::BodyColumns<Loops> columns;
        state::ListColumns<Loops> list;
        state::StoredColumns<Loops> stored, spare;
        neighbours::DeviceVerletList<Loops> lists;
        Loops::Buffer<state::Prototype> prototypes;
        state::ModelView seen = view(model);
        engine::upload_column(loops, model.prototypes, prototypes);
        seen.prototypes = prototypes.data();
        engine::upload(loops, bodies, columns);
        lists.rebuild(loops, seen, columns, list, stored, spare, true, false);
        state::PairList host_list;
        state::StoredImpulses host_stored;
        engine::download(loops, list, host_list);
        fill_impulses(random, host_list, false, host_stored);
        engine::upload(loops, host_stored, list, stored);
        for (int k = 0; k < 3; ++k) {
            lists.rebuild(loops, seen, columns, list, stored, spare, false, false);
        }
        const auto start = std::chrono::steady_clock::now();
        const int times = 20;
        for (int k = 0; k < times; ++k) {
            lists.rebuild(loops, seen, columns, list, stored, spare, false, false);
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::printf("%zu spheres, %.2f pairs each, %d colours: %.3f ms, %zu bytes each\n", n,
                    static_cast<double>(list.count) / static_cast<double>(n), list.colours,
                    1e3 * took.count() / times, lists.bytes() / n);
        EXPECT_EQ(lists.rebuilds(), 23U);
    }
}

}  // namespace
}  // namespace scree::test
