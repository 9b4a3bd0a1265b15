#include "scene/grains.hpp"

#include "math/elementary.hpp"
#include "math/random.hpp"
#include "math/vec.hpp"
#include "scene/grain_counts.hpp"
#include "scene/grain_sizes.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree::scene {

namespace {

using Vec = Vec3<double>;
constexpr std::uint32_t nobody = 0xffffffffU;

// First numbers of a grain's draws; sizes have those from 1000 on.
constexpr std::uint64_t velocity_draws = 0, spin_draws = 3, orientation_draws = 10,
                        place_draws = 100'000'000;

double sphere_diameter(double volume) { return math::cube_root(6 * volume / math::pi); }

Vec spread(const Vec& mean, const Vec& half, std::uint64_t seed, BodyId id, std::uint64_t draw)
{
    const auto at = [&](double m, double h, std::uint64_t k) {
        return h > 0 ? math::uniform(seed, id, draw + k, m - h, m + h) : m;
    };
    return {at(mean.x, half.x, 0), at(mean.y, half.y, 1), at(mean.z, half.z, 2)};
}

/// A polyhedron or clump is moved so that its centre of mass is its origin, about which it needs
/// least room.
Shape centred(const Shape& shape)
{
    if (shape.kind == ShapeKind::polyhedron) {
        const Vec centre = mass_properties(shape, 1).centre;
        std::vector<Vec> corners = corners_of(shape);
        for (Vec& corner : corners) {
            corner = corner - centre;
        }
        return Shape::polyhedron(corners);
    }
    if (shape.kind == ShapeKind::clump) {
        const Vec centre = mass_properties(shape, 1).centre;
        std::vector<Part> parts = parts_of(shape);
        for (Part& part : parts) {
            part.position = part.position - centre;
        }
        return Shape::clump(parts);
    }
    return shape;
}

PlacedShape placed(const Body& b) { return {b.shape, b.position, b.orientation}; }

}  // namespace

GrainMaker::GrainMaker(const Scene& scene, const GrainTable& table, std::uint64_t source)
    : table_(table), seed_(static_cast<std::uint64_t>(scene.seed)), source_(source),
      shape_(centred(table.shape.shape())), diameter_(sphere_diameter(volume(shape_))),
      material_(static_cast<MaterialId>(scene.material(table.material))),
      density_(scene.materials[material_].density), orientation_{1, 0, 0, 0}
{
    if (table.turn) {
        PlacedShapeTable turned;
        turned.turn = table.turn;
        orientation_ = turned.orientation();
    }
}

Body GrainMaker::make(std::uint64_t layer, std::uint64_t index) const
{
    if (layer >= most_layers || index >= most_indices || source_ >= most_sources) {
        throw Error(fmt::format("too many grains: at most {} sources, {} layers of a source and {} "
                                "grains of a layer",
                                most_sources - 1, most_layers, most_indices));
    }
    Body grain;
    const BodyId id = grain_id(source_, layer, index);
    grain.id = id;
    grain.shape = shape_;
    if (table_.sizes) {
        grain.shape = scaled(shape_, draw_diameter(*table_.sizes, seed_, id) / diameter_);
        if (const std::string_view wrong = complaint(grain.shape); !wrong.empty()) {
            throw Error(fmt::format("a grain was drawn that cannot be: {}", wrong));
        }
    }
    grain.material = material_;
    grain.density = density_;
    grain.orientation = table_.orient == Orient::random
                            ? draw_orientation(seed_, id, orientation_draws)
                            : orientation_;
    grain.velocity = spread(table_.velocity, table_.velocity_spread, seed_, id, velocity_draws);
    grain.angular_velocity =
        spread(table_.angular_velocity, table_.angular_velocity_spread, seed_, id, spin_draws);
    return grain;
}

double GrainMaker::largest_radius(std::uint64_t first, std::uint64_t end) const
{
    if (!table_.sizes) {
        return outer_radius(shape_);
    }
    double largest = 0;
    for (; first < end; ++first) {
        largest = std::max(largest, outer_radius(make(0, first).shape));
    }
    return largest;
}

void Occupied::expect_radius(double radius)
{
    if (2 * radius <= cell_) {
        return;
    }
    cell_ = 2.000001 * radius;
    std::vector<PlacedShape> again;
    again.swap(bodies_);
    next_.clear();
    std::fill(bucket_.begin(), bucket_.end(), nobody);
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
           std::any_of(asked_.begin(), asked_.end(), [&](const Box& box) {
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
        large_.push_back(body);
        return;
    }
    if (bodies_.size() >= bucket_.size()) {
        bucket_.assign(2 * bodies_.size() + 1024, nobody);
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            std::uint32_t& head = bucket_[cell_of(bodies_[i].position, 0, 0, 0) % bucket_.size()];
            next_[i] = head;
            head = static_cast<std::uint32_t>(i);
        }
    }
    std::uint32_t& head = bucket_[cell_of(body.position, 0, 0, 0) % bucket_.size()];
    next_.push_back(head);
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
    return gap(a, other) < 0;
}

bool Occupied::free(const Body& body) const
{
    const PlacedShape here = placed(body);
    for (const PlacedShape& b : large_) {
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
                for (std::uint32_t i = bucket_[cell % bucket_.size()]; i != nobody; i = next_[i]) {
                    if (overlap(here, bodies_[i])) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

bool inside(const RegionTable& r, const Vec& p, double radius)
{
    switch (r.kind) {
    case RegionKind::box:
        return p.x - radius >= r.min.x && p.x + radius <= r.max.x && p.y - radius >= r.min.y &&
               p.y + radius <= r.max.y && p.z - radius >= r.min.z && p.z + radius <= r.max.z;
    case RegionKind::cylinder: {
        const Vec axis = normalised(r.axis);
        const Vec d = p - r.centre;
        const double along = dot(d, axis);
        return std::abs(along) + radius <= r.length / 2 &&
               norm(d - along * axis) + radius <= r.radius;
    }
    case RegionKind::sphere: return norm(p - r.centre) + radius <= r.radius;
    }
    return false;
}

Box box_of(const RegionTable& r)
{
    if (r.kind == RegionKind::box) {
        return {r.min, r.max};
    }
    Vec half{r.radius, r.radius, r.radius};
    if (r.kind == RegionKind::cylinder) {
        half = {r.axis.x != 0 ? r.length / 2 : r.radius, r.axis.y != 0 ? r.length / 2 : r.radius,
                r.axis.z != 0 ? r.length / 2 : r.radius};
    }
    return {r.centre - half, r.centre + half};
}

std::uint64_t grid_places(const RegionTable& region, const Vec& spacing,
                          const std::function<void(const Vec&)>& visit)
{
    const Box box = box_of(region);
    const auto count = [](double length, double step) {
        return static_cast<std::int64_t>(std::floor(length / step * (1 + 1e-12)));
    };
    const std::int64_t nx = count(box.max.x - box.min.x, spacing.x);
    const std::int64_t ny = count(box.max.y - box.min.y, spacing.y);
    const std::int64_t nz = count(box.max.z - box.min.z, spacing.z);
    const auto at = [](double from, double step, std::int64_t i) {
        return from + (static_cast<double>(i) + 0.5) * step;
    };
    std::uint64_t places = 0;
    for (std::int64_t i = 0; i < nx; ++i) {
        for (std::int64_t j = 0; j < ny; ++j) {
            for (std::int64_t k = 0; k < nz; ++k) {
                const Vec p{at(box.min.x, spacing.x, i), at(box.min.y, spacing.y, j),
                            at(box.min.z, spacing.z, k)};
                if (inside(region, p, 0)) {
                    ++places;
                    visit(p);
                }
            }
        }
    }
    return places;
}

int place_at_random(Body& grain, const RegionTable& region, const Occupied& occupied,
                    std::uint64_t seed, std::uint64_t draw, int attempts)
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
            return attempt + 1;
        }
    }
    return 0;
}

namespace {

std::string name_of(const FillTable& table)
{
    return table.name.empty() ? std::string("fill") : fmt::format("fill \"{}\"", table.name);
}

using Take = std::function<void(const Body&)>;

/// Whether the box of a region is so wide that it holds images of itself.
bool is_wider_than_period(const Box& box, const Vec& period)
{
    const auto wider = [](double length, double one) { return one > 0 && length > one; };
    return wider(box.max.x - box.min.x, period.x) || wider(box.max.y - box.min.y, period.y) ||
           wider(box.max.z - box.min.z, period.z);
}

void fill_grid(const FillTable& table, const GrainMaker& maker, Occupied& occupied,
               const Take& take)
{
    std::uint64_t index = 0;
    grid_places(table.region, table.spacing, [&](const Vec& place) {
        Body grain = maker.make(0, index++);
        const double r = outer_radius(grain.shape);
        const auto jitter = [&](double spacing, std::uint64_t axis) {
            const double room = std::max(0.0, spacing / 2 - r) * table.jitter;
            return math::uniform(maker.seed(), *grain.id, place_draws + axis, -room, room);
        };
        grain.position = place + Vec{jitter(table.spacing.x, 0), jitter(table.spacing.y, 1),
                                     jitter(table.spacing.z, 2)};
        occupied.expect_radius(r);
        if (!table.clear || occupied.free(grain)) {
            take(grain);
            occupied.add(grain);
        }
    });
}

void fill_random(const FillTable& table, const GrainMaker& maker, Occupied& occupied,
                 const Take& take)
{
    const double room = volume_of(table.region);
    double solid = 0;
    const auto enough = [&](std::size_t n) {
        return table.count > 0 ? n >= static_cast<std::size_t>(table.count)
                               : solid >= table.fraction * room;
    };
    double largest = 0;
    std::vector<double> radius;
    while (!enough(radius.size())) {
        if (static_cast<double>(radius.size()) >= most_grains) {
            throw Error(
                fmt::format("{}: wants more than {:.0e} grains", name_of(table), most_grains));
        }
        const Shape shape = maker.make(0, radius.size()).shape;
        const double v = volume(shape);
        if (!(v > 0) && table.count == 0) {
            throw Error(name_of(table) + ": grains without volume have no fraction; give a count");
        }
        solid += v;
        radius.push_back(outer_radius(shape));
        largest = std::max(largest, radius.back());
    }
    occupied.expect_radius(largest);
    // The largest first: the small ones find room between them.
    std::vector<std::uint32_t> order(radius.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return radius[a] > radius[b]; });
    std::size_t done = 0;
    // Most find room at once; where many need long there will not be room for all.
    std::int64_t attempts = 200'000 + 100 * static_cast<std::int64_t>(order.size());
    std::vector<Vec> places(order.size());
    for (const std::uint32_t i : order) {
        const int most = static_cast<int>(std::min<std::int64_t>(attempts, 20'000));
        Body grain = maker.make(0, i);
        const int used = place_at_random(grain, table.region, occupied, maker.seed(), 0, most);
        attempts -= used;
        if (used == 0) {
            throw Error(fmt::format("{}: found no room for more than {} of {} grains (solid "
                                    "fraction wanted: {:.3g}); random placement ends near 0.3, "
                                    "use type = \"pour\" or a smaller count",
                                    name_of(table), done, order.size(), solid / room));
        }
        places[i] = grain.position;
        occupied.add(grain);
        ++done;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        Body grain = maker.make(0, i);
        grain.position = places[i];
        take(grain);
    }
}

/// The axis along which grains are poured, and which way it goes up.
struct Upwards {
    int axis;
    double sign;
};
Upwards upwards(const Vec& g)
{
    const int axis = std::abs(g.z) >= std::abs(g.x) && std::abs(g.z) >= std::abs(g.y)
                         ? 2
                         : (std::abs(g.y) >= std::abs(g.x) ? 1 : 0);
    const double pull = axis == 2 ? g.z : (axis == 1 ? g.y : g.x);
    return {axis, pull > 0 ? -1.0 : 1.0};
}

/// Loose layers: places of a square grid that just fit the largest grain, jittered.
void fill_pour(const Scene& scene, const FillTable& table, const GrainMaker& maker,
               Occupied& occupied, const Take& take)
{
    constexpr double looseness = 1.05;
    constexpr double most_places = 1e15;  // along an axis
    const Box box = box_of(table.region);
    const auto [axis, up] = upwards(scene.gravity);
    double lower[3]{box.min.x, box.min.y, box.min.z};
    double upper[3]{box.max.x, box.max.y, box.max.z};
    // Sizes are known only by drawing them, and the number of places by the largest size.
    const auto wanted = static_cast<std::uint64_t>(table.count);
    std::uint64_t drawn = wanted > 0 ? wanted : 1000;
    double largest = 0;
    std::uint64_t known = 0;
    std::int64_t n[3]{};
    double cell[3]{};
    for (;;) {
        largest = std::max(largest, maker.largest_radius(known, drawn));
        known = drawn;
        double places = 1;
        for (int k = 0; k < 3; ++k) {
            const double steps = std::floor((upper[k] - lower[k]) / (2 * looseness * largest));
            places *= std::max(1.0, steps);
            n[k] = static_cast<std::int64_t>(std::min(steps, most_places));
            cell[k] = n[k] > 0 ? (upper[k] - lower[k]) / static_cast<double>(n[k]) : 0;
        }
        const int u = axis == 0 ? 1 : 0;
        const int v = axis == 2 ? 1 : 2;
        if (n[u] < 1 || n[v] < 1 || (wanted == 0 && n[axis] < 1)) {
            throw Error(fmt::format("{}: the region is narrower than the largest grain ({:.3g} m)",
                                    name_of(table), 2 * largest));
        }
        if (wanted == 0 && !(places <= most_grains)) {
            throw Error(fmt::format("{}: the region has room for {:.3g} grains, more than {:.0e}; "
                                    "give a count or a smaller region",
                                    name_of(table), places, most_grains));
        }
        if (wanted > 0 || static_cast<double>(known) >= places) {
            break;
        }
        drawn = static_cast<std::uint64_t>(places);
    }
    if (n[axis] < 1) {
        cell[axis] = 2 * looseness * largest;
    }
    const int u = axis == 0 ? 1 : 0;
    const int v = axis == 2 ? 1 : 2;
    occupied.expect_radius(largest);
    std::uint64_t index = 0;
    std::int64_t empty_layers = 0;
    std::uint64_t in_vain = 0;  // places one after the other
    const auto no_room = [&] {
        return Error(fmt::format("{}: found no room for more than {} of {} grains", name_of(table),
                                 index, wanted));
    };
    for (std::int64_t layer = 0; wanted > 0 ? index < wanted : layer < n[axis]; ++layer) {
        const std::uint64_t before = index;
        for (std::int64_t i = 0; i < n[u]; ++i) {
            for (std::int64_t j = 0; j < n[v] && (wanted == 0 || index < wanted); ++j) {
                Body grain = maker.make(0, index);
                const double r = outer_radius(grain.shape);
                double x[3];
                const auto at = [&](int k, std::int64_t place) {
                    const double room = std::max(0.0, cell[k] / 2 - r);
                    return (static_cast<double>(place) + 0.5) * cell[k] +
                           math::uniform(maker.seed(), *grain.id,
                                         place_draws + static_cast<std::uint64_t>(k), -room, room);
                };
                x[u] = lower[u] + at(u, i);
                x[v] = lower[v] + at(v, j);
                x[axis] = up > 0 ? lower[axis] + at(axis, layer) : upper[axis] - at(axis, layer);
                grain.position = {x[0], x[1], x[2]};
                // Above the region only its outline counts.
                Vec flat = grain.position;
                (axis == 2 ? flat.z : (axis == 1 ? flat.y : flat.x)) =
                    (lower[axis] + upper[axis]) / 2;
                if (inside(table.region, flat, r * (1 - 1e-12)) &&
                    (!table.clear || occupied.free(grain))) {
                    take(grain);
                    occupied.add(grain);
                    ++index;
                    in_vain = 0;
                } else if (wanted > 0 && ++in_vain > 1'000'000 + 10 * wanted) {
                    throw no_room();
                }
            }
        }
        empty_layers = index == before ? empty_layers + 1 : 0;
        if (wanted > 0 && empty_layers > 1000) {
            throw no_room();
        }
    }
}

/// Where a fill asks whether there is room for a grain; for pours above the region as well.
std::vector<Box> asked_by(const Scene& scene, const FillTable& table)
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    Box box = box_of(table.region);
    if (table.kind != FillKind::random && !table.clear) {
        return {};
    }
    if (table.kind == FillKind::grid) {  // grains may stick out of the region
        return {{{-inf, -inf, -inf}, {inf, inf, inf}}};
    }
    if (table.kind == FillKind::pour && table.count > 0) {
        const auto [axis, up] = upwards(scene.gravity);
        Vec& end = up > 0 ? box.max : box.min;
        (axis == 2 ? end.z : (axis == 1 ? end.y : end.x)) = up * inf;
    }
    return {box};
}

/// Whether a fill's grains may get in the way of each other, and not only of what was there before:
/// on a grid that is wide enough each has a cell of its own.
bool asks_about_itself(const Scene& scene, const FillTable& table, const GrainMaker& maker)
{
    const Vec period = scene.settings().period;
    if (table.kind == FillKind::random || is_wider_than_period(box_of(table.region), period)) {
        return true;
    }
    if (table.kind == FillKind::pour) {
        const int axis = upwards(scene.gravity).axis;
        const double along = axis == 2 ? period.z : (axis == 1 ? period.y : period.x);
        return table.count > 0 && along > 0;  // it may go on above the region
    }
    const Vec& step = table.spacing;
    const double largest = maker.largest_radius(0, grid_places(table.region, step));
    return 2 * largest * (1 + 1e-6) > std::min({step.x, step.y, step.z});
}

}  // namespace

void fill(const Scene& scene, Occupied& occupied, const Take& take)
{
    for (std::size_t i = 0; i < scene.fills.size(); ++i) {
        const FillTable& table = scene.fills[i];
        const GrainMaker maker(scene, table, i + 1);
        std::vector<Box> asked;
        for (std::size_t k = i; k < scene.fills.size(); ++k) {
            if (k > i || asks_about_itself(scene, table, maker)) {
                const std::vector<Box> more = asked_by(scene, scene.fills[k]);
                asked.insert(asked.end(), more.begin(), more.end());
            }
        }
        occupied.keep_only_in(std::move(asked));
        const Take moving = [&](const Body& grain) {
            Body moved = grain;
            moved.motion = table.fixed ? Motion::prescribed : Motion::dynamic;
            take(moved);
        };
        switch (table.kind) {
        case FillKind::grid: fill_grid(table, maker, occupied, moving); break;
        case FillKind::random: fill_random(table, maker, occupied, moving); break;
        case FillKind::pour: fill_pour(scene, table, maker, occupied, moving); break;
        }
    }
}

}  // namespace scree::scene
