// What the picture of a contact has to show: its solutions and minima as marks in the plane of
// maximum compression, how each is drawn, and the part of the plane in which they are all seen.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analyse/axes.hpp"
#include "analyse/contact_conic.hpp"
#include "scree/analyse/contact_plot.hpp"

namespace scree::analyse::contact {

using Vec = math::plane::Vec<double>;

inline const std::string blue = "#1f5fbf";
inline const std::string red = "#d02020";

enum class MarkKind { unconstrained, max_dissipation, coulomb, minimum };

struct Mark {
    MarkKind kind;
    Vec u;
    double energy;
    bool on_conic;
    std::string number;
};

struct Scene {
    ContactConic conic;
    std::vector<Mark> marks;  ///< the unconstrained minimum first, the maximum dissipation second
    const Mark& solution() const { return marks[1]; }
};

inline Scene make_scene(const ContactPicture& picture)
{
    const ContactProblem<double>& p = picture.problem;
    Scene scene{ContactConic(p), {}};
    const ContactConic& conic = scene.conic;
    const auto add = [&](MarkKind kind, const ContactVector<double>& x, const std::string& number) {
        const Vec u{x.t, x.o};
        const bool boundary = norm(u) >= p.mu * x.n * (1 - 1e-7);
        scene.marks.push_back({kind, u, conic.energy(x), boundary, number});
    };
    scene.marks.push_back(
        {MarkKind::unconstrained, conic.u0, conic.rise(conic.u0) + conic.normal_energy, false, ""});
    add(MarkKind::max_dissipation, picture.max_dissipation, "");
    for (const Vec& u : conic.minima()) {
        if (norm(u - scene.solution().u) > 1e-3 * norm(u)) {
            const double energy = conic.rise(u) + conic.normal_energy;
            scene.marks.push_back({MarkKind::minimum, u, energy, true, ""});
        }
    }
    for (std::size_t i = 0; i < picture.coulomb.size(); ++i) {
        add(MarkKind::coulomb, picture.coulomb[i], fmt::format("{}", i + 1));
    }
    return scene;
}

/// The line below the title: what happens, and the numbers that decide it.
inline std::string describe(const Scene& scene)
{
    const ContactConic& c = scene.conic;
    const bool near_parabola = c.k != 1 && std::abs(c.k - 1) < 1e-3;
    return fmt::format("{}: {}, |κ| = {}, μ = {}, β = {} m/s",
                       c.kind == ConicKind::none   ? "separating (x = 0, off this plane)"
                       : scene.solution().on_conic ? "sliding"
                                                   : "sticking",
                       c.name(),
                       near_parabola ? fmt::format("1 {} {}", c.k < 1 ? "−" : "+",
                                                   svg::number(std::abs(c.k - 1), 2))
                                     : svg::number(c.k),
                       svg::number(c.problem.mu), svg::number(c.problem.beta));
}

inline void draw_mark(svg::Document& d, MarkKind kind, const svg::Point& p)
{
    switch (kind) {
    case MarkKind::unconstrained:
        d.line({p.x - 8, p.y}, {p.x + 8, p.y}, {"black", 2.2});
        d.line({p.x, p.y - 8}, {p.x, p.y + 8}, {"black", 2.2});
        break;
    case MarkKind::max_dissipation:
        d.line({p.x - 6, p.y - 6}, {p.x + 6, p.y + 6}, {red, 2.2});
        d.line({p.x - 6, p.y + 6}, {p.x + 6, p.y - 6}, {red, 2.2});
        break;
    case MarkKind::coulomb: d.circle(p, 5.5, {.stroke = {red, 1.8}}); break;
    case MarkKind::minimum: d.rect({p.x - 5, p.y - 5, 10, 10}, {.stroke = {blue, 1.8}}); break;
    }
}

/// An arrow about 22 px long whose middle is p.
inline void draw_arrow(svg::Document& d, const svg::Point& p, const Vec& direction)
{
    const auto at = [&](double along, double across) {
        return svg::Point{p.x + along * direction.t - across * direction.o,
                          p.y - along * direction.o - across * direction.t};
    };
    d.line(at(-11, 0), at(3, 0), {"black", 2});
    d.polygon({at(11, 0), at(2, 5), at(2, -5)}, {.fill = "black"});
}

/// Draws the marks where `place` puts them, if inside the frame, with numbers clear of `obstacles`.
template <class Place>
void draw_marks(svg::Document& d, const Scene& scene, const svg::Rect& frame,
                std::vector<svg::Point> obstacles, const Place& place)
{
    std::vector<std::pair<std::string, svg::Point>> numbers;
    for (const Mark& mark : scene.marks) {
        const svg::Point p = place(mark);
        if (frame.contains(p)) {
            draw_mark(d, mark.kind, p);
            obstacles.push_back(p);
            numbers.push_back({mark.number, p});
        }
    }
    for (const auto& [number, p] : numbers) {
        if (!number.empty()) {
            const svg::Point at = svg::free_place(p, obstacles, frame);
            obstacles.push_back(at);
            d.text({at.x, at.y + 4.5}, number, {13, svg::Anchor::middle, red, true, 0, true});
        }
    }
}

/// The part of the plane to be seen, as the lower left and the upper right corner.
struct View {
    Vec low, high;
};

/// All solutions, the origin, and as much of the conic as is about as large; of the other marks
/// those that do not shrink the rest to a speck.
inline View choose_view(const Scene& scene)
{
    const ContactConic& c = scene.conic;
    double reach = c.kind == ConicKind::curve ? c.rho / (1 + c.k) : 0;
    for (const Mark& mark : scene.marks) {
        if (mark.kind == MarkKind::max_dissipation || mark.kind == MarkKind::coulomb) {
            reach = std::max(reach, norm(mark.u));
        }
    }
    const double speck = reach > 0 ? 4 * reach : std::numeric_limits<double>::max();
    std::vector<Vec> seen{{0, 0}};
    for (const Mark& mark : scene.marks) {
        if (norm(mark.u) <= speck) {
            seen.push_back(mark.u);
            reach = std::max(reach, norm(mark.u));
        }
    }
    if (c.kind == ConicKind::curve || c.kind == ConicKind::rays) {
        // r = ρ/(1+k) + kq: all of the conic if that is at most four times as large as the rest.
        const bool whole = c.k < 1 && c.rho / (1 - c.k) <= 4 * reach;
        const double longest = (1.1 * reach - c.rho / (1 + c.k)) / std::max(c.k, 0.1);
        const std::vector<Vec> arc = c.arc(whole ? std::numeric_limits<double>::max() : longest);
        seen.insert(seen.end(), arc.begin(), arc.end());
    }
    View view{{0, 0}, {0, 0}};
    for (const Vec& u : seen) {
        view.low = {std::min(view.low.t, u.t), std::min(view.low.o, u.o)};
        view.high = {std::max(view.high.t, u.t), std::max(view.high.o, u.o)};
    }
    const Vec size = view.high - view.low;
    const double largest = std::max(size.t, size.o);
    const double whole = largest > 1e-200 ? largest : 1;
    const Vec margin{std::max(0.12 * whole, 0.35 * whole - 0.5 * size.t),
                     std::max(0.12 * whole, 0.35 * whole - 0.5 * size.o)};
    return {view.low - margin, view.high + margin};
}

}  // namespace scree::analyse::contact
