// Cameras: from which direction a picture is taken, and the place from which everything is seen.
#pragma once

#include "analyse/body_tree.hpp"
#include "scree/analyse/render.hpp"

#include <array>

namespace scree::analyse {

class Camera {
public:
    /// The ray through a point of the picture, −1 … 1 from left to right and from bottom to top.
    [[nodiscard]] Ray ray(double x, double y) const;
    [[nodiscard]] const Vec& right() const { return right_; }
    [[nodiscard]] const Vec& forward() const { return forward_; }
    /// Whether the camera is on the side of a plane to which the normal points.
    [[nodiscard]] bool in_front_of(const Vec& point, const Vec& normal) const
    {
        return parallel_ ? dot(forward_, normal) < 0 : dot(eye_ - point, normal) > 0;
    }

    /// The width of a pixel at a distance, if the picture has so many in a row [m].
    [[nodiscard]] double pixel(int width, double distance) const
    {
        return 2 * half_width_ / width * (parallel_ ? 1 : distance);
    }

private:
    friend class Framing;

    Vec eye_, right_, up_, forward_;
    double half_width_, half_height_;  ///< at distance 1, or everywhere [m] if parallel
    bool parallel_;
};

/// Finds the place of a camera that sees everything it was told of, with a margin. For a fixed
/// direction and opening the four sides of the picture are planes of fixed normals: how far out
/// each must lie is all there is to remember, over any number of frames.
class Framing {
public:
    /// Of a picture of so many pixels, of which `legend` columns at the right stay free of bodies.
    Framing(const View& view, int width, int height, int legend = 0);

    void add(const PlacedShape& solid);
    /// A box along the axes.
    void add(const Vec& lower, const Vec& upper);
    /// Throws Error if nothing was added.
    [[nodiscard]] Camera camera() const;

private:
    View view_;
    Camera camera_;                  ///< all but its place
    double scale_;                   ///< tangent of half the opening of the longer side
    double aspect_x_, aspect_y_;     ///< half width and height over half the longer side
    std::array<double, 4> sides_;    ///< how far bodies may reach, in the same unit
    std::array<Vec, 6> directions_;  ///< right, left, top, bottom, front, back
    std::array<double, 6> reach_;    ///< the largest m·p in each of these
};

}  // namespace scree::analyse
