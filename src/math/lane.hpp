// The vocabulary that lets one source serve a scalar, a SIMD pack and a GPU thread: comparisons
// yield a mask, `select` replaces branches, `any`/`all` ask about the lanes. For a scalar the mask
// is bool and there is one lane; for packs the functions of the same names come with the pack type
// and are found by argument-dependent lookup. Only + − × ÷ √, comparisons and selects are used, so
// every lane gets the same bits as the scalar.
#pragma once

#include <cmath>
#include <limits>

// SCREE_HD: a small function of host and device, always inlined. SCREE_LONG: one too long for that.
// SCREE_DEVICE: before the parameters of a lambda that a device runs.
#if defined(__CUDACC__)
#define SCREE_HD __host__ __device__ inline
#define SCREE_LONG __host__ __device__ __noinline__ inline
#define SCREE_DEVICE __device__
#else
#define SCREE_HD [[gnu::always_inline]] inline
#define SCREE_LONG inline
#define SCREE_DEVICE
#endif

namespace scree::math {

SCREE_HD bool any(bool mask) { return mask; }
SCREE_HD bool all(bool mask) { return mask; }

SCREE_HD double select(bool mask, double yes, double no) { return mask ? yes : no; }
SCREE_HD float select(bool mask, float yes, float no) { return mask ? yes : no; }

SCREE_HD double abs(double x) { return ::fabs(x); }
SCREE_HD float abs(float x) { return ::fabsf(x); }

SCREE_HD double sqrt(double x) { return ::sqrt(x); }
SCREE_HD float sqrt(float x) { return ::sqrtf(x); }

/// The scalar inside T: T itself, or a pack's element.
template <class T> struct ScalarOf {
    using type = typename T::value_type;
};
template <> struct ScalarOf<double> {
    using type = double;
};
template <> struct ScalarOf<float> {
    using type = float;
};
template <class T> using scalar_of = typename ScalarOf<T>::type;

template <class T> using mask_of = decltype(T() < T());

/// A constant in every lane, rounded to the lane's precision.
template <class T> SCREE_HD constexpr T constant(double value)
{
    return T(static_cast<scalar_of<T>>(value));
}

template <class T> constexpr double epsilon = std::numeric_limits<scalar_of<T>>::epsilon();
/// Lanes are float rather than double.
template <class T> constexpr bool single_precision = epsilon<T> > 1e-10;

/// −x with the sign of zero right. Kernels use this instead of the operator, which some packs
/// define as 0 − x.
template <class T> SCREE_HD T minus(const T& x) { return T(scalar_of<T>(-0.0)) - x; }

/// Lane-wise minimum and maximum; the second argument wins where the first is NaN.
template <class T> SCREE_HD T smaller(const T& a, const T& b) { return select(a < b, a, b); }
template <class T> SCREE_HD T larger(const T& a, const T& b) { return select(a > b, a, b); }

/// a/√b and 1/b. A GPU's floats are what its special units give, within two units in the last
/// place.
template <class T> SCREE_HD T over_root(const T& a, const T& b) { return a / sqrt(b); }
template <class T> SCREE_HD T inverse(const T& b) { return T(1) / b; }
#if defined(__CUDA_ARCH__)
template <> SCREE_HD float over_root(const float& a, const float& b) { return a * ::rsqrtf(b); }
template <> SCREE_HD float inverse(const float& b) { return __fdividef(1.0F, b); }
#endif

/// a b + c. A GPU's floats are rounded once.
template <class T> SCREE_HD T mad(const T& a, const T& b, const T& c) { return a * b + c; }
#if defined(__CUDA_ARCH__)
template <> SCREE_HD float mad(const float& a, const float& b, const float& c)
{
    return __fmaf_rn(a, b, c);
}
#endif

/// True where x is neither infinite nor NaN.
template <class T> SCREE_HD mask_of<T> finite(const T& x) { return x - x == T(0); }

/// A power of two p with |x| p near 1, or 1 if x is zero or not finite.
SCREE_HD double power_of_two_near_inverse(double x)
{
    int exponent = 0;
    ::frexp(x, &exponent);
    const bool usable = x != 0.0 && x - x == 0.0;
    return usable ? ::ldexp(1.0, exponent < -1000 ? 1000 : -exponent) : 1.0;
}

}  // namespace scree::math
