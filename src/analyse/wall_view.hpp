// Walls as pictures show them. A half-space that faces up is a floor, seen from above only, with a
// faint grid of round spacing and the outlines of the walls that stand on it; other half-spaces are
// left out, so that one sees into a box. Cylinders and spheres around the bodies are glass,
// a little higher than the bodies.
#pragma once

#include "analyse/camera.hpp"
#include "scree/world.hpp"

#include <functional>
#include <vector>

namespace scree::analyse {

class WallView {
public:
    /// `bounds` are those of the bodies, `width` that of the picture in pixels.
    WallView(const Frame& frame, const Camera& camera, int width, const Region& bounds,
             const Vec& up);

    struct FloorHit {
        double at = unbounded;  ///< distance along the ray [m]
        std::size_t number = 0;
        Vec normal{0, 0, 1};
    };
    /// The first floor along the ray.
    [[nodiscard]] FloorHit floor(const Ray& ray) const;
    /// From 1 at the bodies to 0 far away.
    [[nodiscard]] float nearness(const Vec& p) const;
    /// How much ink the lines of a floor have where the ray meets it, 0 … 1.
    [[nodiscard]] float lines(const Ray& ray, double at, std::size_t floor) const;
    /// Calls with distance and opacity where the ray passes through glass before `limit`.
    void glass(const Ray& ray, double limit,
               const std::function<void(double at, float opacity)>& found) const;

    /// Parts of walls that the camera should see.
    [[nodiscard]] static std::vector<Vec> corners(const Frame& frame, const Region& bounds,
                                                  const Vec& up);

private:
    struct Floor {
        Vec point, normal, along, across;
    };
    /// A cylinder or sphere around the bodies, of glass, from one height along an axis to another.
    struct Vessel {
        PlacedShape wall;
        Vec axis;
        double from, to;  ///< from the wall's origin [m]

        [[nodiscard]] bool round() const { return wall.shape.kind == ShapeKind::sphere_wall; }
    };

    /// How much of a pixel on the floor the outlines cover; none behind another wall.
    [[nodiscard]] double outline(const Vec& p, const Vec& floor_normal, double pixel) const;
    static std::vector<Vessel> vessels(const Frame& frame, const Region& bounds, const Vec& up);

    std::vector<Floor> floors_;
    std::vector<PlacedShape> outlines_;  ///< all walls
    std::vector<Vessel> vessels_;
    Camera camera_;
    int width_;
    Vec centre_;
    double radius_, spacing_;
};

}  // namespace scree::analyse
