// Questions about shapes alone, answered by the narrow phase.
#include "scree/query.hpp"

#include "shapes/collide.hpp"

#include <algorithm>
#include <limits>

namespace scree {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

double signed_distance(const PlacedShape& a, const PlacedShape& b, double reach)
{
    shapes::Manifold points;
    shapes::collide(a.shape, {a.position, a.orientation}, b.shape, {b.position, b.orientation},
                    reach, points);
    double least = infinity;
    for (int i = 0; i < points.count; ++i) {
        least = std::min(least, points.points[i].gap);
    }
    return least;
}

double outer_radius(const Shape& shape)
{
    return is_wall(shape.kind) ? infinity : shapes::outer_radius(shape);
}

double volume(const Shape& shape)
{
    if (is_wall(shape.kind)) {
        return infinity;
    }
    const bool rod = shape.kind == ShapeKind::capsule && shape.size.x == 0;
    return rod ? 0 : mass_properties(shape, 1).mass;
}

Shape scaled(const Shape& shape, double factor)
{
    return {shape.kind,
            {factor * shape.size.x, factor * shape.size.y, factor * shape.size.z},
            shape.solid,
            shape.parts,
            shape.surface};
}

}  // namespace scree
