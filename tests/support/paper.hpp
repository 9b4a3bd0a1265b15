// The paper's own problems with their solutions as numbers.
#pragma once

#include "scree/contact.hpp"
#include "scree/two_bodies.hpp"

#include "math/vec.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {

/// Equal to ten digits, relative to the largest component.
inline void expect_digits(const ContactVector<double>& x, const ContactVector<double>& expected)
{
    const double scale = std::abs(expected.n) + std::abs(expected.t) + std::abs(expected.o);
    EXPECT_NEAR(x.n, expected.n, 1e-11 * scale);
    EXPECT_NEAR(x.t, expected.t, 1e-11 * scale);
    EXPECT_NEAR(x.o, expected.o, 1e-11 * scale);
}

struct KnownSolution {
    ContactVector<double> x;
    double energy;
};

struct Academic {
    ContactProblem<double> problem;
    KnownSolution coulomb[3];
    KnownSolution best;
};

/// Six point masses on the axes, the one at +x touching an inclined plane.
inline TwoBodies academic_bodies(bool orthonormal)
{
    const double dx = 10, mx = 0.03, my = 65, mz = 50;
    TwoBodies pair;
    pair.first.mass = 2 * (mx + my + mz);
    pair.first.moments = {2 * (my + mz), 2 * (mx * dx * dx + mz), 2 * (mx * dx * dx + my)};
    pair.first.velocity = {-0.06, -0.7, -0.23};
    const Vec3<double> n = normalised(Vec3<double>{0.25, 0.36, -0.9});
    const Vec3<double> t = cross(n, Vec3<double>{1, 0, 0});
    pair.frame = {.point = {dx, 0, 0}, .n = n, .t = t, .o = cross(n, t)};
    if (orthonormal) {
        pair.frame = orthonormal_frame({dx, 0, 0}, n, t);
    }
    pair.mu = 3.7;
    return pair;
}

inline Academic academic_orthonormal()
{
    return {contact_problem(academic_bodies(true)),
            {{{0.124494754155, -0.455091160197, -0.0712220239679}, -0.264343330326},
             {{0.260714477106, -0.835212831859, -0.482655916318}, -0.38355164618},
             {{2.67798214191, -0.967186634514, -9.86121668753}, -0.745299621334}},
            {{2.7782868279563, -1.0509030739571, -10.225802580736}, -0.74831715535035}};
}

/// With t = n × e_x left at its length 0.968, as in the printed table (erratum E1).
inline Academic academic_as_printed()
{
    return {contact_problem(academic_bodies(false)),
            {{{0.119945381215, -0.439016255809, -0.0649716283804}, -0.251702859349},
             {{0.291972786535, -0.887089126755, -0.616538304383}, -0.392567805819},
             {{1.55812457394, -0.992911088998, -5.67891319022}, -0.630960006139}},
            {{1.6030977636851, -1.0818613451421, -5.8319648689408}, -0.63400741667396}};
}

/// A slender rod grazing along a plane at angle θ, moving along −x at v₀.
inline TwoBodies paradox_rod(double theta, double mu, double mass = 1, double length = 1,
                             double v0 = 1)
{
    const double infinity = HUGE_VAL;
    TwoBodies pair;
    pair.first.mass = mass;
    pair.first.moments = {infinity, mass * length * length / 12, mass * length * length / 12};
    pair.first.orientation = {std::cos(theta / 2), 0, 0, std::sin(theta / 2)};
    pair.first.position = {length / 2 * std::cos(theta), length / 2 * std::sin(theta), 0};
    pair.first.velocity = {-v0, 0, 0};
    pair.frame = {.point = {0, 0, 0}, .n = {0, 1, 0}, .t = {1, 0, 0}, .o = {0, 0, 1}};
    pair.mu = mu;
    pair.gravity = {0, -9.81, 0};
    return pair;
}

inline double critical_friction(double theta)
{
    return (std::cos(theta) + 1 / (3 * std::cos(theta))) / std::sin(theta);
}

}  // namespace scree::test
