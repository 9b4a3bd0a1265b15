// A split body and its copies, which share its mass and its contacts: a weighted block Jacobi
// between them.
#pragma once

#include "state/bodies.hpp"
#include "state/pairs.hpp"

namespace scree::sweeps {

/// A copy is as fast as its body, and as much lighter as there are copies.
SCREE_HD void open_copies(const Split& s, VelocityLine* velocity)
{
    VelocityLine copy = velocity[s.body];
    copy.inverse_mass *= s.copies;
    copy.inverse_moment *= s.copies;
    for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
        velocity[k] = copy;
    }
}

/// The mean of the copies: the impulses on all of them act on the body.
SCREE_HD void join_copies(const Split& s, VelocityLine* velocity)
{
    VelocityLine& body = velocity[s.body];
    Vec3<double> dv{0, 0, 0}, dw{0, 0, 0};
    for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
        dv = dv + (velocity[k].v - body.v);
        dw = dw + (velocity[k].w - body.w);
    }
    const double share = 1 / static_cast<double>(s.copies);
    body.v = body.v + share * dv;
    body.w = body.w + share * dw;
    for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
        velocity[k].v = body.v;
        velocity[k].w = body.w;
    }
}

/// Copies of split bodies are as inert as the body itself.
SCREE_HD void give_copies_inertia(const Split& s, InertiaLine* inertia)
{
    InertiaLine copy = inertia[s.body];
    double* const entries[] = {&copy.inverse.xx, &copy.inverse.xy, &copy.inverse.xz,
                               &copy.inverse.yy, &copy.inverse.yz, &copy.inverse.zz};
    for (double* entry : entries) {
        *entry *= s.copies;
    }
    for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
        inertia[k] = copy;
    }
}

}  // namespace scree::sweeps
