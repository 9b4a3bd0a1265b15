// A split body and its copies, which share its mass and its contacts: a weighted block Jacobi
// between them. The copies of a body that several ranks share are spread over these.
#pragma once

#include "ranks/halo_exchange.hpp"
#include "state/bodies.hpp"
#include "state/pairs.hpp"

namespace scree::relax {

/// All copies there are.
SCREE_HD std::uint32_t total_copies(const state::SplitBody& s) { return s.copies; }
SCREE_HD std::uint32_t total_copies(const state::RankSplitBody& s) { return s.total; }

/// Notes whose copies these are; slots of copies begin behind those of so many bodies.
template <class S>
SCREE_HD void name_copies(const S& s, std::size_t body_count, std::uint32_t* body_of_copy)
{
    for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
        body_of_copy[k - body_count] = s.body;
    }
}
/// The body of a slot that is a body or a copy.
SCREE_HD std::uint32_t body_of(std::uint32_t slot, std::size_t body_count,
                               const std::uint32_t* body_of_copy)
{
    return slot < body_count ? slot : body_of_copy[slot - body_count];
}

/// A copy is as fast as its body, and as much lighter as there are copies.
template <class S> SCREE_HD void open_copies(const S& s, state::VelocityLine* velocity)
{
    state::VelocityLine copy = velocity[s.body];
    copy.inverse_mass *= total_copies(s);
    copy.inverse_moment *= total_copies(s);
    for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
        velocity[k] = copy;
    }
}

template <class S> SCREE_HD ranks::Change change_of(const S& s, const state::VelocityLine* velocity)
{
    const state::VelocityLine& body = velocity[s.body];
    ranks::Change sum{{0, 0, 0}, {0, 0, 0}};
    for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
        sum.v = sum.v + (velocity[k].v - body.v);
        sum.w = sum.w + (velocity[k].w - body.w);
    }
    return sum;
}

/// Gives body and copies the mean of all copies.
template <class S>
SCREE_HD void close_copies(const S& s, const ranks::Change& sum, state::VelocityLine* velocity)
{
    state::VelocityLine& body = velocity[s.body];
    const double share = 1 / static_cast<double>(total_copies(s));
    body.v = body.v + share * sum.v;
    body.w = body.w + share * sum.w;
    for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
        velocity[k].v = body.v;
        velocity[k].w = body.w;
    }
}

/// The mean of the copies: the impulses on all of them act on the body.
SCREE_HD void join_copies(const state::SplitBody& s, state::VelocityLine* velocity)
{
    close_copies(s, change_of(s, velocity), velocity);
}

/// Copies of split bodies are as inert as the body itself.
template <class S> SCREE_HD void give_copies_inertia(const S& s, state::InertiaLine* inertia)
{
    state::InertiaLine copy = inertia[s.body];
    double* const entries[] = {&copy.inverse.xx, &copy.inverse.xy, &copy.inverse.xz,
                               &copy.inverse.yy, &copy.inverse.yz, &copy.inverse.zz};
    for (double* entry : entries) {
        *entry *= total_copies(s);
    }
    for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
        inertia[k] = copy;
    }
}

}  // namespace scree::relax
