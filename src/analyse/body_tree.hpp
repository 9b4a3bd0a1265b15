// Bodies in a tree of boxes, four children to a node, for rays. Boxes are in single precision and
// tested generously; shapes are exact and in double precision.
#pragma once

#include "analyse/chord.hpp"

#include <cstdint>
#include <vector>

namespace scree::analyse {

/// Something that rays hit: a bounded shape in space.
struct PlacedShape {
    Shape shape;
    Vec position;
    Quat<double> orientation;
};

inline Region bounds_of(const PlacedShape& s)
{
    return bounds_of(s.shape, s.position, s.orientation);
}

struct Ray {
    Vec origin, direction;            ///< direction of length 1
    double from = 0, to = unbounded;  ///< where it is looked at [m]
    /// A body that the ray is in at `from` is hit there (cut open), or else is not seen.
    bool cut = true;
};

inline constexpr std::uint32_t no_body = 0xffffffff;

struct Hit {
    std::uint32_t body = no_body;
    double at = unbounded;  ///< distance along the ray [m]

    explicit operator bool() const { return body != no_body; }
};

class BodyTree {
public:
    BodyTree() = default;
    explicit BodyTree(std::vector<PlacedShape> solids);

    [[nodiscard]] const PlacedShape& operator[](std::uint32_t body) const { return solids_[body]; }

    /// The first body along the ray, `skip` left out.
    [[nodiscard]] Hit first(const Ray& ray, std::uint32_t skip = no_body) const;
    /// Whether there is any.
    [[nodiscard]] bool blocked(const Ray& ray, std::uint32_t skip = no_body) const;

private:
    static constexpr std::size_t width = 4;
    /// A number for each child, in one register.
    using Pack __attribute__((vector_size(width * sizeof(float)))) = float;

    struct Node {
        Pack bounds[6];              ///< lower x, upper x, lower y, …
        std::uint32_t child[width];  ///< a node, or a leaf's first item
        std::uint32_t count[width];  ///< items of a leaf; 0 for a node
    };
    /// What a leaf looks at first: the ball around a body, exact for spheres.
    struct Item {
        Vec centre;
        double radius;
        std::uint32_t body;
        bool sphere;
    };
    struct Box {
        float lower[3], upper[3];
    };
    class Builder;
    class BoxRay;
    class Open;

    template <bool any> Hit search(const Ray& ray, std::uint32_t skip) const;
    [[nodiscard]] Hit better(const Hit& best, const Item& item, const Ray& ray) const;
    [[nodiscard]] Interval chord_of(const Item& item, const Ray& ray) const;

    std::vector<PlacedShape> solids_;
    std::vector<Item> items_;
    std::vector<Node> nodes_;
    Vec centre_{0, 0, 0};  ///< boxes are relative to this
    float reach_ = 0;      ///< the largest coordinate of a box
};

}  // namespace scree::analyse
