// No friction: the normal impulse alone stops the approach.
#pragma once

#include "law/reduced.hpp"

namespace scree::law {

template <class T> SCREE_HD Outcome<T> frictionless(const ContactProblem<T>& c)
{
    using namespace math;
    const Reduced<T> red = reduce(c.A);
    const auto ok = valid(c, red);
    const auto closed = ok && c.beta >= T(0);
    Outcome<T> out;
    out.x = {select(closed, c.beta * red.inverse_nn, T(0)), T(0), T(0)};
    out.state =
        select(closed, code<T>(ContactState::sliding),
               select(ok, code<T>(ContactState::separating), code<T>(ContactState::invalid)));
    out.unfinished = !ok;
    return out;
}

}  // namespace scree::law
