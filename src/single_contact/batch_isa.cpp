// One instruction set's batch: compiled several times, with SCREE_ISA_NAME set to the name used in
// batch_rows.hpp and SCREE_ISA_ARCH to the xsimd architecture, with matching compiler flags.
#include "single_contact/batch_kernel.hpp"

#include <xsimd/xsimd.hpp>

#define SCREE_CONCAT_(a, b) a##b
#define SCREE_CONCAT(a, b) SCREE_CONCAT_(a, b)

namespace scree::single_contact {

void SCREE_CONCAT(batch_rows_, SCREE_ISA_NAME)(Pass pass, Law law, const double* const* in,
                                               double* const* out, std::size_t n)
{
    batch_rows<xsimd::batch<double, xsimd::SCREE_ISA_ARCH>>(pass, law, in, out, n);
}

void SCREE_CONCAT(batch_rows_, SCREE_ISA_NAME)(Pass pass, Law law, const float* const* in,
                                               float* const* out, std::size_t n)
{
    batch_rows<xsimd::batch<float, xsimd::SCREE_ISA_ARCH>>(pass, law, in, out, n);
}

}  // namespace scree::single_contact
