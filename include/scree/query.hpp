// Questions about shapes alone, without a world.
#pragma once

#include "scree/shape.hpp"

namespace scree {

/// A shape somewhere.
struct PlacedShape {
    Shape shape;                           ///< in its own frame
    Vec3<double> position{0, 0, 0};        ///< of the shape's origin [m]
    Quat<double> orientation{1, 0, 0, 0};  ///< of length 1
};

/// The signed distance of two shapes, negative for overlap, or infinity beyond `reach` [m].
double signed_distance(const PlacedShape& a, const PlacedShape& b, double reach = 0);
/// The radius of the smallest sphere about the shape's origin that holds it; infinite for walls.
double outer_radius(const Shape& shape);
/// The shape's volume [m³]; infinite for walls.
double volume(const Shape& shape);
/// The same shape, larger by a factor.
Shape scaled(const Shape& shape, double factor);

}  // namespace scree
