// Memory that is kept from step to step without waste: vectors that grow by a little instead of
// twice over, scratch memory lent for a moment, and content that is forgotten while its place is
// kept.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace scree::exec {

template <class T> std::size_t bytes_of(const std::vector<T>& v)
{
    return v.capacity() * sizeof(T);
}

/// Asks for large pages for what v has reserved, before it is touched: neighbours in space are far
/// apart in long columns, and then a processor spends its time in looking pages up.
template <class T> void ask_for_large_pages(std::vector<T>& v)
{
    constexpr std::size_t worthwhile = std::size_t(8) << 20;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(v.data());
    const std::uintptr_t begin = (address + page - 1) / page * page;
    const std::uintptr_t end = (address + bytes_of(v)) / page * page;
    if (bytes_of(v) >= worthwhile) {
        // A wish: without large pages all goes on as before.
        (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
}

/// Resizes with a little to spare; gives memory back when much of it is unused.
template <class T> void fit(std::vector<T>& v, std::size_t n)
{
    if (n > v.capacity()) {
        std::vector<T> larger;
        larger.reserve(n + n / 32 + 16);
        ask_for_large_pages(larger);
        larger.assign(v.begin(), v.end());
        v.swap(larger);
    } else if (v.capacity() > n + n / 8 + 1024) {
        std::vector<T> smaller;
        smaller.reserve(n + n / 32 + 16);
        ask_for_large_pages(smaller);
        smaller.assign(v.begin(),
                       v.begin() + static_cast<std::ptrdiff_t>(v.size() < n ? v.size() : n));
        v.swap(smaller);
    }
    v.resize(n);
}

/// Makes it longer, growing by a sixteenth at least.
template <class T> void grow(std::vector<T>& v, std::size_t n)
{
    if (n > v.capacity()) {
        const std::size_t least = v.size() + v.size() / 16 + 64;
        v.reserve(n > least ? n + n / 64 : least);
        ask_for_large_pages(v);
    }
    v.resize(n);
}

/// Appends, growing by a sixteenth.
template <class T> void append(std::vector<T>& v, const T& value)
{
    if (v.size() == v.capacity()) {
        v.reserve(v.size() + v.size() / 16 + 64);
    }
    v.push_back(value);
}

/// Less than this is not worth the time that the system takes to give it again. Tests set less.
inline std::size_t least_forgotten = std::size_t(32) << 20;

/// Gives the memory behind the first n values back to the system; they become zeros when they are
/// looked at again, and may be written over. Returns how many bytes that were.
template <class T> std::size_t forget(std::vector<T>& v, std::size_t n)
{
    static_assert(std::is_trivially_copyable_v<T>);
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(v.data());
    const std::uintptr_t begin = (address + page - 1) / page * page;
    const std::uintptr_t end = (address + n * sizeof(T)) / page * page;
    if (end < begin + least_forgotten) {
        return 0;
    }
    return ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED) == 0 ? end - begin
                                                                                      : 0;
}

/// Hands out pieces of a memory that belongs to somebody else, for plain types only.
class Scratch {
public:
    explicit Scratch(std::span<std::byte> memory) : memory_(memory) {}
    /// n values that are not initialised; empty if there is not enough memory left, in which case
    /// `missing` says how much more there would have to be.
    template <class T> std::span<T> take(std::size_t n)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::size_t size = (n * sizeof(T) + 63) / 64 * 64;
        auto* at = memory_.data() + used_;
        used_ += size;
        return used_ <= memory_.size() ? std::span<T>(reinterpret_cast<T*>(at), n) : std::span<T>();
    }
    [[nodiscard]] std::size_t used() const { return used_; }
    void rewind(std::size_t used) { used_ = used; }

private:
    std::span<std::byte> memory_;
    std::size_t used_ = 0;
};

}  // namespace scree::exec
