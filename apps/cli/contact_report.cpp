// Solves a problem by every law of interest and writes down what was found.
#include "contact_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::cli {
namespace {

using Json = nlohmann::ordered_json;
using scree::name_of;

Json json_of(const ContactVector<double>& x) { return Json::array({x.n, x.t, x.o}); }

std::string_view slip_name(Reaction::Slip slip)
{
    switch (slip) {
    case Reaction::Slip::separating: return "separating";
    case Reaction::Slip::sticking: return "sticking";
    default: return "sliding";
    }
}

std::string_view state_of(const scene::ContactCase& given, ContactState state)
{
    return given.open ? "open" : name_of(state);
}

bool zero(const Vec3<double>& a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/// Whether the file says what acts on the bodies besides the contact.
bool forces_known(const TwoBodies& bodies)
{
    return !zero(bodies.gravity) || !zero(bodies.first.force) || !zero(bodies.second.force) ||
           !zero(bodies.first.torque) || !zero(bodies.second.torque);
}

/// What happens right after the impulse, if forces are known: whether a finite reaction exists.
std::optional<Reaction> reaction_after(const scene::ContactCase& given,
                                       const ContactVector<double>& x)
{
    if (!given.bodies || given.open || !forces_known(*given.bodies)) {
        return std::nullopt;
    }
    return non_impulsive_reaction(after_impulse(*given.bodies, x));
}

Json json_of(const scene::ContactCase& given, const ContactSolution& s)
{
    const Certificate<double>& z = s.certificate;
    Json json{{"x", json_of(s.x)},
              {"velocity", json_of(z.velocity)},
              {"energy", z.energy},
              {"state", state_of(given, s.state)},
              {"degenerate", s.degenerate},
              {"residual", s.residual},
              {"certificate",
               {{"cone", z.cone},
                {"plane", z.plane},
                {"stationarity", z.stationarity},
                {"multiplier", z.multiplier},
                {"energy_gap", z.gap},
                {"slip_opposition", z.slip_error}}}};
    if (const auto reaction = reaction_after(given, s.x)) {
        json["post_impulse"] = {{"state", slip_name(reaction->slip)},
                                {"reaction_exists", reaction->exists}};
        if (reaction->exists) {
            json["post_impulse"]["reaction"] = json_of(reaction->force);
        }
    }
    return json;
}

/// A number in twelve columns, a blank first, with seven digits; exact zeros as "0".
std::string cell(double value)
{
    const double size = std::abs(value);
    if (value == 0) {
        return fmt::format("{:>12}", "0");
    }
    if (size >= 1e-3 && size < 1e4) {
        const int decimals = size < 10 ? 6 : (size < 100 ? 5 : (size < 1000 ? 4 : 3));
        return fmt::format("{:>12.{}f}", value, decimals);
    }
    return fmt::format("{:>12.3e}", value);
}

/// Three cells; what is only rounding error beside `scale` is shown as zero.
std::string cells(const ContactVector<double>& x, double scale = 0)
{
    const auto shown = [&](double value) {
        return cell(std::abs(value) <= 1e-14 * scale ? 0 : value);
    };
    return shown(x.n) + shown(x.t) + shown(x.o);
}

std::string reaction_text(const scene::ContactCase& given, const ContactVector<double>& x)
{
    const auto reaction = reaction_after(given, x);
    if (!reaction) {
        return "";
    }
    if (!reaction->exists) {
        return fmt::format("  then {}: no finite reaction λ_n ≥ 0", slip_name(reaction->slip));
    }
    return fmt::format("  then {}: λ_n = {:.6g} N", slip_name(reaction->slip), reaction->force.n);
}

std::string row(const std::string& label, const scene::ContactCase& given, const ContactSolution& s)
{
    const ContactVector<double>& b = given.problem.b;
    const double speed = std::abs(b.n) + std::abs(b.t) + std::abs(b.o);
    const double energy = s.certificate.energy;
    const bool plain = energy == 0 || (std::abs(energy) >= 1e-3 && std::abs(energy) < 1e3);
    const std::string joule = plain ? fmt::format("{:.8f}", energy) : fmt::format("{:.5e}", energy);
    return fmt::format("  {:<18}{} {}  {:>12}  {:<10}{}\n", label, cells(s.x),
                       cells(s.certificate.velocity, speed), joule, state_of(given, s.state),
                       reaction_text(given, s.x));
}

ContactSolution open_solution(const ContactProblem<double>& problem)
{
    ContactSolution s{};
    s.state = ContactState::separating;
    s.certificate.velocity = {-problem.b.n, -problem.b.t, -problem.b.o};
    return s;
}

}  // namespace

ContactResult solve_case(const scene::ContactCase& given, std::optional<Law> other)
{
    ContactResult result;
    result.given = given;
    if (given.open) {
        result.best = open_solution(given.problem);
        result.coulomb.points = {result.best};
        return result;
    }
    result.best = solve_contact(given.problem);
    result.coulomb = coulomb_solutions(given.problem);
    // Maximum dissipation and Coulomb are shown anyway.
    if (other && *other != Law::max_dissipation && *other != Law::coulomb) {
        result.other = solve_contact(given.problem, *other);
        result.other_law = *other;
    }
    return result;
}

double worst_residual(const ContactResult& result)
{
    double worst = 0;
    const auto consider = [&](const ContactSolution& s) {
        // A residual that cannot be computed is the worst of all.
        worst = std::max(worst, std::isnan(s.residual) ? std::numeric_limits<double>::infinity()
                                                       : s.residual);
    };
    consider(result.best);
    std::for_each(result.coulomb.points.begin(), result.coulomb.points.end(), consider);
    if (result.other) {
        consider(*result.other);
    }
    return worst;
}

std::string text_report(const ContactResult& result)
{
    const scene::ContactCase& given = result.given;
    const ContactProblem<double>& c = given.problem;
    std::string text = given.name + "\n";
    const ContactVector<double> rows[3] = {
        {c.A.nn, c.A.nt, c.A.no}, {c.A.nt, c.A.tt, c.A.to}, {c.A.no, c.A.to, c.A.oo}};
    const double b[3] = {c.b.n, c.b.t, c.b.o};
    for (std::size_t i = 0; i < 3; ++i) {
        text += fmt::format("  {:<9}{}   {:<9}{}\n", i == 0 ? "A [1/kg]" : "", cells(rows[i]),
                            i == 0 ? "b [m/s]" : "", cell(b[i]));
    }
    text += fmt::format("  μ = {:.9g}{}, conic: {}, |κ| = {:.9g}\n", c.mu,
                        c.beta == c.b.n ? "" : fmt::format(", β = {:.9g} m/s", c.beta),
                        name_of(conic_of(c)), eccentricity(c));
    if (given.critical_friction) {
        const Reaction before = non_impulsive_reaction(*given.bodies);
        text += fmt::format("  μ* = {:.9g}: a non-impulsive solution {}\n",
                            *given.critical_friction, before.exists ? "exists" : "does not exist");
    }
    text +=
        fmt::format("\n  {:<18}{:>12}{:>12}{:>12} {:>12}{:>12}{:>12}  {:>12}  {}\n", "",
                    "x_n [N s]", "x_t", "x_o", "v_n [m/s]", "v_t", "v_o", "energy [J]", "state");
    for (std::size_t i = 0; i < result.coulomb.points.size(); ++i) {
        text +=
            row(result.coulomb.points.size() == 1 ? "Coulomb" : fmt::format("Coulomb {}", i + 1),
                given, result.coulomb.points[i]);
    }
    if (result.coulomb.continuum) {
        text += "  … and every impulse between Coulomb 1 and the last\n";
    }
    if (result.other) {
        text += row(std::string(name_of(result.other_law)), given, *result.other);
    }
    text += row("max. dissipation", given, result.best);
    const Certificate<double>& z = result.best.certificate;
    text += fmt::format("\n  certificate: cone {:.1e}, plane {:.1e}, stationarity {:.1e}, ν = "
                        "{:.6g} m/s, energy gap ≤ {:.1e} J\n",
                        z.cone, z.plane, z.stationarity, z.multiplier, z.gap);
    double slip_error = 0;
    for (const ContactSolution& s : result.coulomb.points) {
        slip_error = std::max(slip_error, s.certificate.slip_error);
    }
    text += fmt::format("               Coulomb slip opposition {:.1e}\n", slip_error);
    if (result.best.degenerate) {
        text += "  degenerate: β = 0 and |κ| = 1 to the last digits, so a last digit of the "
                "input decides between two impulses\n";
    }
    return text;
}

Json json_report(const std::vector<ContactResult>& results)
{
    Json problems = Json::array();
    for (const ContactResult& result : results) {
        const scene::ContactCase& given = result.given;
        const auto& A = given.problem.A;
        Json problem{
            {"name", given.name},
            {"A", Json::array({Json::array({A.nn, A.nt, A.no}), Json::array({A.nt, A.tt, A.to}),
                               Json::array({A.no, A.to, A.oo})})},
            {"b", json_of(given.problem.b)},
            {"beta", given.problem.beta},
            {"mu", given.problem.mu},
            {"conic", name_of(conic_of(given.problem))},
            {"eccentricity", eccentricity(given.problem)},
            {"max_dissipation", json_of(given, result.best)}};
        problem["coulomb"] = Json::array();
        for (const ContactSolution& s : result.coulomb.points) {
            problem["coulomb"].push_back(json_of(given, s));
        }
        if (result.coulomb.continuum) {
            problem["coulomb_continuum"] = {{"from", json_of(result.coulomb.continuum->from)},
                                            {"to", json_of(result.coulomb.continuum->to)}};
        }
        if (result.other) {
            problem["other_law"] = json_of(given, *result.other);
            problem["other_law"]["law"] = name_of(result.other_law);
        }
        if (given.critical_friction) {
            problem["mu_critical"] = *given.critical_friction;
            problem["non_impulsive_solution_exists"] = non_impulsive_reaction(*given.bodies).exists;
        }
        problems.push_back(std::move(problem));
    }
    return Json{{"problems", std::move(problems)}};
}

}  // namespace scree::cli
