// How far a solution in double or float is from the reference, measured with 113 bits.
#pragma once

#include "support/oracle.hpp"
#include "support/problems.hpp"

#include <algorithm>

namespace scree::test {

/// Worst figures over a set of problems.
struct Errors {
    double a_norm = 0;      ///< ‖x − x_ref‖_A / ‖x_ref‖_A
    double suboptimal = 0;  ///< (E − E_ref) / E₀
    double cone = 0;        ///< (|x_to| − μ x_n) / (μ x_n)
    int uncertified = 0;    ///< references without their own certificate

    void add(const Oracle& oracle, const ContactProblem<double>& c,
             const ContactVector<double>& found)
    {
        const Reference reference = oracle.solve();
        uncertified += !reference.certified;
        const ContactVector<Quad> x{found.n, found.t, found.o};
        const ContactVector<Quad> off{x.n - reference.x.n, x.t - reference.x.t,
                                      x.o - reference.x.o};
        const Quad size = oracle.a_norm(reference.x);
        const Quad distance = oracle.a_norm(off);
        a_norm = std::max(a_norm, static_cast<double>(size > 0 ? distance / size : distance));
        const Quad more = oracle.energy(x) - oracle.energy(reference.x);
        suboptimal = std::max(suboptimal, static_cast<double>(more / oracle.available()));
        const Quad bound = Quad(c.mu) * x.n;
        const Quad outside = norm(Q2{x.t, x.o}) - bound;
        cone = std::max(cone, static_cast<double>(bound > 0 ? outside / bound : outside));
    }
};

/// Not inlined: g++ 12 may otherwise skip the rounding of a conversion there and back.
template <class To, class From>
[[gnu::noinline]] ContactProblem<To> converted(const ContactProblem<From>& c)
{
    return {{To(c.A.nn), To(c.A.nt), To(c.A.no), To(c.A.tt), To(c.A.to), To(c.A.oo)},
            {To(c.b.n), To(c.b.t), To(c.b.o)},
            To(c.beta),
            To(c.mu)};
}

/// What is asked of the solver, per class (docs/theory.md, "Accuracy").
struct Limits {
    double a_norm, suboptimal, cone;
};
inline Limits limits(ProblemClass c) { return {physical(c) ? 1e-12 : 1e-7, 1e-9, 1e-15}; }

}  // namespace scree::test
