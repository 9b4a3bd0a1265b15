// Vectors and orientations in space, as plain aggregates.
#pragma once

namespace scree {

template <class T> struct Vec3 {
    T x, y, z;
};

/// A unit quaternion w + xi + yj + zk that turns the body frame into the world frame.
template <class T> struct Quat {
    T w, x, y, z;
};

/// A symmetric 3 × 3 matrix.
template <class T> struct Sym3 {
    T xx, xy, xz, yy, yz, zz;
};

}  // namespace scree
