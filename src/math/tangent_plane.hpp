// Two-dimensional vectors and symmetric 2×2 matrices of the tangential plane (t, o).
#pragma once

#include "math/lane.hpp"

namespace scree::math::plane {

template <class T> struct Vec {
    T t, o;
};

template <class T> struct Sym {
    T tt, to, oo;
};

template <class T> SCREE_HD Vec<T> operator+(const Vec<T>& a, const Vec<T>& b)
{
    return {a.t + b.t, a.o + b.o};
}
template <class T> SCREE_HD Vec<T> operator-(const Vec<T>& a, const Vec<T>& b)
{
    return {a.t - b.t, a.o - b.o};
}
template <class T> SCREE_HD Vec<T> operator*(const T& s, const Vec<T>& a)
{
    return {s * a.t, s * a.o};
}
template <class T> SCREE_HD Vec<T> operator*(const Sym<T>& m, const Vec<T>& a)
{
    return {m.tt * a.t + m.to * a.o, m.to * a.t + m.oo * a.o};
}
template <class T> SCREE_HD T dot(const Vec<T>& a, const Vec<T>& b)
{
    return a.t * b.t + a.o * b.o;
}

/// a turned by +90°.
template <class T> SCREE_HD Vec<T> perp(const Vec<T>& a) { return {math::minus(a.o), a.t}; }

/// |a_t| + |a_o|
template <class T> SCREE_HD T norm1(const Vec<T>& a)
{
    using namespace math;
    return abs(a.t) + abs(a.o);
}

/// |a|, without overflow or underflow of squares.
template <class T> SCREE_HD T norm(const Vec<T>& a)
{
    using namespace math;
    const T scale = norm1(a);
    const T shrink = T(1) / select(scale > T(0), scale, T(1));
    const Vec<T> b{a.t * shrink, a.o * shrink};
    return scale * sqrt(dot(b, b));
}

/// A vector as length × unit vector, by plain squares: right for lengths whose square is a normal
/// number. Zero has the direction t.
template <class T> struct Polar {
    T length, inverse;
    Vec<T> direction;
};
template <class T> SCREE_HD Polar<T> polar(const Vec<T>& a)
{
    using namespace math;
    const T length = sqrt(dot(a, a));
    const auto zero = length == T(0);
    const T inverse = T(1) / select(zero, T(1), length);
    return {length, inverse, {select(zero, T(1), a.t * inverse), a.o * inverse}};
}

template <class T>
SCREE_HD Vec<T> select(const math::mask_of<T>& m, const Vec<T>& a, const Vec<T>& b)
{
    using math::select;
    return {select(m, a.t, b.t), select(m, a.o, b.o)};
}

}  // namespace scree::math::plane
