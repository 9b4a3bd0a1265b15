// Which room is taken: by this, grains that are made find places where they overlap nothing.
#pragma once

#include "scene/scene.hpp"
#include "scree/query.hpp"
#include "scree/world.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace scree::scene {

/// What is there already, so that grains can be kept apart from it.
class Occupied {
public:
    /// `period` of the domain, 0 where it is not periodic.
    explicit Occupied(const Vec3<double>& period) : period_(period) {}
    void add(const Body& body);
    [[nodiscard]] bool free(const Body& body) const;
    /// Bodies that come from now on are kept only where they reach into one of these boxes: nobody
    /// will ask about other places.
    void keep_only_in(std::vector<Box> boxes) { boxes_asked_about_ = std::move(boxes); }
    /// Bodies up to this radius are found by their cells; larger ones are looked at one by one.
    void expect_radius(double radius);

private:
    static constexpr double inf = std::numeric_limits<double>::infinity();
    [[nodiscard]] std::uint64_t cell_of(const Vec3<double>& at, int dx, int dy, int dz) const;
    [[nodiscard]] bool overlap(const PlacedShape& a, const PlacedShape& b) const;
    [[nodiscard]] bool is_asked_about(const PlacedShape& body) const;
    void put(const PlacedShape& body);

    Vec3<double> period_;
    double cell_ = 0;
    std::vector<Box> boxes_asked_about_{{{-inf, -inf, -inf}, {inf, inf, inf}}};
    std::vector<PlacedShape> large_bodies_;  ///< walls and bodies much larger than a cell
    std::vector<PlacedShape> bodies_;
    std::vector<std::uint32_t> first_in_bucket_;
    std::vector<std::uint32_t> next_in_bucket_;  ///< after each body
};

/// A grain at its place, and how many attempts it took to find that.
struct PlacedGrain {
    Body grain;
    int attempts;
};
/// Looks for a random place in the region; nothing if none of the attempts found room.
std::optional<PlacedGrain> place_at_random(Body grain, const RegionTable& region,
                                           const Occupied& occupied, std::uint64_t seed,
                                           std::uint64_t draw, int attempts);

}  // namespace scree::scene
