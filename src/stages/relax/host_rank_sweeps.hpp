#pragma once

#include "ranks/halo_exchange.hpp"
#include "stages/relax/mass_splitting.hpp"

namespace scree::sweeps {

/// Velocities of bodies into values, or back.
inline void carry(const VelocityLine& from, sweeps::Change& to)
{
    to.v = from.v;
    to.w = from.w;
}
inline void carry(const sweeps::Change& from, VelocityLine& to)
{
    to.v = from.v;
    to.w = from.w;
}

inline void hear(domain::Domain& d, VelocityLine* velocity)
{
    d.hear();
    for (const domain::Domain::Line& line : d.lines(domain::Domain::pass_hear)) {
        carry(d.values()[line.at], velocity[line.body]);
    }
}

inline void tell(domain::Domain& d, const PairList& list, const VelocityLine* velocity)
{
    sweeps::Change* to = d.values().data();
    for (const Shared& s : list.shared) {
        *to++ = sweeps::change_of(s, velocity);
    }
    for (const domain::Domain::Line& line : d.lines(domain::Domain::pass_tell)) {
        carry(velocity[line.body], d.values()[line.at]);
    }
    d.tell();
}

inline void answer(domain::Domain& d, const VelocityLine* velocity)
{
    for (const domain::Domain::Line& line : d.lines(domain::Domain::pass_answer)) {
        carry(velocity[line.body], d.values()[line.at]);
    }
    d.answer();
}

inline void finish(domain::Domain& d, const PairList& list, VelocityLine* velocity)
{
    d.finish();
    for (const domain::Domain::Line& line : d.lines(domain::Domain::pass_finish)) {
        carry(d.values()[line.at], velocity[line.body]);
    }
    std::size_t k = 0;
    for (const Shared& s : list.shared) {
        sweeps::close_copies(s, d.sum_of(k++), velocity);
    }
}

}  // namespace scree::sweeps
