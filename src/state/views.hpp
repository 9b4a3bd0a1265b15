// What verbs on one body or pair read and write: plain pointers to the columns, wherever these lie,
// in a vector of the host or on a device.
#pragma once

#include "state/model.hpp"
#include "state/pairs.hpp"

namespace scree::state {

struct ModelView {
    Settings settings;
    const Prototype* prototypes;
    const ContactMaterial* surfaces;
    std::size_t materials;
    shapes::Periodic box;

    [[nodiscard]] SCREE_HD const ContactMaterial& surface(MaterialId a, MaterialId b) const
    {
        return surfaces[a * materials + b];
    }
};

struct BodyView {
    const BodyId* id;
    shapes::Ball* ball;
    Quat<double>* orientation;
    VelocityLine *velocity, *velocity_before;
    Displacement* drift;
    const std::uint32_t* prototype;
    std::uint8_t* flags;
    float* reach;
    InertiaLine* inertia;  ///< null while all bodies are round
    Force* force;          ///< null while no force is set
    Vec3<double> drift_velocity;
    std::size_t dynamic_count, bounded_count, count;

    /// Where the shape's own frame is.
    [[nodiscard]] SCREE_HD shapes::Pose pose(std::size_t i, const Prototype& kind) const
    {
        const Vec3<double> x{ball[i].x, ball[i].y, ball[i].z};
        return {x + rotate(orientation[i], kind.offset), orientation[i]};
    }
};

/// A removed body leaves its place, id, kind, radius and allowance, and is near nothing.
SCREE_HD void make_gap(const BodyView& b, std::size_t i)
{
    const double nowhere = std::numeric_limits<double>::quiet_NaN();
    b.flags[i] = flag_round;  // asks for no tensor
    b.ball[i] = {nowhere, nowhere, nowhere, b.ball[i].r};
    b.orientation[i] = {1, 0, 0, 0};
    b.velocity[i] = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    b.drift[i] = {0, 0, 0, b.drift[i].allowance};
    if (b.force != nullptr) {
        b.force[i] = {};
    }
}

struct PairView {
    const BodyPair* pair;
    std::size_t count;
};

inline ModelView view(const Model& m)
{
    return {m.settings, m.prototypes.data(), m.surfaces.data(), m.materials, m.box};
}
inline BodyView view(Bodies& b)
{
    const auto or_null = [](auto& column) { return column.empty() ? nullptr : column.data(); };
    return {b.id.data(),
            b.ball.data(),
            b.orientation.data(),
            b.velocity.data(),
            b.velocity_before.data(),
            b.drift.data(),
            b.prototype.data(),
            b.flags.data(),
            b.reach.data(),
            or_null(b.inertia),
            or_null(b.force),
            b.drift_velocity,
            b.dynamic_count,
            b.bounded_count,
            b.count()};
}
inline PairView view(const PairList& list) { return {list.pair.data(), list.pair.size()}; }

}  // namespace scree::state
