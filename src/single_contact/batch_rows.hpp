// The functions that the instruction sets provide, one overload set per translation unit, and what
// goes in and out: plain columns, so that nothing but pointers crosses from code compiled for one
// instruction set to another.
#pragma once

#include "scree/law.hpp"

#include <cstddef>

namespace scree::single_contact {

/// Ann … Aoo, bn, bt, bo, beta, mu
constexpr int problem_columns = 11;
/// Stands in the state or residual column for a row that has to be finished alone.
constexpr int unfinished_code = -2;

enum class Pass {
    solve,   ///< in: the problem; out: xn, xt, xo, state code
    certify  ///< in: the problem, xn, xt, xo; out: residual
};

template <class Real>
using BatchRows = void (*)(Pass, Law, const Real* const* in, Real* const* out, std::size_t n);

#define SCREE_DECLARE_BATCH_ROWS(isa)                                                              \
    void batch_rows_##isa(Pass, Law, const double* const*, double* const*, std::size_t);           \
    void batch_rows_##isa(Pass, Law, const float* const*, float* const*, std::size_t)

SCREE_DECLARE_BATCH_ROWS(scalar);
SCREE_DECLARE_BATCH_ROWS(sse2);
SCREE_DECLARE_BATCH_ROWS(avx2);
SCREE_DECLARE_BATCH_ROWS(avx512);
#undef SCREE_DECLARE_BATCH_ROWS

}  // namespace scree::single_contact
