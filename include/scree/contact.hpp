// The frictional single-contact problem, for one contact or for a million. See types.hpp for the
// problem and docs/theory.md for the laws.
//
//   const scree::ContactProblem<double> problem{
//       .A = {.nn = 1, .nt = 0, .no = 0, .tt = 3.5, .to = 0, .oo = 3.5},
//       .b = {.n = 1, .t = 0.8, .o = 0},
//       .beta = 1,
//       .mu = 0.2};
//   const scree::ContactSolution s = scree::solve_contact(problem);
//   // s.x = (1, 0.2, 0), s.state == scree::ContactState::sliding, s.certificate.energy = −0.59 J
#pragma once

#include "scree/error.hpp"
#include "scree/law.hpp"
#include "scree/types.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Everything that is wrong with a problem, in words ("mu = -0.1: the friction coefficient must be
/// at least 0"), separated by "; ". Empty if nothing is.
std::string problems_with(const ContactProblem<double>& problem);

/// What solving one contact gives: the impulse, with the proof that it is one.
struct ContactSolution {
    ContactVector<double> x;  ///< impulse [N s]
    ContactState state;       ///< what the impulse leaves behind
    /// How well it satisfies the conditions of maximum dissipation.
    Certificate<double> certificate;
    /// The largest of the law's own relative residuals: cone, plane and stationarity for maximum
    /// dissipation; cone, plane and slip opposition for Coulomb; the plane and the law's bounds for
    /// the others. About 1e-15 for a solution; the program distrusts 1e-9.
    double residual;
    /// β = 0 and the conic a parabola to the last digits, where the solution jumps: a last digit of
    /// the input decides between two impulses.
    bool degenerate;
};

/// Solves one contact. Throws Error if the problem is not finite, A not positive definite or μ < 0.
ContactSolution solve_contact(const ContactProblem<double>& problem,
                              Law law = Law::max_dissipation);

/// Maximum dissipation with Newton restitution e ∈ [0, 1]: the normal velocity is reversed e-fold
/// and kinetic energy never rises (with this law; the others promise nothing). The same as
/// `solve_contact` with beta = (1 + e) b.n; `problem.beta` is not used.
ContactSolution solve_bouncing_contact(const ContactProblem<double>& problem, double e);

/// All Coulomb solutions, by descending energy; the last is the one that `solve_contact` takes.
struct CoulombSolutions {
    std::vector<ContactSolution> points;  ///< by descending energy
    /// Set when all convex combinations of the two ends are solutions as well.
    struct Segment {
        ContactVector<double> from, to;  ///< the two ends [N s]
    };
    std::optional<Segment> continuum;  ///< none as a rule
};
/// Finds them all. Throws Error like `solve_contact`.
CoulombSolutions coulomb_solutions(const ContactProblem<double>& problem);

/// The certificate of any impulse, solution or not.
Certificate<double> certify(const ContactProblem<double>& problem, const ContactVector<double>& x);

/// The curve in which the plane of maximum compression cuts the friction cone.
enum class Conic { point, ellipse, parabola, hyperbola };
/// Its kind; a point if μ = 0. At β = 0 the curve is degenerate, of that kind. Throws Error like
/// `solve_contact`.
Conic conic_of(const ContactProblem<double>& problem);
/// "point" … "hyperbola"
std::string_view name_of(Conic conic);
/// |κ|: 0 for a circle; below, at and above 1 for ellipse, parabola and hyperbola. Throws like
/// `solve_contact`.
double eccentricity(const ContactProblem<double>& problem);

/// Many problems, one column per coefficient, all of the same length.
template <class Real> struct ContactColumns {
    /// A [1/kg], b and β [m/s], μ, as in ContactProblem.
    std::span<const Real> Ann, Ant, Ano, Att, Ato, Aoo, bn, bt, bo, beta, mu;
};
/// Where the impulses go. An empty `residual` skips the certificate; invalid rows have residual
/// NaN.
template <class Real> struct ImpulseColumns {
    std::span<Real> xn, xt, xo;     ///< impulses [N s]
    std::span<ContactState> state;  ///< what each impulse leaves behind
    std::span<Real> residual;       ///< the law's own residual, as in ContactSolution, relative
};

/// The instruction sets a batch can use; every one gives the same bits.
enum class InstructionSet { scalar, sse2, avx2, avx512 };
/// "scalar", "sse2", "avx2", "avx512"
std::string_view name_of(InstructionSet isa);
/// What this machine and this build can run, narrowest first.
std::vector<InstructionSet> available_instruction_sets();
/// The widest of them, or the one named by the environment variable SCREE_ISA.
InstructionSet default_instruction_set();

/// How many rows of a batch ended how.
struct BatchReport {
    std::size_t separating = 0, sticking = 0, sliding = 0;  ///< rows in that state
    std::size_t invalid = 0;  ///< rows that are no problem at all: x = 0 and ContactState::invalid
    std::size_t long_way_rows = 0;  ///< rows that needed the long way
    /// Over valid rows, if residuals were asked for; infinite if one cannot be computed.
    double max_residual = 0;
    std::size_t worst_row = 0;  ///< where it was
};

/// Solves every row, on the calling thread. All columns but `residual` must have the same length,
/// `beta` included; outputs must not overlap inputs. Throws Error if the lengths differ or
/// SCREE_ISA names no instruction set; bad rows are counted, not thrown. Real is double or float.
template <class Real>
BatchReport solve_batch(const ContactColumns<Real>& problems, const ImpulseColumns<Real>& impulses,
                        Law law = Law::max_dissipation,
                        InstructionSet isa = default_instruction_set());

}  // namespace scree
