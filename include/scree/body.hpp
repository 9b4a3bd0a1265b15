// What a user says about a body or a wall.
#pragma once

#include "scree/shape.hpp"

#include <cstdint>
#include <optional>

namespace scree {

/// Names a body for as long as the world exists; no number is used twice.
using BodyId = std::uint64_t;
/// Names a material of a world, from 0 on.
using MaterialId = std::uint16_t;

/// What moves a body.
enum class Motion : std::uint8_t {
    dynamic,    ///< moved by forces and contacts
    prescribed  ///< of infinite mass; moves with its velocity, 0 being fixed
};

/// A body as it is added to a world. Everything has a default but the shape, which should be set.
struct Body {
    Shape shape;                           ///< in its own frame
    Vec3<double> position{0, 0, 0};        ///< of the shape's origin [m]
    Quat<double> orientation{1, 0, 0, 0};  ///< of length 1 within 1e-6
    Vec3<double> velocity{0, 0,
                          0};  ///< of the centre of mass, or of a prescribed body's origin [m/s]
    Vec3<double> angular_velocity{0, 0, 0};  ///< world frame [rad/s]
    Motion motion = Motion::dynamic;         ///< walls are always prescribed
    MaterialId material = 0;                 ///< 0 … materials − 1
    /// Prescribed bodies of one group, 0 being none, are one obstacle: where members meet or
    /// overlap, their hidden faces and edges touch nothing.
    std::uint32_t group = 0;
    double density = 1000;  ///< [kg/m³]
    /// Overrides what shape and density give. Mass and moments may be infinite.
    std::optional<MassProperties> mass;
    /// Chosen by the user, or the next free number.
    std::optional<BodyId> id;
};

/// A fixed or moving wall or obstacle.
inline Body obstacle(const Shape& shape, const Vec3<double>& position = {0, 0, 0},
                     const Quat<double>& orientation = {1, 0, 0, 0})
{
    Body body;
    body.shape = shape;
    body.position = position;
    body.orientation = orientation;
    body.motion = Motion::prescribed;
    return body;
}

/// The orientation that turns the shape's z axis (a half-space's outward normal) to a direction.
Quat<double> orientation_of_z(const Vec3<double>& direction);
/// The orientation that turns the shape's x axis (that of capsules and cylinders) to a direction.
Quat<double> orientation_of_x(const Vec3<double>& direction);

/// Friction and restitution of two materials in contact.
struct ContactMaterial {
    double friction = 0.5;   ///< μ ≥ 0
    double restitution = 0;  ///< e, 0 … 1
};

}  // namespace scree
