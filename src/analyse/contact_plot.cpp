// Draws one contact problem (see contact_plot.hpp): chooses the view, then panel (a) the plane,
// panel (b) the energy along the conic, and a legend below both.
#include "scree/analyse/contact_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "analyse/axes.hpp"
#include "analyse/contact_conic.hpp"
#include "analyse/contact_marks.hpp"

namespace scree::analyse {

namespace {

using namespace contact;
using math::plane::norm;
using std::numbers::pi;
using svg::Axes;
using svg::Document;
using svg::Point;

const std::string grey = "#a8a8a8";
const svg::Stroke thin{"#666666", 0.8, "1 3"};
const svg::Stroke conic_stroke{blue, 2.2};  // and the first ray
const svg::Stroke second_ray{"#0c2d63", 2.2, "8 5"};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double page_width = 1100;
constexpr double margin = 84;
constexpr double legend_top = 560;

std::vector<Point> points_of(const std::vector<Vec>& curve)
{
    std::vector<Point> points;
    for (const Vec& u : curve) {
        points.push_back({u.t, u.o});
    }
    return points;
}

/// Panel (a).
void draw_plane(Document& d, const Axes& axes, const Scene& scene, const Contours& lines)
{
    const ContactConic& c = scene.conic;
    const double size = 3 * std::hypot(axes.x.high - axes.x.low, axes.y.high - axes.y.low);
    std::vector<Point> conic;
    if (c.kind == ConicKind::curve || c.kind == ConicKind::rays) {
        conic = points_of(c.arc(size / std::max(1.0, c.k)));
        std::vector<Point> region = conic;
        if (c.k >= 1) {
            region.push_back({conic.back().x - size * c.axis.t, conic.back().y - size * c.axis.o});
            region.push_back({conic[0].x - size * c.axis.t, conic[0].y - size * c.axis.o});
        }
        axes.area(d, region, {.fill = blue, .fill_opacity = 0.1});
    }
    for (const std::vector<Vec>& line : lines.lines) {
        axes.curve(d, points_of(line), {grey, 1});
    }
    axes.curve(d, points_of(lines.zero), {"black", 1.4});
    axes.curve(d, {{axes.x.low, 0}, {axes.x.high, 0}}, thin);
    axes.curve(d, {{0, axes.y.low}, {0, axes.y.high}}, thin);
    const auto vertex = conic.begin() + static_cast<std::ptrdiff_t>(conic.size() / 2);
    axes.curve(d, {vertex, conic.end()}, conic_stroke);
    if (c.kind != ConicKind::rays || c.k > 1) {
        axes.curve(d, {conic.begin(), conic.empty() ? vertex : vertex + 1},
                   c.kind == ConicKind::rays ? second_ray : conic_stroke);
    }
    if (c.kind == ConicKind::point) {
        d.circle(axes(0, 0), 4, {.fill = blue});
    }
    std::vector<Point> obstacles;
    for (const Point& p : conic) {
        obstacles.push_back(axes(p.x, p.y));
    }
    draw_marks(d, scene, axes.frame, obstacles,
               [&](const Mark& mark) { return axes(mark.u.t, mark.u.o); });
    const svg::Rect& frame = axes.frame;
    const Point target = axes(c.u0.t, c.u0.o);
    if (!frame.contains(target)) {
        const Point middle{frame.x + frame.width / 2, frame.y + frame.height / 2};
        const Vec out = math::plane::polar(Vec{target.x - middle.x, middle.y - target.y}).direction;
        const double length = std::min((frame.width / 2 - 16) / std::abs(out.t),
                                       (frame.height / 2 - 16) / std::abs(out.o));
        draw_arrow(d, {middle.x + length * out.t, middle.y - length * out.o}, out);
    }
    axes.draw(d);
}

/// A curve of E − E_n for panel (b).
struct Profile {
    std::vector<Point> points;
    svg::Stroke stroke;
};

/// The value below which half of the curve lies.
double median(const std::vector<Point>& curve)
{
    std::vector<std::pair<double, double>> pieces;  // value, width
    double half = 0;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        if (std::isfinite(curve[i].y)) {
            pieces.push_back({curve[i].y, curve[i].x - curve[i - 1].x});
            half += 0.5 * pieces.back().second;
        }
    }
    std::sort(pieces.begin(), pieces.end());
    for (const auto& [value, width] : pieces) {
        half -= width;
        if (half <= 0) {
            return value;
        }
    }
    return 0;
}

/// The values of E − E_n to be seen: all solutions and minima, E = 0 if it is not far, the lower
/// half of the curves as far as the minima stay visible, and the tops unless they dwarf the rest.
Point energy_range(const std::vector<Profile>& profiles, const Scene& scene)
{
    double low = infinity;
    double middle = -infinity;
    double top = -infinity;
    for (const Profile& profile : profiles) {
        middle = std::max(middle, median(profile.points));
        for (const Point& p : profile.points) {
            low = std::min(low, p.y);
            top = std::max(top, std::isfinite(p.y) ? p.y : top);
        }
    }
    double high = low;
    for (const Mark& mark : scene.marks) {
        if (mark.kind != MarkKind::unconstrained) {
            low = std::min(low, scene.conic.rise(mark.u));
            high = std::max(high, scene.conic.rise(mark.u));
        }
    }
    const double zero = -scene.conic.normal_energy;
    if (std::abs(zero - low) < 8 * (std::max(high, middle) - low)) {
        low = std::min(low, zero);
        high = std::max(high, zero);
    }
    const bool together = high - low < 0.01 * (middle - low);
    high = std::max(high, together ? middle : std::min(middle, low + 3 * (high - low)));
    high = top - low < 4 * (high - low) ? std::max(top, high) : high + 1.2 * (high - low);
    const double scale = std::max({std::abs(low), std::abs(high), 1e-200});
    const double size = high - low > 1e-9 * scale ? high - low : scale;  // else it is constant
    return {low - 0.1 * size, high + 0.1 * size};
}

/// The curves and marks of panel (b); `abscissa` gives the place of a mark on the horizontal axis.
template <class Abscissa>
Axes draw_profiles(Document& d, const svg::Rect& frame, const svg::Axis& x,
                   const std::vector<Profile>& profiles, const Scene& scene,
                   const Abscissa& abscissa)
{
    const ContactConic& c = scene.conic;
    const Point range = energy_range(profiles, scene);
    const bool relative = std::abs(range.x + c.normal_energy) > 1e3 * (range.y - range.x);
    const double base = relative ? -c.rise(scene.solution().u) : c.normal_energy;
    const std::string name = relative ? "E − E of maximum dissipation" : "energy change E";
    Axes axes{frame, x, svg::linear_axis(range.x + base, range.y + base, name, "J", 8)};
    if (!relative) {
        axes.curve(d, {{x.low, 0}, {x.high, 0}}, {"#222222", 0.8});
    }
    std::vector<Point> obstacles;
    for (const Profile& profile : profiles) {
        std::vector<Point> shifted;
        for (const Point& p : profile.points) {
            shifted.push_back({p.x, p.y + base});
            obstacles.push_back(axes(p.x, p.y + base));
        }
        axes.curve(d, shifted, profile.stroke);
    }
    if (!scene.solution().on_conic) {
        const double level = c.rise(scene.solution().u) + base;
        axes.curve(d, {{x.low, level}, {x.high, level}}, {red, 1.5, "7 4"});
        d.text({frame.x + frame.width - 10, axes(0, level).y + 17}, "sticking, inside the conic",
               {.anchor = svg::Anchor::end, .colour = red, .halo = true});
    }
    draw_marks(d, scene, frame, obstacles, [&](const Mark& mark) {
        return mark.on_conic ? axes(abscissa(mark.u), c.rise(mark.u) + base)
                             : Point{infinity, infinity};
    });
    return axes;
}

/// Panel (b) of a proper conic: the energy over the angle.
void draw_energy(Document& d, const svg::Rect& frame, const Scene& scene)
{
    const ContactConic& c = scene.conic;
    std::vector<Vec> directions;
    for (const Mark& mark : scene.marks) {
        directions.push_back(mark.u);
    }
    std::vector<Point> curve;
    for (const double alpha : c.angles(directions)) {
        curve.push_back({alpha, c.f(alpha) > 0 ? c.rise(c.at_angle(alpha)) : infinity});
    }
    svg::Axis x{-pi, pi, "angle α", {}};
    constexpr std::array labels{"−π", "", "−π/2", "", "0", "", "π/2", "", "π"};
    for (std::size_t i = 0; i < labels.size(); ++i) {
        x.ticks.push_back({(static_cast<double>(i) - 4) * pi / 4, labels[i]});
    }
    if (c.k >= 1) {
        const Axes strip{frame, x, {0, 1, "", {}}};
        const std::string stripes = d.hatch("#d4d4d4");
        for (const double turn : {-2 * pi, 0.0, 2 * pi}) {
            const double left = c.axis_angle() + c.pole() + turn;
            const double right = c.axis_angle() - c.pole() + 2 * pi + turn;
            strip.area(d, {{left, 0}, {right, 0}, {right, 1}, {left, 1}}, {.fill = stripes});
            strip.curve(d, {{left, 0}, {left, 1}}, {"#444444", 1.4, "2 4"});
            strip.curve(d, {{right, 0}, {right, 1}}, {"#444444", 1.4, "2 4"});
        }
    }
    const auto angle = [](const Vec& u) { return std::atan2(u.o, u.t); };
    draw_profiles(d, frame, x, {{curve, conic_stroke}}, scene, angle).draw(d);
}

/// Panel (b) of a degenerate hyperbola: the energy along its two rays (one if k = 1).
void draw_ray_energy(Document& d, const svg::Rect& frame, const Scene& scene)
{
    const ContactConic& c = scene.conic;
    double longest = norm(c.u0);
    for (const Mark& mark : scene.marks) {
        longest = std::max(longest, norm(mark.u));
    }
    longest = longest > 0 ? 1.5 * longest : 1;
    std::vector<Profile> profiles;
    for (const double alpha : c.ray_angles()) {
        Profile profile{{}, profiles.empty() ? conic_stroke : second_ray};
        for (int i = 0; i <= 400; ++i) {
            const double r = longest * i / 400;
            profile.points.push_back({r, c.rise({r * std::cos(alpha), r * std::sin(alpha)})});
        }
        profiles.push_back(profile);
    }
    const svg::Axis x =
        svg::linear_axis(-0.04 * longest, longest, "|x_{to}| along the ray", "N s", 8);
    draw_profiles(d, frame, x, profiles, scene, [](const Vec& u) { return norm(u); }).draw(d);
}

/// Three columns: lines, minima, Coulomb solutions. Returns where it ends.
double draw_legend(Document& d, const Axes& panel, const Scene& scene, const Contours& lines)
{
    const ContactConic& c = scene.conic;
    std::array<int, 3> rows{};
    const auto next = [&](std::size_t column, std::string_view text) {
        const Point p{margin + 16 + 345.0 * static_cast<double>(column),
                      legend_top + 24 * rows[column]++};
        d.text({p.x + 26, p.y + 4.5}, text);
        return p;
    };
    const auto swatch = [&](std::string_view text, const svg::Stroke& stroke) {
        const Point p = next(0, text);
        d.line({p.x - 16, p.y}, {p.x + 16, p.y}, stroke);
    };
    swatch("E = const, equally spaced in √(E − E_{min})", {grey, 1});
    if (!lines.zero.empty()) {
        swatch("E = 0", {"black", 1.4});
    }
    if (c.kind == ConicKind::curve) {
        const Point p = next(0, "|x_{to}| = μx_{n} (" + c.name() + "), feasible inside");
        d.rect({p.x - 16, p.y - 7, 32, 14}, {.fill = blue, .fill_opacity = 0.1});
        d.line({p.x - 16, p.y - 7}, {p.x + 16, p.y - 7}, conic_stroke);
        if (c.k > 1) {
            const Point q = next(0, "no point of the conic at these angles");
            d.rect({q.x - 16, q.y - 7, 32, 14}, {.fill = d.hatch("#d4d4d4")});
        }
    } else if (c.kind == ConicKind::rays) {
        for (const double alpha : c.ray_angles()) {
            swatch(fmt::format("|x_{{to}}| = μx_{{n}}, α = {}", svg::number(alpha)),
                   alpha == c.ray_angles()[0] ? conic_stroke : second_ray);
        }
    }
    for (const Mark& mark : scene.marks) {
        constexpr std::array names{"unconstrained minimum", "maximum dissipation",
                                   "Coulomb solution ", "minimum along the conic"};
        const std::string text =
            fmt::format("{}{}, E = {} J", names[static_cast<std::size_t>(mark.kind)], mark.number,
                        svg::number(mark.energy));
        const Point p = next(mark.kind == MarkKind::coulomb ? 2 : 1, text);
        const bool seen = panel.frame.contains(panel(mark.u.t, mark.u.o));
        if (mark.kind == MarkKind::unconstrained && !seen) {
            draw_arrow(d, p, {1, 0});
        } else {
            draw_mark(d, mark.kind, p);
        }
    }
    return legend_top + 6 + 24 * *std::max_element(rows.begin(), rows.end());
}

}  // namespace

std::string contact_plot_svg(const ContactPicture& picture)
{
    Document d(page_width, legend_top);
    const double shrunk = 1700.0 / static_cast<double>(picture.title.size() + 1);
    d.text({margin, 32}, picture.title, {.size = std::min(18.0, shrunk), .bold = true});
    const Scene scene = make_scene(picture);
    const View view = choose_view(scene);
    const Vec size = view.high - view.low;
    if (!law::valid(picture.problem, scene.conic.reduced) || !std::isfinite(size.t + size.o)) {
        d.text({margin, 54}, "No valid contact problem: A has to be positive definite, μ ≥ 0 and "
                             "all numbers finite and of sensible size.");
        return d.str();
    }
    d.text({margin, 54}, describe(scene));

    const Vec middle = 0.5 * (view.low + view.high);
    svg::Rect frame{margin, 90, std::clamp(400 * size.t / size.o, 300.0, 460.0), 400};
    const double pixel = std::max(size.t / frame.width, size.o / frame.height);
    const Vec half{0.5 * pixel * frame.width, 0.5 * pixel * frame.height};
    const Axes panel{frame,
                     svg::linear_axis(middle.t - half.t, middle.t + half.t, "x_{t}", "N s",
                                      static_cast<int>(frame.width / 50)),
                     svg::linear_axis(middle.o - half.o, middle.o + half.o, "x_{o}", "N s", 8)};
    d.text({frame.x, 82}, "(a) plane of maximum compression", {.size = 14});
    const Contours lines = contours(scene.conic, middle, half, 14);
    draw_plane(d, panel, scene, lines);

    frame.x += frame.width + 105;
    frame.width = page_width - 25 - frame.x;
    d.text({frame.x, 82},
           scene.conic.kind == ConicKind::rays ? "(b) energy along " + scene.conic.name()
                                               : "(b) energy along the conic",
           {.size = 14});
    if (scene.conic.kind == ConicKind::curve) {
        draw_energy(d, frame, scene);
    } else if (scene.conic.kind == ConicKind::rays) {
        draw_ray_energy(d, frame, scene);
    } else {
        d.rect(frame, {.stroke = {"#222222"}});
        d.text({frame.x + frame.width / 2, frame.y + frame.height / 2},
               scene.conic.kind == ConicKind::none ? "β < 0: the contact separates, x = 0, E = 0"
                                                   : "The conic is a single point, x_{to} = 0.",
               {14, svg::Anchor::middle});
    }
    d.set_height(draw_legend(d, panel, scene, lines));
    return d.str();
}

}  // namespace scree::analyse
