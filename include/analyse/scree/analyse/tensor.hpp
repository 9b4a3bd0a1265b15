// Symmetric tensors of space: dyads, invariants, principal values and directions.
#pragma once

#include "scree/analyse/region.hpp"

#include <array>

namespace scree::analyse {

/// A symmetric tensor.
using Tensor = Sym3<double>;

/// Sum.
constexpr Tensor operator+(const Tensor& a, const Tensor& b)
{
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
/// Multiple.
constexpr Tensor operator*(double s, const Tensor& a)
{
    return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
}
/// ½(a⊗b + b⊗a)
constexpr Tensor dyad(const Vec& a, const Vec& b)
{
    return {a.x * b.x, 0.5 * (a.x * b.y + a.y * b.x), 0.5 * (a.x * b.z + a.z * b.x),
            a.y * b.y, 0.5 * (a.y * b.z + a.z * b.y), a.z * b.z};
}
/// The sum of the diagonal.
constexpr double trace(const Tensor& a) { return a.xx + a.yy + a.zz; }

/// √(3/2 s:s) of the deviator s = a − ⅓ tr(a) 1: |a₁ − a₃| where two principal values are equal.
double deviator(const Tensor& a);

/// Principal values and directions of a tensor.
struct Principal {
    std::array<double, 3> values;   ///< descending
    std::array<Vec, 3> directions;  ///< unit, orthogonal, in the same order
};

/// By Jacobi's rotations, to rounding. NaN in gives NaN out.
Principal principal(const Tensor& a);

}  // namespace scree::analyse
