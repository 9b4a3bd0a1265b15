// The pictures declared in render.hpp.
#include "scree/analyse/render.hpp"

#include "analyse/ray_scene.hpp"
#include "exec/cores.hpp"
#include "exec/team.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace scree::analyse {
namespace {

void check(const RenderOptions& o)
{
    std::string wrong;
    const auto require = [&](bool good, const std::string& problems_with) {
        wrong += good ? "" : (wrong.empty() ? "" : "; ") + problems_with;
    };
    require(
        o.width >= 16 && o.height >= 16 && o.width <= 16384 && o.height <= 16384,
        fmt::format("a picture of {} × {} pixels: sides must be 16 to 16384", o.width, o.height));
    require(o.legend >= 0 && 2 * o.legend <= o.width,
            fmt::format("a legend of {} pixels: must be at most half the width", o.legend));
    require(o.samples >= 1 && o.samples <= 8,
            fmt::format("samples = {}: must be 1 to 8", o.samples));
    require(o.view.field_of_view >= 0 && o.view.field_of_view <= 120,
            fmt::format("field of view = {}°: must be 0 (parallel) to 120", o.view.field_of_view));
    require(o.view.zoom > 0 && std::isfinite(o.view.zoom),
            fmt::format("zoom = {}: must be positive", o.view.zoom));
    require(!is_zero(o.view.up) && std::isfinite(norm(o.view.up)), "up must not be zero");
    require(!empty(o.clip), "the clip box is empty: lower limits are above upper ones");
    require(!o.range || o.range->low < o.range->high,
            "the range of colours is empty: the first number must be below the second");
    if (!wrong.empty()) {
        throw Error(wrong);
    }
}

int thread_count(const RenderOptions& o)
{
    return o.threads > 0 ? o.threads : exec::usable_cores();
}

/// Some rows of a picture, and those around them from which light is evened out.
class Band {
public:
    Band(const Scene& scene, const RenderOptions& options) : scene_(scene), options_(options) {}

    void draw(int first, int last, std::uint8_t* out)
    {
        from_ = std::max(0, first - Lights::tile / 2);
        to_ = std::min(options_.height, last + Lights::tile / 2 - 1);
        looks_.clear();
        for (int row = from_; row < to_; ++row) {
            for (int column = 0; column < options_.width; ++column) {
                for (int i = 0; i < scene_.samples(); ++i) {
                    looks_.push_back(scene_.look(column, row, i));
                }
            }
        }
        for (int row = first; row < last; ++row) {
            for (int column = 0; column < options_.width; ++column) {
                Light sum{0, 0, 0};
                for (int i = 0; i < scene_.samples(); ++i) {
                    sum = sum + scene_.colour(column, row, i, even(column, row, i), layers_);
                }
                const float share = 1 / static_cast<float>(scene_.samples());
                out = std::ranges::copy(to_pixel(share * sum), out).out;
            }
        }
    }

private:
    [[nodiscard]] const Look& at(int column, int row, int sample) const
    {
        return looks_[(static_cast<std::size_t>(row - from_) *
                           static_cast<std::size_t>(options_.width) +
                       static_cast<std::size_t>(column)) *
                          static_cast<std::size_t>(scene_.samples()) +
                      static_cast<std::size_t>(sample)];
    }

    /// What was seen, with the light that the same surface has in the tile around.
    [[nodiscard]] Look even(int column, int row, int sample) const
    {
        Look mean = at(column, row, sample);
        if (mean.surface == Look::nothing) {
            return mean;
        }
        mean.sun = 0;
        mean.sky = {0, 0, 0};
        mean.sky_weight = 0;
        float count = 0;
        constexpr int before = Lights::tile / 2, after = Lights::tile - before;
        for (int r = std::max(from_, row - before); r < std::min(to_, row + after); ++r) {
            for (int c = std::max(0, column - before); c < std::min(options_.width, column + after);
                 ++c) {
                const Look& other = at(c, r, sample);
                if (other.surface == mean.surface && dot(other.normal, mean.normal) > 0.9) {
                    mean.sun += other.sun;
                    mean.sky = mean.sky + other.sky;
                    mean.sky_weight += other.sky_weight;
                    count += 1;
                }
            }
        }
        mean.sun /= count;
        return mean;
    }

    const Scene& scene_;
    const RenderOptions& options_;
    int from_ = 0, to_ = 0;
    std::vector<Look> looks_;
    std::vector<Layer> layers_;
};

}  // namespace

Survey::Survey(const RenderOptions& options)
    : options_(options),
      framing_((check(options), std::make_unique<Framing>(options.view, options.width,
                                                          options.height, options.legend)))
{
}

Survey::~Survey() = default;
Survey::Survey(Survey&&) noexcept = default;
Survey& Survey::operator=(Survey&&) noexcept = default;

Camera Survey::camera() const { return framing_->camera(); }
void Survey::require_bodies() const { (void)camera(); }

void Survey::add(const Frame& frame)
{
    Region dynamic = nowhere;
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        if (!shown(frame, i, options_.clip)) {
            continue;
        }
        const PlacedShape solid = drawn_shape(frame, i);
        const Region box = bounds_of(solid), part = common(box, options_.clip);
        if (holds(options_.clip, box)) {
            framing_->add(solid);
        } else {
            framing_->add(part.low, part.high);
        }
        dynamic = joined(dynamic, part);
    }
    // Of obstacles what is near the bodies.
    Region near = options_.clip;
    if (!empty(dynamic)) {
        bounds_ = joined(bounds_, dynamic);
        const Vec size = dynamic.high - dynamic.low;
        const double most = 0.5 * std::max({size.x, size.y, size.z});
        const Vec room{most, most, most};
        near = common({dynamic.low - room, dynamic.high + room}, near);
        for (const Vec& p : WallView::corners(frame, dynamic, direction_of(options_.view.up))) {
            framing_->add(p, p);
        }
    }
    for (std::size_t i = frame.dynamic_count; i < frame.ids.size(); ++i) {
        for (const Vec& local : points_of(frame.shapes[i])) {
            const Vec p = frame.positions[i] + rotate(frame.orientations[i], local);
            if (options_.obstacle_opacity > 0 && holds(near, {p, p})) {
                framing_->add(p, p);
            }
        }
        if (shown(frame, i, near) && options_.obstacle_opacity > 0) {
            const Region part = common(bounds_of(drawn_shape(frame, i)), near);
            framing_->add(part.low, part.high);
        }
    }
    const Quantity q = quantity_of(frame, options_.colour_by, direction_of(options_.view.up));
    quantity_ = q.name;
    unit_ = q.unit;
    const Range r = options_.range.value_or(q.range);
    range_ = {std::min(range_.low, r.low), std::max(range_.high, r.high)};
}

Image render(const Frame& frame, const RenderOptions& options, const Survey& survey)
{
    check(options);
    const Scene scene(frame, options, survey);
    Image image{options.width, options.height, {}};
    const auto row_size = 3 * static_cast<std::size_t>(options.width);
    image.rgb.resize(row_size * static_cast<std::size_t>(options.height));
    constexpr int rows = 24;
    // Some bands are much more work than others: whoever is through takes the next one.
    std::atomic<int> next{0};
    exec::Team::mine().run(thread_count(options), [&](int, int) {
        Band band(scene, options);
        for (int first = next.fetch_add(rows); first < options.height;
             first = next.fetch_add(rows)) {
            band.draw(first, std::min(first + rows, options.height),
                      image.rgb.data() + row_size * static_cast<std::size_t>(first));
        }
    });
    return image;
}

Image render(const Frame& frame, const RenderOptions& options)
{
    Survey survey(options);
    survey.add(frame);
    return render(frame, options, survey);
}

}  // namespace scree::analyse
