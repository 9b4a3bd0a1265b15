// Vectors and orientations in space, as plain aggregates.
#pragma once

namespace scree {

/// A vector in space.
template <class T> struct Vec3 {
    T x, y, z;  ///< components
};

/// A unit quaternion w + xi + yj + zk that turns the body frame into the world frame.
template <class T> struct Quat {
    T w, x, y, z;  ///< components, w²+x²+y²+z² = 1
};

/// A symmetric 3 × 3 matrix.
template <class T> struct Sym3 {
    T xx, xy, xz, yy, yz, zz;  ///< components
};

}  // namespace scree
