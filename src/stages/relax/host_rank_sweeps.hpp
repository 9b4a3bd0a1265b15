#pragma once

#include "ranks/halo_exchange.hpp"
#include "stages/relax/mass_splitting.hpp"

namespace scree::relax {

/// Velocities of bodies into values, or back.
inline void carry(const state::VelocityLine& from, ranks::Change& to)
{
    to.v = from.v;
    to.w = from.w;
}
inline void carry(const ranks::Change& from, state::VelocityLine& to)
{
    to.v = from.v;
    to.w = from.w;
}

inline void hear(ranks::Domain& d, state::VelocityLine* velocity)
{
    d.hear();
    for (const ranks::Domain::Line& line : d.lines(ranks::Domain::pass_hear)) {
        carry(d.values()[line.at], velocity[line.body]);
    }
}

inline void tell(ranks::Domain& d, const state::PairList& list, const state::VelocityLine* velocity)
{
    ranks::Change* to = d.values().data();
    for (const state::Shared& s : list.shared) {
        *to++ = relax::change_of(s, velocity);
    }
    for (const ranks::Domain::Line& line : d.lines(ranks::Domain::pass_tell)) {
        carry(velocity[line.body], d.values()[line.at]);
    }
    d.tell();
}

inline void answer(ranks::Domain& d, const state::VelocityLine* velocity)
{
    for (const ranks::Domain::Line& line : d.lines(ranks::Domain::pass_answer)) {
        carry(velocity[line.body], d.values()[line.at]);
    }
    d.answer();
}

inline void finish(ranks::Domain& d, const state::PairList& list, state::VelocityLine* velocity)
{
    d.finish();
    for (const ranks::Domain::Line& line : d.lines(ranks::Domain::pass_finish)) {
        carry(d.values()[line.at], velocity[line.body]);
    }
    std::size_t k = 0;
    for (const state::Shared& s : list.shared) {
        relax::close_copies(s, d.sum_of(k++), velocity);
    }
}

}  // namespace scree::relax
