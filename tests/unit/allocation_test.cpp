// A step in which nothing is new allocates nothing: counted by this program's own operator new.
#include "scree/world.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};

void* allocate(std::size_t size, std::size_t alignment)
{
    ++allocations;
    void* at = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (at == nullptr) {
        throw std::bad_alloc();
    }
    return at;
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size, 16); }
void* operator new(std::size_t size, std::align_val_t alignment)
{
    return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }
void operator delete(void* at, std::align_val_t) noexcept { std::free(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { std::free(at); }

namespace scree {
namespace {

TEST(Allocation, NoneInASteadyStep)
{
    Settings s;
    s.time_step = 1e-3;
    s.sweeps = 10;
    s.tolerance = 0;
    s.threads = 1;
    s.period = {0.8, 0.8, 0};
    World world(s);
    world.add(obstacle(Shape::half_space()));
    for (int i = 0; i < 192; ++i) {
        Body body;
        body.shape = i % 3 == 0 ? Shape::box(0.08, 0.08, 0.08) : Shape::sphere(0.045);
        body.position = {0.1 * (i % 8) + 0.05, 0.1 * (i / 8 % 8) + 0.05, 0.05 + 0.1 * (i / 64)};
        world.add(body);
    }
    for (int k = 0; k < 300; ++k) {
        world.step();
    }
    int steady = 0;
    for (int k = 0; k < 200; ++k) {
        const long before = allocations;
        const std::size_t bytes = world.bytes();
        const StepReport& r = world.step();
        // A new list, or more contacts than ever, may take memory.
        if (!r.list_rebuilt && world.bytes() == bytes) {
            ++steady;
            EXPECT_EQ(allocations - before, 0) << "step " << k;
        }
    }
    EXPECT_GT(steady, 100);
    EXPECT_GT(world.report().contacts, 150U);
}

}  // namespace
}  // namespace scree
