// Memory that is kept from step to step without waste: vectors that grow by a little instead of
// twice over, and scratch memory lent for a moment.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace scree {

template <class T> std::size_t bytes_of(const std::vector<T>& v)
{
    return v.capacity() * sizeof(T);
}

/// Resizes with a little to spare; gives memory back when much of it is unused.
template <class T> void fit(std::vector<T>& v, std::size_t n)
{
    if (n > v.capacity()) {
        std::vector<T> larger;
        larger.reserve(n + n / 32 + 16);
        larger.assign(v.begin(), v.end());
        v.swap(larger);
    } else if (v.capacity() > n + n / 8 + 1024) {
        std::vector<T> smaller;
        smaller.reserve(n + n / 32 + 16);
        smaller.assign(v.begin(),
                       v.begin() + static_cast<std::ptrdiff_t>(v.size() < n ? v.size() : n));
        v.swap(smaller);
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

}  // namespace scree
