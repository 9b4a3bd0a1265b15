// Symmetric tensors and rotations of rigid bodies, templated on the scalar.
#pragma once

#include "math/vec.hpp"

namespace scree {

template <class T> SCREE_HD Vec3<T> operator*(const Sym3<T>& m, const Vec3<T>& a)
{
    return {m.xx * a.x + m.xy * a.y + m.xz * a.z, m.xy * a.x + m.yy * a.y + m.yz * a.z,
            m.xz * a.x + m.yz * a.y + m.zz * a.z};
}

/// R M Rᵀ: a tensor of the body frame in the world.
template <class T> SCREE_HD Sym3<T> rotated(const Quat<T>& q, const Sym3<T>& m)
{
    const Vec3<T> x = rotate(q, Vec3<T>{T(1), T(0), T(0)});
    const Vec3<T> y = rotate(q, Vec3<T>{T(0), T(1), T(0)});
    const Vec3<T> z = rotate(q, Vec3<T>{T(0), T(0), T(1)});
    const auto entry = [&](const T& xi, const T& yi, const T& zi, const T& xj, const T& yj,
                           const T& zj) {
        return xi * (m.xx * xj + m.xy * yj + m.xz * zj) + yi * (m.xy * xj + m.yy * yj + m.yz * zj) +
               zi * (m.xz * xj + m.yz * yj + m.zz * zj);
    };
    return {entry(x.x, y.x, z.x, x.x, y.x, z.x), entry(x.x, y.x, z.x, x.y, y.y, z.y),
            entry(x.x, y.x, z.x, x.z, y.z, z.z), entry(x.y, y.y, z.y, x.y, y.y, z.y),
            entry(x.y, y.y, z.y, x.z, y.z, z.z), entry(x.z, y.z, z.z, x.z, y.z, z.z)};
}

/// The inverse; rows whose diagonal is infinite become zero, which asks for zero beside it.
inline Sym3<double> inverse(const Sym3<double>& m)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const bool x = m.xx < infinity, y = m.yy < infinity, z = m.zz < infinity;
    if (x && y && z) {
        const double a = m.yy * m.zz - m.yz * m.yz;
        const double b = m.xz * m.yz - m.xy * m.zz;
        const double c = m.xy * m.yz - m.xz * m.yy;
        const double d = 1 / (m.xx * a + m.xy * b + m.xz * c);
        return {a * d,
                b * d,
                c * d,
                (m.xx * m.zz - m.xz * m.xz) * d,
                (m.xy * m.xz - m.xx * m.yz) * d,
                (m.xx * m.yy - m.xy * m.xy) * d};
    }
    Sym3<double> r{0, 0, 0, 0, 0, 0};
    const auto pair = [](double p, double q, double s, double& ip, double& iq, double& is) {
        const double d = 1 / (p * s - q * q);
        ip = s * d;
        iq = -q * d;
        is = p * d;
    };
    if (x && y) {
        pair(m.xx, m.xy, m.yy, r.xx, r.xy, r.yy);
    } else if (x && z) {
        pair(m.xx, m.xz, m.zz, r.xx, r.xz, r.zz);
    } else if (y && z) {
        pair(m.yy, m.yz, m.zz, r.yy, r.yz, r.zz);
    } else {
        r.xx = 1 / m.xx;
        r.yy = 1 / m.yy;
        r.zz = 1 / m.zz;
    }
    return r;
}

template <class T> SCREE_HD T norm(const Quat<T>& q)
{
    using namespace math;
    return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}
/// Of length 1 within 1e-6: what people write as an orientation.
template <class T> SCREE_HD math::mask_of<T> is_unit(const Quat<T>& q)
{
    using namespace math;
    return abs(norm(q) - T(1)) < constant<T>(1e-6);
}
template <class T> SCREE_HD Quat<T> normalised(const Quat<T>& q)
{
    const T length = norm(q);
    return {q.w / length, q.x / length, q.y / length, q.z / length};
}

/// (q + h Q(q) ω)/|…|, Q the paper's quaternion matrix: turned for the time h.
template <class T> SCREE_HD Quat<T> turned(const Quat<T>& q, const Vec3<T>& w, const T& h)
{
    const T half = math::constant<T>(0.5) * h;
    const Quat<T> p{q.w - half * (w.x * q.x + w.y * q.y + w.z * q.z),
                    q.x + half * (w.x * q.w + w.y * q.z - w.z * q.y),
                    q.y + half * (w.y * q.w + w.z * q.x - w.x * q.z),
                    q.z + half * (w.z * q.w + w.x * q.y - w.y * q.x)};
    const T s = T(1) / norm(p);
    return {s * p.w, s * p.x, s * p.y, s * p.z};
}

}  // namespace scree
