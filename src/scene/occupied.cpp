#include "scene/occupied.hpp"

#include "math/hash.hpp"
#include "math/random.hpp"
#include "math/vec.hpp"
#include "scene/grains.hpp"
#include "scene/regions.hpp"

#include <algorithm>
#include <cmath>

namespace scree::scene {

namespace {

using Vec = Vec3<double>;
constexpr std::uint32_t nobody = 0xffffffffU;

PlacedShape placed(const Body& b) { return {b.shape, b.position, b.orientation}; }

}  // namespace

void Occupied::expect_radius(double radius)
{
    if (2 * radius <= cell_) {
        return;
    }
    cell_ = 2.000001 * radius;
    std::vector<PlacedShape> again;
    again.swap(bodies_);
    next_in_bucket_.clear();
    std::fill(first_in_bucket_.begin(), first_in_bucket_.end(), nobody);
    for (const PlacedShape& b : again) {
        put(b);
    }
}

std::uint64_t Occupied::cell_of(const Vec& at, int dx, int dy, int dz) const
{
    const auto one = [&](double x, double period, int d) {
        if (period > 0) {
            // Cells of a periodic axis are a little larger, so that a whole number fits.
            const double n = std::max(1.0, std::floor(period / cell_));
            double c = std::floor((x - period * std::floor(x / period)) / (period / n)) + d;
            c = c < 0 ? c + n : (c >= n ? c - n : c);
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(c));
        }
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(x / cell_)) + d);
    };
    return math::hash(math::hash(one(at.x, period_.x, dx), one(at.y, period_.y, dy)),
                      one(at.z, period_.z, dz));
}

/// Whether it reaches into a box, or an image of it does.
bool Occupied::is_asked_about(const PlacedShape& body) const
{
    const auto reaches = [](double x, double r, double min, double max, double period) {
        const double half = (max - min) / 2 + r;
        if (!(half < inf)) {
            return x - r <= max && x + r >= min;
        }
        double d = std::abs(x - (min + max) / 2);
        if (period > 0) {
            d = std::abs(d - period * std::nearbyint(d / period));
        }
        return d <= half * (1 + 1e-9);
    };
    const double r = outer_radius(body.shape);
    const Vec& x = body.position;
    return is_wall(body.shape.kind) ||
           std::any_of(boxes_asked_about_.begin(), boxes_asked_about_.end(), [&](const Box& box) {
               return reaches(x.x, r, box.min.x, box.max.x, period_.x) &&
                      reaches(x.y, r, box.min.y, box.max.y, period_.y) &&
                      reaches(x.z, r, box.min.z, box.max.z, period_.z);
           });
}

void Occupied::add(const Body& body)
{
    if (is_asked_about(placed(body))) {
        put(placed(body));
    }
}

void Occupied::put(const PlacedShape& body)
{
    if (!(2 * outer_radius(body.shape) <= cell_)) {
        large_bodies_.push_back(body);
        return;
    }
    if (bodies_.size() >= first_in_bucket_.size()) {
        first_in_bucket_.assign(2 * bodies_.size() + 1024, nobody);
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            std::uint32_t& head =
                first_in_bucket_[cell_of(bodies_[i].position, 0, 0, 0) % first_in_bucket_.size()];
            next_in_bucket_[i] = head;
            head = static_cast<std::uint32_t>(i);
        }
    }
    std::uint32_t& head =
        first_in_bucket_[cell_of(body.position, 0, 0, 0) % first_in_bucket_.size()];
    next_in_bucket_.push_back(head);
    head = static_cast<std::uint32_t>(bodies_.size());
    bodies_.push_back(body);
}

bool Occupied::overlap(const PlacedShape& a, const PlacedShape& b) const
{
    PlacedShape other = b;
    if (!is_wall(b.shape.kind)) {
        const auto image = [](double from, double& to, double period) {
            if (period > 0) {
                to += period * std::nearbyint((from - to) / period);
            }
        };
        image(a.position.x, other.position.x, period_.x);
        image(a.position.y, other.position.y, period_.y);
        image(a.position.z, other.position.z, period_.z);
        const Vec d = a.position - other.position;
        const double reach = outer_radius(a.shape) + outer_radius(b.shape);
        if (dot(d, d) >= reach * reach) {
            return false;
        }
    }
    return signed_distance(a, other) < 0;
}

bool Occupied::free(const Body& body) const
{
    const PlacedShape here = placed(body);
    for (const PlacedShape& b : large_bodies_) {
        if (overlap(here, b)) {
            return false;
        }
    }
    if (bodies_.empty()) {
        return true;
    }
    for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dz = -1; dz <= 1; ++dz) {
                const std::uint64_t cell = cell_of(body.position, dx, dy, dz);
                for (std::uint32_t i = first_in_bucket_[cell % first_in_bucket_.size()];
                     i != nobody; i = next_in_bucket_[i]) {
                    if (overlap(here, bodies_[i])) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

std::optional<PlacedGrain> place_at_random(Body grain, const RegionTable& region,
                                           const Occupied& occupied, std::uint64_t seed,
                                           std::uint64_t draw, int attempts)
{
    const Box box = box_of(region);
    const double r = outer_radius(grain.shape);
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const auto one = [&](double from, double to, std::uint64_t axis) {
            return math::uniform(seed, *grain.id, place_draws + draw + axis, from + r, to - r);
        };
        grain.position = {one(box.min.x, box.max.x, 0), one(box.min.y, box.max.y, 1),
                          one(box.min.z, box.max.z, 2)};
        draw += 3;
        if (inside(region, grain.position, r * (1 - 1e-12)) && occupied.free(grain)) {
            return PlacedGrain{grain, attempt + 1};
        }
    }
    return std::nullopt;
}

}  // namespace scree::scene
