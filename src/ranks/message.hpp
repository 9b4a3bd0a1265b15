// Plain values into bytes for another rank, and back.
#pragma once

#include "scree/ranks.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace scree::ranks {

using Bytes = Ranks::Bytes;

template <class T> void put(Bytes& to, std::span<const T> values)
{
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(values);
    to.insert(to.end(), bytes.begin(), bytes.end());
}
template <class T> void put(Bytes& to, const T& value) { put(to, std::span<const T>(&value, 1)); }
/// With its length in front.
template <class T> void put(Bytes& to, const std::vector<T>& values)
{
    put(to, static_cast<std::uint64_t>(values.size()));
    put(to, std::span<const T>(values));
}

class Reader {
public:
    explicit Reader(const Bytes& bytes) : bytes_(bytes) {}
    [[nodiscard]] bool done() const { return at_ == bytes_.size(); }
    template <class T> void get(std::span<T> values)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        if (values.size_bytes() > bytes_.size() - at_) {
            throw std::logic_error("a message from another rank is too short");
        }
        if (!values.empty()) {
            std::memcpy(static_cast<void*>(values.data()), bytes_.data() + at_,
                        values.size_bytes());
        }
        at_ += values.size_bytes();
    }
    template <class T> T get()
    {
        T value;
        get(std::span<T>(&value, 1));
        return value;
    }
    template <class T> std::vector<T> get_all()
    {
        std::vector<T> values(get<std::uint64_t>());
        get(std::span<T>(values));
        return values;
    }

private:
    const Bytes& bytes_;
    std::size_t at_ = 0;
};

/// What all ranks have, rank after rank.
template <class T> std::vector<T> everywhere(Ranks& ranks, const std::vector<T>& here)
{
    const auto mine = std::as_bytes(std::span<const T>(here));
    const Bytes bytes = ranks.everywhere({mine.begin(), mine.end()});
    std::vector<T> all(bytes.size() / sizeof(T));
    Reader(bytes).get(std::span<T>(all));
    return all;
}

}  // namespace scree::ranks
