// Masonry of polyhedra: walls, arches and domes of dry stones, and rows of dominoes, in worlds of
// their own.
#pragma once

#include "support/worlds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace scree::test {

/// A world of stones that remembers where they were laid.
class Masonry {
public:
    Masonry(double friction, int sweeps, double time_step = 5e-3)
        : world(settings_of(sweeps, time_step))
    {
        world.set_surface(0, 0, {friction, 0});
        world.add(obstacle(Shape::half_space()));
    }
    void lay(const Shape& stone, const Vec& position, const Quat<double>& q = {1, 0, 0, 0})
    {
        Body b;
        b.shape = stone;
        b.position = position;
        b.orientation = q;
        b.density = 2000;
        ids.push_back(world.add(b));
        laid_.push_back(centre_of(world.body(ids.back())));
    }
    /// How far the centre of any stone is from where it was laid.
    [[nodiscard]] double way() const
    {
        double most = 0;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            most = std::max(most, norm(centre_of(world.body(ids[i])) - laid_[i]));
        }
        return most;
    }
    /// The same after a time, of which `record` keeps the extremes.
    double way_after(double seconds)
    {
        const auto steps = std::lround(seconds / world.settings().time_step);
        for (long i = 0; i < steps; ++i) {
            const StepReport& r = world.step();
            record.bad += r.good() ? 0 : 1;
            record.sweeps += r.sweeps;
            record.residual = std::max(record.residual, r.residual);
            record.penetration = std::max(record.penetration, r.max_penetration);
            record.imbalance = std::max(record.imbalance, std::abs(r.energy.residual()));
        }
        record.steps += steps;
        return way();
    }

    World world;
    std::vector<BodyId> ids;
    struct Record {
        long steps = 0, bad = 0;  ///< all, and those with a condition
        long sweeps = 0;
        double residual = 0, penetration = 0, imbalance = 0;  ///< largest; –, m, J
    } record;

private:
    static Settings settings_of(int sweeps, double time_step)
    {
        Settings s;
        s.time_step = time_step;
        s.threads = 1;
        s.sweeps = sweeps;
        s.tolerance = 1e-5;
        s.slack = 1e-5;
        return s;
    }
    std::vector<Vec> laid_;
};

inline Shape brick(double x, double y, double z)
{
    std::vector<Vec> corners;
    for (int k = 0; k < 8; ++k) {
        corners.push_back({(k & 1) * x, (k >> 1 & 1) * y, (k >> 2 & 1) * z});
    }
    return Shape::polyhedron(corners);
}

/// A wall in running bond, with open joints: every brick rests on two halves.
inline Masonry wall(int courses, int length, int sweeps, double time_step = 5e-3)
{
    Masonry m(0.5, sweeps, time_step);
    const Shape whole = brick(0.249, 0.12, 0.065), half = brick(0.124, 0.12, 0.065);
    for (int course = 0; course < courses; ++course) {
        const int odd = course % 2;
        for (int i = 0; i < length + odd; ++i) {
            const bool cut = odd == 1 && (i == 0 || i == length);
            const double x = 0.25 * i - (odd == 1 && i > 0 ? 0.125 : 0);
            m.lay(cut ? half : whole, {x, 0, 0.065 * course});
        }
    }
    return m;
}

/// A half circle of wedges on the floor, all of them one shape turned about the circle's centre.
inline Masonry arch(double thickness, double friction, int sweeps)
{
    constexpr int stones = 9;
    constexpr double angle = std::numbers::pi / stones, inner = 1;
    std::vector<Vec> corners;
    for (const double y : {-0.2, 0.2}) {
        for (const double r : {inner, inner + thickness}) {
            for (const double a : {0.0, angle}) {
                corners.push_back({r * std::cos(a), y, r * std::sin(a)});
            }
        }
    }
    const Shape stone = Shape::polyhedron(corners);
    Masonry m(friction, sweeps);
    for (int i = 0; i < stones; ++i) {
        m.lay(stone, {0, 0, 0}, about({0, -1, 0}, i * angle));
    }
    return m;
}

/// Half a sphere of inner radius 1 in rings of stones up to an eye at the top. The faces of a stone
/// are in planes through the centre, so that neighbours fit, and its inner and outer ones are flat.
inline Masonry dome(int rings, int stones, double thickness, double friction, int sweeps)
{
    Masonry m(friction, sweeps);
    const double wide = 2 * std::numbers::pi / stones, high = 1.3 / rings;
    for (int ring = 0; ring < rings; ++ring) {
        std::vector<Vec> corners;
        for (const double r : {1.0, 1 + thickness}) {
            for (const double up : {ring * high, (ring + 1) * high}) {
                for (const double a : {-wide / 2, wide / 2}) {
                    corners.push_back({r * std::cos(up) * std::cos(a),
                                       r * std::cos(up) * std::sin(a), r * std::sin(up)});
                }
            }
        }
        const Shape stone = Shape::polyhedron(corners);
        for (int i = 0; i < stones; ++i) {
            m.lay(stone, {0, 0, 0}, about({0, 0, 1}, i * wide));
        }
    }
    return m;
}

/// A row of dominoes, the first of which leans on the second; returns when each is down, or −1.
inline std::vector<double> dominoes(int count, double seconds)
{
    constexpr double height = 0.05, thick = 0.008, apart = 0.02;
    Masonry m(0.4, 60, 5e-4);
    for (int i = 0; i < count; ++i) {
        const bool first = i == 0;
        // It stands on its lower edge and leans by 17°.
        m.lay(brick(thick, 0.025, height), {apart * i + (first ? thick : 0), 0, 0},
              first ? about({0, 1, 0}, 0.3) : Quat<double>{1, 0, 0, 0});
        if (first) {
            const Body b = m.world.body(m.ids[0]);
            const Vec edge = b.position + rotate(b.orientation, Vec{thick, 0, 0});
            m.world.set_pose(m.ids[0], b.position - Vec{0, 0, edge.z}, b.orientation);
        }
    }
    std::vector<double> down(static_cast<std::size_t>(count), -1);
    while (m.world.time() < seconds) {
        m.world.step();
        for (std::size_t i = 0; i < down.size(); ++i) {
            const Vec up = rotate(m.world.body(m.ids[i]).orientation, Vec{0, 0, 1});
            if (down[i] < 0 && up.z < 0.7) {
                down[i] = m.world.time();
            }
        }
    }
    return down;
}

}  // namespace scree::test
