// The laws behind one name each, for code that is written once for all of them.
#pragma once

#include "law/certificate.hpp"
#include "law/coulomb.hpp"
#include "law/frictionless.hpp"
#include "law/max_dissipation.hpp"
#include "law/projected.hpp"
#include "scree/law.hpp"

namespace scree::law {

/// A fixed amount of work per lane; some lanes may come back unfinished.
template <Law L, class T> SCREE_HD Outcome<T> quick(const ContactProblem<T>& c)
{
    if constexpr (L == Law::max_dissipation) {
        return max_dissipation(c);
    } else if constexpr (L == Law::coulomb) {
        return coulomb(c);
    } else if constexpr (L == Law::frictionless) {
        return frictionless(c);
    } else {
        return projected(c);
    }
}

template <class To, class From> SCREE_HD ContactVector<To> cast(const ContactVector<From>& x)
{
    return {To(x.n), To(x.t), To(x.o)};
}
template <class To, class From> SCREE_HD ContactProblem<To> cast(const ContactProblem<From>& c)
{
    return {{To(c.A.nn), To(c.A.nt), To(c.A.no), To(c.A.tt), To(c.A.to), To(c.A.oo)},
            cast<To>(c.b),
            To(c.beta),
            To(c.mu)};
}

/// The solution of one problem whatever it takes: in double, scaled by powers of two so that
/// neither squares nor products under- or overflow, and without a limit of steps that matters.
template <Law L, class Real> SCREE_HD Outcome<Real> finish(const ContactProblem<Real>& problem)
{
    ContactProblem<double> c = cast<double>(problem);
    const double speed = lane::larger(lane::larger(lane::abs(c.b.n), lane::abs(c.b.t)),
                                      lane::larger(lane::abs(c.b.o), lane::abs(c.beta)));
    const double slow = lane::power_of_two_near_inverse(speed);
    const double heavy = lane::power_of_two_near_inverse(c.A.nn);
    c.b = {c.b.n * slow, c.b.t * slow, c.b.o * slow};
    c.beta *= slow;
    c.A = {c.A.nn * heavy, c.A.nt * heavy, c.A.no * heavy,
           c.A.tt * heavy, c.A.to * heavy, c.A.oo * heavy};
    Outcome<double> out;
    if constexpr (L == Law::max_dissipation) {
        out = max_dissipation(c, all_steps);
    } else {
        out = quick<L>(c);
    }
    const auto unscaled = [&](double x) { return Real(x / slow * heavy); };
    return {{unscaled(out.x.n), unscaled(out.x.t), unscaled(out.x.o)}, Real(out.state), false};
}

template <Law L, class Real> SCREE_HD Outcome<Real> solve(const ContactProblem<Real>& c)
{
    const Outcome<Real> out = quick<L>(c);
    return out.unfinished ? finish<L>(c) : out;
}

/// The one number that says how well x obeys the law: the largest relative residual among the law's
/// own conditions. Meaningless where A is ill conditioned for the precision of T.
template <Law L, class T> SCREE_HD T residual(const ContactProblem<T>& c, const ContactVector<T>& x)
{
    using namespace lane;
    const Certificate<T> z = law::certify(c, x);  // not the checked scree::certify
    if constexpr (L == Law::max_dissipation) {
        return larger(larger(z.cone, z.plane), z.stationarity);
    } else if constexpr (L == Law::coulomb) {
        return larger(larger(z.cone, z.plane), z.opposition);
    } else if constexpr (L == Law::frictionless) {
        return larger(z.plane, select(x.t == T(0) && x.o == T(0), T(0), T(1)));
    } else {
        return larger(z.plane, box_residual(c, x, z.velocity));
    }
}

}  // namespace scree::law
