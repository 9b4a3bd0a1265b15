#include "support/allocations.hpp"

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
// Standard algorithms ask for memory that they can do without in this way.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 16); }
void operator delete(void* at, const std::nothrow_t&) noexcept { std::free(at); }
void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }
void operator delete(void* at, std::align_val_t) noexcept { std::free(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { std::free(at); }

namespace scree::test {

long allocations() { return ::allocations; }

}  // namespace scree::test
