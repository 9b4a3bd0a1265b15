// Random contact problems of the twelve classes that break solvers.
#pragma once

#include "scree/two_bodies.hpp"

#include "support/random.hpp"

#include <array>

namespace scree::test {

enum class ProblemClass {
    physical_moderate,  ///< ellipsoid pairs, aspect ≤ 4, mass ratio ≤ 10
    physical_extreme,   ///< masses 1e-9…1e9 kg, ratio to 1e6, aspect to 1000
    spd_1e3,            ///< random A of condition ≤ 1e3
    spd_1e8,            ///< random A of condition ≤ 1e8
    sphere,             ///< exact spheres
    near_sphere,        ///< spheres perturbed by 1e-17…1e-2
    near_parabola,      ///< ||κ| − 1| from 1e-17 to 0.1
    hyperbola,          ///< |κ| > 1
    tiny_bn,            ///< b_n from 1e-16 to 0.1 of |b|
    tiny_bn_hyperbola,  ///< both
    near_stick,         ///< the sticking impulse almost on the cone
    tiny_mu             ///< μ from 1e-12 to 1e-2
};
constexpr std::array class_names{"physical moderate",  "physical extreme", "SPD cond 1e3",
                                 "SPD cond 1e8",       "sphere",           "near-sphere",
                                 "near-parabola",      "hyperbola",        "tiny b_n",
                                 "tiny b_n hyperbola", "near stick",       "tiny mu"};
constexpr int class_count = static_cast<int>(class_names.size());

inline bool physical(ProblemClass c)
{
    return c == ProblemClass::physical_moderate || c == ProblemClass::physical_extreme ||
           c == ProblemClass::sphere;
}

/// An ellipsoid with the contact point somewhere on its surface, at the origin.
inline BodyState random_ellipsoid(Random& random, double mass, double size, double aspect_decades)
{
    const double a = size * random.decades(0, aspect_decades);
    const double b = size * random.decades(0, aspect_decades);
    const double c = size;
    BodyState body;
    body.mass = mass;
    body.moments = {mass / 5 * (b * b + c * c), mass / 5 * (a * a + c * c),
                    mass / 5 * (a * a + b * b)};
    body.orientation = random.orientation();
    const Vec3<double> u = random.direction();
    body.position = rotate(body.orientation, {a * u.x, b * u.y, c * u.z});
    return body;
}

inline TwoBodies random_pair(Random& random, bool extreme)
{
    TwoBodies pair;
    const double mass = extreme ? random.decades(-9, 3) : random.decades(-3, 3);
    const double ratio = extreme ? random.decades(0, 6) : random.decades(0, 1);
    const double aspect = extreme ? 3 : 0.6;
    const double size = random.decades(-3, 0);
    pair.first = random_ellipsoid(random, mass, size, aspect);
    pair.second = random_ellipsoid(random, mass * ratio, size * random.uniform(0.5, 2), aspect);
    if (random.chance(0.1)) {
        pair.second = BodyState{};
    }
    const Vec3<double> n = random.direction();
    pair.frame = orthonormal_frame({0, 0, 0}, n);
    Vec3<double> approach = random.vector(-3, 1);
    if (dot(approach, n) > 0) {
        approach = -approach;
    }
    pair.first.velocity = approach;
    pair.mu = random.chance(0.1) ? 10 * random.uniform() : random.uniform(0, 1.5);
    return pair;
}

inline DelassusBlock<double> random_spd(Random& random, double condition_decades)
{
    const Quat<double> q = random.orientation();
    const Vec3<double> e[3] = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
    const double scale = random.decades(-3, 3);
    DelassusBlock<double> A{0, 0, 0, 0, 0, 0};
    for (const Vec3<double>& v : e) {
        const double value = scale * random.decades(0, condition_decades);
        A.nn += value * v.x * v.x;
        A.nt += value * v.x * v.y;
        A.no += value * v.x * v.z;
        A.tt += value * v.y * v.y;
        A.to += value * v.y * v.z;
        A.oo += value * v.z * v.z;
    }
    return A;
}

/// The pair's problem, or an invalid one if it cannot be represented.
inline ContactProblem<double> drawn(const TwoBodies& pair)
{
    try {
        return contact_problem(pair);
    } catch (const Error&) {
        return {{0, 0, 0, 0, 0, 0}, {0, 0, 0}, 0, 0};
    }
}

inline ContactProblem<double> random_problem(Random& random, ProblemClass which)
{
    using C = ProblemClass;
    if (which == C::physical_moderate || which == C::physical_extreme) {
        // A needle of aspect 1000 between masses of ratio 1e6 may be indefinite in double: draw
        // again.
        ContactProblem<double> c{};
        do {
            c = drawn(random_pair(random, which == C::physical_extreme));
        } while (!problems_with(c).empty());
        if (random.chance(0.2)) {
            c.beta *= random.uniform(0.5, 2);
        }
        return c;
    }
    ContactProblem<double> c;
    c.A = random_spd(random, which == C::spd_1e8 ? 8 : 3);
    const Vec3<double> b = random.vector(-3, 1);
    c.b = {b.x < 0 ? -b.x : b.x, b.y, b.z};
    c.mu = random.chance(0.1) ? 10 * random.uniform() : random.uniform(0.01, 1.5);
    if (which == C::sphere || which == C::near_sphere) {
        const double m = random.decades(-3, 3);
        c.A = {m, 0, 0, 3.5 * m, 0, 3.5 * m};
        if (which == C::near_sphere) {
            const double size = m * random.decades(-17, -2);
            for (double* entry : {&c.A.nn, &c.A.nt, &c.A.no, &c.A.tt, &c.A.to, &c.A.oo}) {
                *entry += size * random.uniform(-1, 1);
            }
        }
    }
    const double lean = std::sqrt(c.A.nt * c.A.nt + c.A.no * c.A.no);
    if (which == C::near_parabola) {
        c.mu = c.A.nn / lean * random.near_one(-17, -1);
    }
    if (which == C::hyperbola || which == C::tiny_bn_hyperbola) {
        c.mu = c.A.nn / lean * random.decades(0.0001, 1);
    }
    if (which == C::tiny_bn || which == C::tiny_bn_hyperbola) {
        c.b.n = norm(b) * random.decades(-16, -1);
    }
    if (which == C::tiny_mu) {
        c.mu = random.decades(-12, -2);
    }
    if (which == C::near_stick) {
        const double angle = random.uniform(-1, 1);
        const double t = random.sign() * ((1 - angle * angle) / (1 + angle * angle));
        const double o = 2 * angle / (1 + angle * angle);
        const double r = c.mu * random.near_one(-16, -1);
        c.b = {c.A.nn + r * (c.A.nt * t + c.A.no * o), c.A.nt + r * (c.A.tt * t + c.A.to * o),
               c.A.no + r * (c.A.to * t + c.A.oo * o)};
    }
    c.beta = c.b.n;
    if (which != C::near_stick && random.chance(0.2)) {
        c.beta *= random.uniform(0.5, 2);
    }
    return c;
}

}  // namespace scree::test
