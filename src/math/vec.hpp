// Vectors, symmetric matrices and quaternions of space, templated on the scalar.
#pragma once

#include "math/lane.hpp"
#include "scree/space.hpp"

#include <type_traits>

namespace scree {

template <class T> SCREE_HD Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T> SCREE_HD Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T> SCREE_HD Vec3<T> operator-(const Vec3<T>& a) { return {-a.x, -a.y, -a.z}; }
template <class T> SCREE_HD Vec3<T> operator*(const T& s, const Vec3<T>& a)
{
    return {s * a.x, s * a.y, s * a.z};
}
/// s a + b
template <class T> SCREE_HD Vec3<T> mad(const T& s, const Vec3<T>& a, const Vec3<T>& b)
{
    return {math::mad(s, a.x, b.x), math::mad(s, a.y, b.y), math::mad(s, a.z, b.z)};
}
/// b − s a
template <class T> SCREE_HD Vec3<T> less(const Vec3<T>& b, const T& s, const Vec3<T>& a)
{
    if constexpr (std::is_same_v<T, float>) {
        return mad(-s, a, b);
    } else {
        return b - s * a;
    }
}
template <class T> SCREE_HD T dot(const Vec3<T>& a, const Vec3<T>& b)
{
    return math::mad(a.z, b.z, math::mad(a.y, b.y, a.x * b.x));
}
template <class T> SCREE_HD Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b)
{
    if constexpr (std::is_same_v<T, float>) {
        return {math::mad(a.y, b.z, -(a.z * b.y)), math::mad(a.z, b.x, -(a.x * b.z)),
                math::mad(a.x, b.y, -(a.y * b.x))};
    } else {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
}
template <class T> SCREE_HD T norm(const Vec3<T>& a)
{
    using namespace math;
    return sqrt(dot(a, a));
}
/// Of a point of a body that moves with v and turns with w, at a lever from its centre.
template <class T>
SCREE_HD Vec3<T> point_velocity(const Vec3<T>& v, const Vec3<T>& w, const Vec3<T>& lever)
{
    return v + cross(w, lever);
}
template <class T> SCREE_HD math::mask_of<T> is_zero(const Vec3<T>& a)
{
    return a.x == T(0) && a.y == T(0) && a.z == T(0);
}
template <class T> SCREE_HD Vec3<T> normalised(const Vec3<T>& a)
{
    const T length = norm(a);
    return {a.x / length, a.y / length, a.z / length};
}

/// a/|a| for any a but zero, without overflow or underflow of squares.
template <class T> SCREE_HD Vec3<T> direction_of(const Vec3<T>& a)
{
    using namespace math;
    const T largest = larger(larger(abs(a.x), abs(a.y)), abs(a.z));
    return normalised(Vec3<T>{a.x / largest, a.y / largest, a.z / largest});
}

/// The vector turned by the unit quaternion: from the body frame to the world.
template <class T> SCREE_HD Vec3<T> rotate(const Quat<T>& q, const Vec3<T>& a)
{
    const Vec3<T> v{q.x, q.y, q.z};
    const Vec3<T> c = T(2) * cross(v, a);
    return a + q.w * c + cross(v, c);
}
/// First b, then a.
template <class T> SCREE_HD Quat<T> operator*(const Quat<T>& a, const Quat<T>& b)
{
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
/// And back: from the world to the body frame.
template <class T> SCREE_HD Vec3<T> rotate_back(const Quat<T>& q, const Vec3<T>& a)
{
    return rotate(Quat<T>{q.w, -q.x, -q.y, -q.z}, a);
}

}  // namespace scree
