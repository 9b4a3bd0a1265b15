#include "scene/fills.hpp"

#include "math/random.hpp"
#include "math/vec.hpp"
#include "scene/counts.hpp"
#include "scene/grains.hpp"
#include "scene/regions.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree::scene {

namespace {

using Vec = Vec3<double>;

/// A vector's component.
double& along(Vec& v, int axis) { return axis == 2 ? v.z : (axis == 1 ? v.y : v.x); }
double along(const Vec& v, int axis) { return axis == 2 ? v.z : (axis == 1 ? v.y : v.x); }

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

/// What is drawn until there is enough of it.
struct DrawnGrains {
    std::vector<double> radius;
    double largest_radius = 0;
    double volume = 0;  ///< of all together [m³]
};
DrawnGrains draw_grains(const FillTable& table, const GrainMaker& maker)
{
    const double room = volume_of(table.region);
    DrawnGrains drawn;
    const auto enough = [&] {
        return table.count > 0 ? drawn.radius.size() >= static_cast<std::size_t>(table.count)
                               : drawn.volume >= table.fraction * room;
    };
    while (!enough()) {
        if (static_cast<double>(drawn.radius.size()) >= most_grains) {
            throw Error(
                fmt::format("{}: wants more than {:.0e} grains", name_of(table), most_grains));
        }
        const Shape shape = maker.make(0, drawn.radius.size()).shape;
        const double v = volume(shape);
        if (!(v > 0) && table.count == 0) {
            throw Error(name_of(table) + ": grains without volume have no fraction; give a count");
        }
        drawn.volume += v;
        drawn.radius.push_back(outer_radius(shape));
        drawn.largest_radius = std::max(drawn.largest_radius, drawn.radius.back());
    }
    return drawn;
}

/// The largest first: the small ones find room between them.
std::vector<std::uint32_t> order_of_placing(const std::vector<double>& radius)
{
    std::vector<std::uint32_t> order(radius.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return radius[a] > radius[b]; });
    return order;
}

std::vector<Vec> random_places(const FillTable& table, const GrainMaker& maker,
                               const DrawnGrains& drawn, Occupied& occupied)
{
    const std::vector<std::uint32_t> order = order_of_placing(drawn.radius);
    std::size_t done = 0;
    // Most find room at once; where many need long there will not be room for all.
    std::int64_t attempts = 200'000 + 100 * static_cast<std::int64_t>(order.size());
    std::vector<Vec> places(order.size());
    for (const std::uint32_t i : order) {
        const int most = static_cast<int>(std::min<std::int64_t>(attempts, 20'000));
        const auto found =
            place_at_random(maker.make(0, i), table.region, occupied, maker.seed(), 0, most);
        if (!found) {
            throw Error(fmt::format("{}: found no room for more than {} of {} grains (solid "
                                    "fraction wanted: {:.3g}); random placement ends near 0.3, "
                                    "use type = \"pour\" or a smaller count",
                                    name_of(table), done, order.size(),
                                    drawn.volume / volume_of(table.region)));
        }
        attempts -= found->attempts;
        places[i] = found->grain.position;
        occupied.add(found->grain);
        ++done;
    }
    return places;
}

void fill_random(const FillTable& table, const GrainMaker& maker, Occupied& occupied,
                 const Take& take)
{
    const DrawnGrains drawn = draw_grains(table, maker);
    occupied.expect_radius(drawn.largest_radius);
    const std::vector<Vec> places = random_places(table, maker, drawn, occupied);
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
    return {axis, along(g, axis) > 0 ? -1.0 : 1.0};
}

/// Cells for poured grains: a square grid in the region's box that just fits the largest grain. Its
/// layers go on above the box.
struct PourGrid {
    static constexpr double looseness = 1.05;
    static constexpr double most_along_axis = 1e15;

    PourGrid(const Box& box, const Upwards& upwards, double largest_radius)
        : axis(upwards.axis), u(axis == 0 ? 1 : 0), v(axis == 2 ? 1 : 2),
          up(upwards.sign), lower{box.min.x, box.min.y, box.min.z}, upper{box.max.x, box.max.y,
                                                                          box.max.z}
    {
        for (int k = 0; k < 3; ++k) {
            const double steps =
                std::floor((upper[k] - lower[k]) / (2 * looseness * largest_radius));
            places *= std::max(1.0, steps);
            count[k] = static_cast<std::int64_t>(std::min(steps, most_along_axis));
            cell[k] = count[k] > 0 ? (upper[k] - lower[k]) / static_cast<double>(count[k]) : 0;
        }
        if (count[axis] < 1) {
            cell[axis] = 2 * looseness * largest_radius;
        }
    }

    struct Cell {
        std::int64_t u, v, layer;
    };
    /// A random place for a grain of this radius in a cell.
    [[nodiscard]] Vec place(const Cell& in, BodyId id, double radius, std::uint64_t seed) const
    {
        const auto at = [&](int k, std::int64_t number) {
            const double room = std::max(0.0, cell[k] / 2 - radius);
            return (static_cast<double>(number) + 0.5) * cell[k] +
                   math::uniform(seed, id, place_draws + static_cast<std::uint64_t>(k), -room,
                                 room);
        };
        double x[3];
        x[u] = lower[u] + at(u, in.u);
        x[v] = lower[v] + at(v, in.v);
        x[axis] = up > 0 ? lower[axis] + at(axis, in.layer) : upper[axis] - at(axis, in.layer);
        return {x[0], x[1], x[2]};
    }

    int axis, u, v;  ///< upwards, and across
    double up;       ///< 1 or −1
    double lower[3], upper[3];
    std::int64_t count[3]{};  ///< of cells that lie in the box, along each axis
    double cell[3]{};         ///< [m]
    double places = 1;        ///< in the box
};

void require_room(const PourGrid& grid, const FillTable& table, double largest_radius)
{
    const bool any_number = table.count == 0;
    if (grid.count[grid.u] < 1 || grid.count[grid.v] < 1 ||
        (any_number && grid.count[grid.axis] < 1)) {
        throw Error(fmt::format("{}: the region is narrower than the largest grain ({:.3g} m)",
                                name_of(table), 2 * largest_radius));
    }
    if (any_number && !(grid.places <= most_grains)) {
        throw Error(fmt::format("{}: the region has room for {:.3g} grains, more than {:.0e}; "
                                "give a count or a smaller region",
                                name_of(table), grid.places, most_grains));
    }
}

/// Pours the grains of a table, layer by layer.
class Pour {
public:
    Pour(const Scene& scene, const FillTable& table, const GrainMaker& maker, Occupied& occupied,
         const Take& take)
        : table_(table), maker_(maker), occupied_(occupied), take_(take),
          wanted_(static_cast<std::uint64_t>(table.count)), largest_radius_(0),
          grid_(make_grid(upwards(scene.gravity)))
    {
    }

    void run()
    {
        occupied_.expect_radius(largest_radius_);
        std::int64_t empty_layers = 0;
        for (std::int64_t layer = 0; goes_on() && may_have(layer); ++layer) {
            const std::uint64_t before = poured_;
            pour_layer(layer);
            empty_layers = poured_ == before ? empty_layers + 1 : 0;
            if (wanted_ > 0 && empty_layers > 1000) {
                throw no_room();
            }
        }
    }

private:
    /// Sizes are known only by drawing them, and the number of places by the largest size.
    PourGrid make_grid(const Upwards& upwards)
    {
        const Box box = box_of(table_.region);
        std::uint64_t known = 0, drawn = wanted_ > 0 ? wanted_ : 1000;
        for (;;) {
            largest_radius_ = std::max(largest_radius_, maker_.largest_radius(known, drawn));
            known = drawn;
            const PourGrid grid(box, upwards, largest_radius_);
            require_room(grid, table_, largest_radius_);
            if (wanted_ > 0 || static_cast<double>(known) >= grid.places) {
                return grid;
            }
            drawn = static_cast<std::uint64_t>(grid.places);
        }
    }

    [[nodiscard]] bool goes_on() const { return wanted_ == 0 || poured_ < wanted_; }
    [[nodiscard]] bool may_have(std::int64_t layer) const
    {
        return wanted_ > 0 || layer < grid_.count[grid_.axis];
    }

    void pour_layer(std::int64_t layer)
    {
        for (std::int64_t u = 0; u < grid_.count[grid_.u]; ++u) {
            for (std::int64_t v = 0; v < grid_.count[grid_.v] && goes_on(); ++v) {
                pour_into({u, v, layer});
            }
        }
    }

    void pour_into(const PourGrid::Cell& cell)
    {
        Body grain = maker_.make(0, poured_);
        const double radius = outer_radius(grain.shape);
        grain.position = grid_.place(cell, *grain.id, radius, maker_.seed());
        if (has_room(grain, radius)) {
            take_(grain);
            occupied_.add(grain);
            ++poured_;
            places_in_vain_ = 0;
        } else if (wanted_ > 0 && ++places_in_vain_ > 1'000'000 + 10 * wanted_) {
            throw no_room();
        }
    }

    [[nodiscard]] bool has_room(const Body& grain, double radius) const
    {
        // Above the region only its outline counts.
        Vec flat = grain.position;
        along(flat, grid_.axis) = (grid_.lower[grid_.axis] + grid_.upper[grid_.axis]) / 2;
        return inside(table_.region, flat, radius * (1 - 1e-12)) &&
               (!table_.clear || occupied_.free(grain));
    }

    [[nodiscard]] Error no_room() const
    {
        return Error(fmt::format("{}: found no room for more than {} of {} grains", name_of(table_),
                                 poured_, wanted_));
    }

    const FillTable& table_;
    const GrainMaker& maker_;
    Occupied& occupied_;
    const Take& take_;
    std::uint64_t wanted_;  ///< 0: as many as the region has places for
    double largest_radius_;
    PourGrid grid_;
    std::uint64_t poured_ = 0;
    std::uint64_t places_in_vain_ = 0;  ///< one after the other
};

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
        along(up > 0 ? box.max : box.min, axis) = up * inf;
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
        return table.count > 0 && along(period, axis) > 0;  // it may go on above the region
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
        case FillKind::pour: Pour(scene, table, maker, occupied, moving).run(); break;
        }
    }
}

}  // namespace scree::scene
