// The public functions for one contact: input checked, solved, certified.
#include "scree/contact.hpp"

#include "law/laws.hpp"
#include "law/restitution.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace scree {
namespace {

template <Law L> ContactSolution solution_of(const ContactProblem<double>& c)
{
    const law::Outcome<double> out = law::solve<L>(c);
    return {out.x, static_cast<ContactState>(static_cast<signed char>(out.state)),
            law::certify(c, out.x), law::finish_residual<L>(c, out.x), law::on_edge(c)};
}

void require_valid(const ContactProblem<double>& problem)
{
    const std::string what = problems_with(problem);
    if (!what.empty()) {
        throw Error(what);
    }
}

std::string text(double value)
{
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// Collects Coulomb solutions as they are found; two closer than 1e-7 are one.
struct Collect {
    const ContactProblem<double>& problem;
    std::vector<ContactSolution> found;

    void operator()(const ContactVector<double>& x, double k, bool where)
    {
        if (!where) {
            return;
        }
        const bool again = std::any_of(found.begin(), found.end(), [&](const ContactSolution& s) {
            const double scale = std::abs(x.n) + std::abs(x.t) + std::abs(x.o);
            return std::abs(s.x.n - x.n) + std::abs(s.x.t - x.t) + std::abs(s.x.o - x.o) <=
                   1e-7 * scale;
        });
        if (!again) {
            add(x, k > 0 ? ContactState::sliding : ContactState::sticking);
        }
    }

    void add(const ContactVector<double>& x, ContactState state)
    {
        found.push_back({x, state, law::certify(problem, x),
                         law::finish_residual<Law::coulomb>(problem, x), law::on_edge(problem)});
    }
};

}  // namespace

std::string problems_with(const ContactProblem<double>& c)
{
    const struct {
        const char* name;
        double value;
    } entries[] = {{"Ann", c.A.nn}, {"Ant", c.A.nt},  {"Ano", c.A.no}, {"Att", c.A.tt},
                   {"Ato", c.A.to}, {"Aoo", c.A.oo},  {"bn", c.b.n},   {"bt", c.b.t},
                   {"bo", c.b.o},   {"beta", c.beta}, {"mu", c.mu}};
    const double limit = law::size_limit<double> / 16;
    std::string all;
    const auto add = [&](const std::string& what) { all += (all.empty() ? "" : "; ") + what; };
    bool numbers = true;
    for (const auto& [name, value] : entries) {
        const std::string found = std::string(name) + " = " + text(value);
        if (!std::isfinite(value)) {
            add(found + ": must be a finite number");
        } else if (std::abs(value) > limit) {
            add(found + ": must be between -" + text(limit) + " and " + text(limit));
        } else {
            continue;
        }
        numbers = false;
    }
    if (c.mu < 0) {
        add("mu = " + text(c.mu) + ": the friction coefficient must be at least 0");
    }
    if (c.A.nn > 0 && c.A.nn < 1 / limit) {
        add("Ann = " + text(c.A.nn) + ": must be at least " + text(1 / limit));
    }
    const law::Reduced<double> red = law::reduce(c.A);
    if (numbers && !(c.A.nn > 0 && red.H.tt > 0 && red.det > 0)) {
        add("A is not positive definite in double precision: its pivots must be positive, but "
            "are " +
            text(c.A.nn) + ", " + text(red.H.tt * c.A.nn) + ", " +
            text(red.det / red.H.tt * c.A.nn));
    }
    return all;
}

ContactSolution solve_contact(const ContactProblem<double>& problem, Law law)
{
    require_valid(problem);
    switch (law) {
    case Law::coulomb: return solution_of<Law::coulomb>(problem);
    case Law::frictionless: return solution_of<Law::frictionless>(problem);
    case Law::projected: return solution_of<Law::projected>(problem);
    default: return solution_of<Law::max_dissipation>(problem);
    }
}

ContactSolution solve_bouncing_contact(const ContactProblem<double>& problem, double e)
{
    if (!(e >= 0 && e <= 1)) {
        throw Error("restitution e = " + text(e) + ": must be between 0 and 1");
    }
    return solve_contact(law::with_restitution(problem, e));
}

CoulombSolutions coulomb_solutions(const ContactProblem<double>& problem)
{
    require_valid(problem);
    Collect collect{problem, {}};
    CoulombSolutions all;
    if (problem.beta < 0) {
        collect.add({0, 0, 0}, ContactState::separating);
    } else if (problem.mu == 0) {
        collect.add({problem.beta / problem.A.nn, 0, 0}, ContactState::sliding);
    } else {
        if (const auto end = law::coulomb_continuum(problem)) {
            collect.add(*end, ContactState::sticking);
            all.continuum = CoulombSolutions::Segment{{0, 0, 0}, *end};
        } else {
            law::each_coulomb_solution(problem, true, collect);
        }
        if (problem.beta == 0) {
            collect(ContactVector<double>{0, 0, 0}, 1.0, true);
        }
    }
    std::stable_sort(collect.found.begin(), collect.found.end(),
                     [](const ContactSolution& a, const ContactSolution& b) {
                         return a.certificate.energy > b.certificate.energy;
                     });
    all.points = std::move(collect.found);
    return all;
}

Certificate<double> certify(const ContactProblem<double>& problem, const ContactVector<double>& x)
{
    require_valid(problem);
    return law::certify(problem, x);
}

double eccentricity(const ContactProblem<double>& problem)
{
    require_valid(problem);
    return problem.mu * std::hypot(problem.A.nt, problem.A.no) / problem.A.nn;
}

std::string_view name_of(Conic conic)
{
    switch (conic) {
    case Conic::point: return "point";
    case Conic::ellipse: return "ellipse";
    case Conic::parabola: return "parabola";
    default: return "hyperbola";
    }
}

Conic conic_of(const ContactProblem<double>& problem)
{
    if (problem.mu == 0) {
        return Conic::point;
    }
    const double excess = eccentricity(problem) - 1;
    if (std::abs(excess) <= 16 * std::numeric_limits<double>::epsilon()) {
        return Conic::parabola;
    }
    return excess < 0 ? Conic::ellipse : Conic::hyperbola;
}

}  // namespace scree
