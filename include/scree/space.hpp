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

}  // namespace scree
