// Memory of a device that serves one purpose after another: each opens it with as much as it needs
// and takes it piece by piece.
#pragma once

#include "exec/memory.hpp"

#include <cstddef>
#include <cstdint>

namespace scree::exec {

/// What a piece of n values takes.
template <class T> constexpr std::size_t room(std::size_t n)
{
    return (n * sizeof(T) + 63) / 64 * 64;
}

template <class Loops> class Arena {
public:
    /// What was in it is lost.
    Scratch open(std::size_t size)
    {
        size += 64;
        if (size > memory_.bytes()) {
            Bytes none;
            none.swap(memory_);
        }
        memory_.fit(size);
        const auto misfit = reinterpret_cast<std::uintptr_t>(memory_.data()) % 64;
        return Scratch({memory_.data() + (64 - misfit), size - (64 - misfit)});
    }
    [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }

private:
    using Bytes = typename Loops::template Buffer<std::byte>;
    Bytes memory_;
};

}  // namespace scree::exec
