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

/// A problem scaled by powers of two (which changes no digit) so that neither squares
/// nor products under- or overflow.
struct Scaled {
    ContactProblem<double> c;
    double impulse;  ///< what an impulse of c has to be multiplied with
};
SCREE_HD Scaled scaled(ContactProblem<double> c)
{
    const double speed = math::larger(math::larger(math::abs(c.b.n), math::abs(c.b.t)),
                                      math::larger(math::abs(c.b.o), math::abs(c.beta)));
    const double slow = math::power_of_two_near_inverse(speed);
    const double heavy = math::power_of_two_near_inverse(c.A.nn);
    c.b = {c.b.n * slow, c.b.t * slow, c.b.o * slow};
    c.beta *= slow;
    c.A = {c.A.nn * heavy, c.A.nt * heavy, c.A.no * heavy,
           c.A.tt * heavy, c.A.to * heavy, c.A.oo * heavy};
    return {c, heavy / slow};
}

/// The solution of one problem whatever it takes: in double, scaled, without a limit of steps that
/// matters.
template <Law L, class Real> SCREE_HD Outcome<Real> finish(const ContactProblem<Real>& problem)
{
    const ContactProblem<double> wide = cast<double>(problem);
    if (!valid(wide, reduce(wide.A))) {
        return {{Real(0), Real(0), Real(0)}, code<Real>(ContactState::invalid), false};
    }
    const auto [c, impulse] = scaled(wide);
    Outcome<double> out;
    if constexpr (L == Law::max_dissipation) {
        out = max_dissipation(c, all_steps);
        if (out.unfinished && out.state == code<double>(ContactState::sliding) && c.beta > 0 &&
            c.mu > 0) {
            near_parabola_slide(c, out.x);
        }
    } else {
        out = quick<L>(c);
    }
    return {{Real(out.x.n * impulse), Real(out.x.t * impulse), Real(out.x.o * impulse)},
            Real(out.state),
            false};
}

template <Law L, class Real> SCREE_HD Outcome<Real> solve(const ContactProblem<Real>& c)
{
    const Outcome<Real> out = quick<L>(c);
    return out.unfinished ? finish<L>(c) : out;
}

/// The one number that says how well x obeys the law: the largest relative residual among the law's
/// own conditions. Meaningless where A is ill conditioned for T, and not a number where products
/// leave the range of T: `finish_residual` then helps.
template <Law L, class T> SCREE_HD T residual(const ContactProblem<T>& c, const ContactVector<T>& x)
{
    using namespace math;
    const Certificate<T> z = law::certify(c, x);  // not the checked scree::certify
    if constexpr (L == Law::max_dissipation) {
        return larger(larger(z.cone, z.plane), z.stationarity);
    } else if constexpr (L == Law::coulomb) {
        return larger(larger(z.cone, z.plane), z.slip_error);
    } else if constexpr (L == Law::frictionless) {
        return larger(z.plane, select(x.t == T(0) && x.o == T(0), T(0), T(1)));
    } else {
        return larger(z.plane, box_residual(c, x, z.velocity));
    }
}

/// The residual whatever it takes: in double and scaled.
template <Law L, class Real>
SCREE_HD double finish_residual(const ContactProblem<Real>& problem, const ContactVector<Real>& x)
{
    const auto [c, impulse] = scaled(cast<double>(problem));
    return residual<L>(c, ContactVector<double>{double(x.n) / impulse, double(x.t) / impulse,
                                                double(x.o) / impulse});
}

}  // namespace scree::law
