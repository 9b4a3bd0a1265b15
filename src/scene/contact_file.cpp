// Reads problems given by matrix, by two bodies or as a sweep of rods. A table with complaints
// makes no problem, so that one mistake is not reported twice.
#include "scree/scene/contact_file.hpp"

#include "math/vec.hpp"
#include "scene/toml_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace scree::scene {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Range unit_interval{.least = 0, .most = 1};
/// Of one file; a sweep is multiplied out.
constexpr std::size_t most_problems = 10000;

Quat<double> read_orientation(TableReader& body)
{
    const Quat<double> upright{1, 0, 0, 0};
    if (!body.has("orientation")) {
        return upright;
    }
    if (auto turn = body.table("orientation")) {
        const Vec3<double> axis = turn->required_vector("axis", "1");
        const double half = turn->required_number("angle", "rad", any_number) / 2;
        turn->done();
        if (is_zero(axis)) {
            turn->complain("axis", "must not be zero");
            return upright;
        }
        const Vec3<double> v = std::sin(half) * direction_of(axis);
        return {std::cos(half), v.x, v.y, v.z};
    }
    return upright;
}

BodyState read_body(TableReader body)
{
    BodyState state;
    state.mass = body.required_number("mass", "kg", positive_or_infinite);
    if (auto moments = body.vector("inertia", "kg m2", positive_or_infinite)) {
        state.moments = *moments;
    } else if (std::isfinite(state.mass)) {
        body.complain("key \"inertia\" is missing; expected three principal moments in kg m2, each "
                      "positive or inf");
    }
    state.orientation = read_orientation(body);
    const Vec3<double> zero{0, 0, 0};
    state.position = body.vector_or("position", "m", zero);
    state.velocity = body.vector_or("velocity", "m/s", zero);
    state.angular_velocity = body.vector_or("angular_velocity", "rad/s", zero);
    state.impulse = body.vector_or("impulse", "N s", zero);
    state.angular_impulse = body.vector_or("angular_impulse", "N m s", zero);
    state.force = body.vector_or("force", "N", zero);
    state.torque = body.vector_or("torque", "N m", zero);
    body.done();
    return state;
}

ContactFrame read_frame(TableReader contact)
{
    const std::size_t complaints = contact.complaints();
    const Vec3<double> point = contact.required_vector("point", "m");
    const Vec3<double> normal = contact.required_vector("normal", "1");
    const auto tangent = contact.vector("tangent", "1");
    const auto orthogonal = contact.vector("orthogonal", "1");
    const auto kind = contact.text("frame").value_or("orthonormal");
    const double gap = contact.number_or("gap", "m", any_number, 0);
    contact.done();
    ContactFrame frame;
    if (contact.complaints() != complaints) {
        return frame;
    }
    if (kind == "as given") {
        if (!tangent || !orthogonal) {
            contact.complain("frame", "\"as given\" needs both \"tangent\" and \"orthogonal\"");
        }
        frame = {point, normal, tangent.value_or(frame.t), orthogonal.value_or(frame.o), gap};
    } else if (kind == "orthonormal") {
        try {
            frame = orthonormal_frame(point, normal, tangent);
        } catch (const Error& error) {
            contact.complain(error.what());
        }
        if (orthogonal) {
            const double side = !is_zero(*orthogonal) ? dot(direction_of(*orthogonal), frame.o) : 0;
            if (std::abs(side) < 1e-6) {
                contact.complain("orthogonal",
                                 "must point to one side of the plane of normal and tangent");
            }
            frame.o = side < 0 ? -frame.o : frame.o;  // left-handed if asked for
        }
        frame.gap = gap;
    } else {
        contact.complain(
            "frame",
            fmt::format("\"{}\" is not known; must be \"orthonormal\" or \"as given\"", kind));
    }
    return frame;
}

/// A contact case from bodies, or a complaint.
void add_bodies(TableReader& where, const std::string& name, const TwoBodies& bodies,
                std::optional<double> critical_friction, std::vector<ContactCase>& cases)
{
    try {
        cases.push_back(
            {name, contact_problem(bodies), bodies, critical_friction, bodies.frame.gap > 0});
    } catch (const Error& error) {
        where.complain(error.what());
    }
}

/// The matrix, or nothing and a complaint.
std::optional<DelassusBlock<double>> read_matrix(TableReader& problem)
{
    if (!problem.has("matrix")) {
        problem.complain("key \"matrix\" is missing; expected three rows of three values in 1/kg");
        return std::nullopt;
    }
    const std::size_t complaints = problem.complaints();
    double A[3][3] = {};
    const toml::array* rows = problem.array("matrix", 3);
    for (std::size_t i = 0; rows != nullptr && i < 3; ++i) {
        const toml::array* row = (*rows)[i].as_array();
        if (row == nullptr || row->size() != 3) {
            problem.complain("matrix", "expected three rows of three values");
            return std::nullopt;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            A[i][k] = problem.element("matrix", (*row)[k], "kg-1", any_number).value_or(0);
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = i + 1; k < 3; ++k) {
            if (std::abs(A[i][k] - A[k][i]) > 1e-12 * (std::abs(A[i][k]) + std::abs(A[k][i]))) {
                problem.complain(
                    "matrix",
                    fmt::format(
                        "must be symmetric, but entries ({0}, {1}) and ({1}, {0}) are {2} and {3}",
                        i + 1, k + 1, A[i][k], A[k][i]));
            }
        }
    }
    if (problem.complaints() != complaints) {
        return std::nullopt;
    }
    return DelassusBlock<double>{A[0][0], A[0][1], A[0][2], A[1][1], A[1][2], A[2][2]};
}

void read_matrix_problem(TableReader& problem, const std::string& name, double mu,
                         std::vector<ContactCase>& cases)
{
    const std::size_t complaints = problem.complaints();
    const auto A = read_matrix(problem);
    const Vec3<double> b = problem.required_vector("vector", "m/s");
    const auto beta = problem.number("beta", "m/s", any_number);
    const auto restitution = problem.number("restitution", "1", unit_interval);
    if (beta && restitution) {
        problem.complain("beta", "goes without \"restitution\", which would set it to (1 + e) b_n");
    }
    for (const char* key : {"body1", "body2", "contact", "gravity"}) {
        if (problem.has(key)) {
            problem.complain(key, "goes with bodies, but this problem is given by a matrix");
        }
    }
    if (!A || problem.complaints() != complaints) {
        return;
    }
    const ContactProblem<double> c{
        *A, {b.x, b.y, b.z}, beta.value_or((1 + restitution.value_or(0)) * b.x), mu};
    const std::string what = problems_with(c);
    if (!what.empty()) {
        problem.complain(what);
        return;
    }
    cases.push_back({name, c, std::nullopt, std::nullopt, false});
}

void read_bodies_problem(TableReader& problem, const std::string& name, double mu,
                         std::vector<ContactCase>& cases)
{
    const std::size_t complaints = problem.complaints();
    TwoBodies bodies;
    if (auto first = problem.table("body1")) {
        bodies.first = read_body(*first);
    }
    if (auto second = problem.table("body2")) {
        bodies.second = read_body(*second);
    }
    if (auto contact = problem.table("contact")) {
        bodies.frame = read_frame(*contact);
    } else if (!problem.has("contact")) {
        problem.complain("table \"contact\" is missing: point and normal of the contact");
    }
    bodies.gravity = problem.vector_or("gravity", "m/s2", {0, 0, 0});
    bodies.mu = mu;
    bodies.restitution = problem.number_or("restitution", "1", unit_interval, 0);
    if (problem.has("beta")) {
        problem.complain("beta", "goes with a matrix; bodies have \"restitution\"");
    }
    if (problem.complaints() == complaints) {
        add_bodies(problem, name, bodies, std::nullopt, cases);
    }
}

void read_problem(TableReader problem, std::size_t index, std::vector<ContactCase>& cases)
{
    const std::string name = problem.text("name").value_or(fmt::format("problem {}", index + 1));
    (void)problem.text("note");
    const double mu = problem.required_number("mu", "1", non_negative);
    if (problem.has("matrix") || problem.has("vector")) {
        read_matrix_problem(problem, name, mu, cases);
    } else if (problem.has("body1")) {
        read_bodies_problem(problem, name, mu, cases);
    } else {
        problem.complain(
            "expected either \"matrix\" and \"vector\", or tables \"body1\" and \"contact\"");
    }
    for (const char* key :
         {"matrix", "vector", "beta", "restitution", "body1", "body2", "contact", "gravity"}) {
        (void)problem.has(key);  // known here whichever form was used
    }
    problem.done();
}

/// A slender rod grazing along a plane, for every angle and friction coefficient of the lists.
void read_rod(TableReader rod, std::vector<ContactCase>& cases)
{
    const std::size_t complaints = rod.complaints();
    const std::string name = rod.text("name").value_or("rod");
    (void)rod.text("note");
    const double mass = rod.required_number("mass", "kg", positive);
    const double length = rod.required_number("length", "m", positive);
    const double speed = rod.required_number("speed", "m/s", positive);
    const double gravity = rod.number_or("gravity", "m/s2", positive, 9.80665);
    constexpr double quarter_turn = std::numbers::pi / 2;
    const auto angles =
        rod.numbers("angle", "rad", Range{.least = 0, .most = quarter_turn, .open_at_least = true});
    const auto mus = rod.numbers("mu", "1", non_negative);
    const auto ratios = rod.numbers("mu_over_critical", "1", non_negative);
    rod.done();
    if (angles.empty() || (mus.empty() && ratios.empty())) {
        rod.complain("expected \"angle\" and at least one of \"mu\" and \"mu_over_critical\", each "
                     "a value or a list");
    }
    if (angles.size() * (mus.size() + ratios.size()) > most_problems) {
        rod.complain(fmt::format(
            "a sweep of {} angles and {} friction coefficients is more than {} problems",
            angles.size(), mus.size() + ratios.size(), most_problems));
    }
    if (rod.complaints() != complaints) {
        return;
    }
    for (const double angle : angles) {
        const double s = std::sin(angle);
        const double c = std::cos(angle);
        const double critical = (c + 1 / (3 * c)) / s;
        std::vector<double> frictions = mus;
        for (const double ratio : ratios) {
            frictions.push_back(ratio * critical);
        }
        for (const double mu : frictions) {
            TwoBodies bodies;
            const double moment = mass * length * length / 12;
            bodies.first.mass = mass;
            bodies.first.moments = {infinity, moment, moment};
            bodies.first.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
            bodies.first.position = {length / 2 * c, length / 2 * s, 0};
            bodies.first.velocity = {-speed, 0, 0};
            bodies.frame = {.point = {0, 0, 0}, .n = {0, 1, 0}, .t = {1, 0, 0}, .o = {0, 0, 1}};
            bodies.gravity = {0, -gravity, 0};
            bodies.mu = mu;
            const std::string full = fmt::format("{}, θ = {:.4g}°, μ = {:.6g} = {:.13g} μ*", name,
                                                 angle * 180 / std::numbers::pi, mu, mu / critical);
            add_bodies(rod, full, bodies, critical, cases);
        }
    }
}

}  // namespace

std::vector<ContactCase> read_contact_file(const std::string& file)
{
    const toml::table root = parse_toml(file);
    Diagnostics diagnostics(file);
    TableReader reader(root, "", diagnostics);
    std::vector<ContactCase> cases;
    const auto problems = reader.tables("problem");
    for (std::size_t i = 0; i < problems.size(); ++i) {
        read_problem(problems[i], i, cases);
    }
    const auto rods = reader.tables("rod");
    for (const TableReader& rod : rods) {
        read_rod(rod, cases);
    }
    if (problems.empty() && rods.empty()) {
        reader.complain("no [[problem]] and no [[rod]] in this file");
    }
    reader.done();
    diagnostics.throw_if_any();
    return cases;
}

}  // namespace scree::scene
