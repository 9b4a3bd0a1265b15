// How a kernel that is written once reads and writes its numbers: packs at as many as they have
// lanes, scalars one by one.
#pragma once

#include <cstddef>

namespace scree::exec {

/// Loads and stores of a pack; scalars are packs of one.
template <class T> struct PackIo {
    static constexpr std::size_t width = T::size;
    static T load(const typename T::value_type* from) { return T::load_unaligned(from); }
    static void store(const T& value, typename T::value_type* to) { value.store_unaligned(to); }
};
template <class Real> struct ScalarIo {
    static constexpr std::size_t width = 1;
    static Real load(const Real* from) { return *from; }
    static void store(const Real& value, Real* to) { *to = value; }
};
template <> struct PackIo<double> : ScalarIo<double> {
};
template <> struct PackIo<float> : ScalarIo<float> {
};

}  // namespace scree::exec
