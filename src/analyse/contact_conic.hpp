// The geometry of one contact in the plane of maximum compression, for pictures of it: the energy
// as a function of u = x_to, E = A_nn(½uᵀHu − u·h) + E_n with E_n its value at u = 0, and the conic
// |u| + κ·u = ρ in which the friction cone cuts the plane, by angle and by arc. Letters as in
// docs/theory.md.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "law/reduced.hpp"

namespace scree::analyse {

enum class ConicKind { none, point, rays, curve };

struct ContactConic {
    using Vec = math::plane::Vec<double>;

    ContactProblem<double> problem;
    law::Reduced<double> reduced;
    Vec h, kappa;
    Vec u0;    ///< the unconstrained minimum on the plane
    Vec axis;  ///< κ/|κ|
    double k;  ///< |κ|, the eccentricity
    double rho;
    double normal_energy;  ///< E_n
    ConicKind kind;        ///< none: the contact separates; rays: one if k = 1

    explicit ContactConic(const ContactProblem<double>& p)
        : problem(p), reduced(law::reduce(p.A)), h(law::reduced_rhs(reduced, p.b, p.b.n)),
          kappa(p.mu * reduced.p), u0(law::solve(reduced, h)),
          axis(math::plane::polar(kappa).direction), k(norm(kappa)),
          rho(p.mu * p.beta * reduced.inverse_nn),
          normal_energy(p.beta * reduced.inverse_nn * (0.5 * p.beta - p.b.n)),
          kind(p.beta < 0 ? ConicKind::none
               : rho > 0  ? ConicKind::curve
               : k >= 1   ? ConicKind::rays
                          : ConicKind::point)
    {
    }

    std::string name() const
    {
        switch (kind) {
        case ConicKind::none: return "no conic";
        case ConicKind::point: return "a point";
        case ConicKind::rays: return k > 1 ? "two rays" : "a ray";
        case ConicKind::curve: break;
        }
        const bool parabola = std::abs(k - 1) < 1e-9;
        return k == 0 ? "circle" : parabola ? "parabola" : k < 1 ? "ellipse" : "hyperbola";
    }

    /// E − E_n at u on the plane.
    double rise(const Vec& u) const
    {
        return problem.A.nn * (0.5 * dot(u, reduced.H * u) - dot(u, h));
    }

    /// E(x) = ½xᵀAx − xᵀb of any impulse.
    double energy(const ContactVector<double>& x) const
    {
        const DelassusBlock<double>& A = problem.A;
        const math::plane::Sym<double> tangential{A.tt, A.to, A.oo};
        const Vec u{x.t, x.o};
        return x.n * (0.5 * A.nn * x.n + A.nt * x.t + A.no * x.o - problem.b.n) +
               dot(u, 0.5 * (tangential * u) - Vec{problem.b.t, problem.b.o});
    }

    /// 1 + κ·e at the angle α: the conic is r = ρ/f where f > 0.
    double f(double alpha) const
    {
        const double half = std::sin(0.5 * (alpha - axis_angle() - std::numbers::pi));
        return 1 - k + 2 * k * half * half;
    }
    Vec at_angle(double alpha) const
    {
        const double r = rho / f(alpha);
        return {r * std::cos(alpha), r * std::sin(alpha)};
    }
    /// dE/dα up to a positive factor, where f > 0.
    double slope(double alpha) const
    {
        const Vec e{std::cos(alpha), std::sin(alpha)};
        return dot(perp(e) + perp(kappa), rho * (reduced.H * e) - f(alpha) * h);
    }
    double axis_angle() const { return std::atan2(axis.o, axis.t); }
    /// Where f changes sign (k ≥ 1): axis_angle() ± pole().
    double pole() const { return std::acos(-1 / std::max(1.0, k)); }

    /// The angles of the rays.
    std::vector<double> ray_angles() const
    {
        const double first = std::remainder(axis_angle() + pole(), 2 * std::numbers::pi);
        const double second = std::remainder(axis_angle() - pole(), 2 * std::numbers::pi);
        return k > 1 ? std::vector{first, second} : std::vector{first};
    }

    /// The conic of any kind as one curve through its vertex: y = ρ/(1+k) − q along the axis,
    /// w² = q(2ρ + (k²−1)q) across it, for all q up to `longest` and the conic's own length.
    std::vector<Vec> arc(double longest) const
    {
        constexpr int half = 400;
        constexpr double endless = std::numeric_limits<double>::infinity();
        const double length = std::min(longest, k < 1 ? 2 * rho / ((1 - k) * (1 + k)) : endless);
        std::vector<Vec> points;
        for (int i = -half; i <= half; ++i) {
            const double s = std::sin(0.5 * std::numbers::pi * i / half);
            const double q = s * s * length;
            const double w = std::sqrt(std::max(0.0, q * (2 * rho + (k - 1) * (k + 1) * q)));
            points.push_back((rho / (1 + k) - q) * axis + (i < 0 ? -w : w) * perp(axis));
        }
        return points;
    }

    /// Sorted angles in [−π, π], evenly spread and ever denser towards the vertices, the poles and
    /// the given directions.
    std::vector<double> angles(const std::vector<Vec>& directions = {}) const
    {
        using std::numbers::pi;
        const double alpha = axis_angle();
        std::vector<double> centres{alpha, alpha + pi, alpha + pole(), alpha - pole()};
        for (const Vec& u : directions) {
            centres.push_back(std::atan2(u.o, u.t));
        }
        std::vector<double> all;
        for (int i = -360; i <= 360; ++i) {
            all.push_back(i * pi / 360);
        }
        for (const double centre : centres) {
            for (double offset = 0.1; offset > 1e-9 && std::isfinite(centre); offset *= 0.85) {
                all.push_back(std::remainder(centre + offset, 2 * pi));
                all.push_back(std::remainder(centre - offset, 2 * pi));
            }
        }
        std::sort(all.begin(), all.end());
        return all;
    }

    /// The minima of the energy along the curve.
    std::vector<Vec> minima() const
    {
        std::vector<Vec> found;
        const std::vector<double> all = angles({u0});
        for (std::size_t i = 0; kind == ConicKind::curve && i < all.size(); ++i) {
            double left = all[i];
            double right = i + 1 < all.size() ? all[i + 1] : all[0] + 2 * std::numbers::pi;
            if (f(left) > 0 && f(right) > 0 && slope(left) < 0 && slope(right) >= 0) {
                for (int step = 0; step < 60; ++step) {
                    const double middle = 0.5 * (left + right);
                    (slope(middle) < 0 ? left : right) = middle;
                }
                found.push_back(at_angle(right));
            }
        }
        return found;
    }
};

/// The contour lines of the energy as circles: in v = Lᵀ(u − u₀), H = LLᵀ. All is reckoned from the
/// middle of a rectangle, so the lines stay smooth even if u₀ is very far away.
class EnergyCircles {
public:
    using Vec = math::plane::Vec<double>;

    /// As far as they cross the rectangle middle ± half.
    EnergyCircles(const ContactConic& c, const Vec& middle, const Vec& half)
        : l11_(std::sqrt(c.reduced.H.tt)), l21_(c.reduced.H.to / l11_),
          l22_(std::sqrt(c.reduced.det) / l11_), middle_(middle), m_(transformed(middle - c.u0)),
          distance_(norm(m_)), towards_(polar(m_).direction)
    {
        const Vec a = transformed({half.t, half.o});
        const Vec b = transformed({half.t, -half.o});
        const std::array corners{a, b, -1.0 * a, -1.0 * b};
        const Vec offset = c.u0 - middle;
        const bool around = std::abs(offset.t) <= half.t && std::abs(offset.o) <= half.o;
        near_ = around ? -distance_ : 0;
        left_ = around ? -std::numbers::pi : 0;
        right_ = -left_;
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec v = m_ + corners[i];
            const Vec side = corners[(i + 1) % 4] - corners[i];
            const double along = std::clamp(-dot(v, side) / dot(side, side), 0.0, 1.0);
            near_ = std::min(near_, excess(corners[i] + along * side));
            far_ = std::max(far_, excess(corners[i]));
            const double angle = std::atan2(dot(perp(towards_), v), dot(towards_, v));
            left_ = std::min(left_, angle);
            right_ = std::max(right_, angle);
        }
    }

    /// |m|, of the rectangle's middle from u₀.
    [[nodiscard]] double distance() const { return distance_; }
    /// The radii, less |m|, that the rectangle spans.
    [[nodiscard]] double near() const { return near_; }
    [[nodiscard]] double far() const { return far_; }

    /// The circle of this radius, less |m|.
    [[nodiscard]] std::vector<Vec> line(double radius_excess) const
    {
        constexpr int steps = 360;
        const double radius = distance_ + radius_excess;
        std::vector<Vec> points;
        for (int i = 0; i <= steps; ++i) {
            const double angle = left_ + (right_ - left_) * i / steps;
            const double sine = std::sin(0.5 * angle);
            const Vec d = (radius_excess - 2 * radius * sine * sine) * towards_ +
                          (radius * std::sin(angle)) * perp(towards_);
            const double o = d.o / l22_;
            points.push_back(middle_ + Vec{(d.t - l21_ * o) / l11_, o});
        }
        return points;
    }

private:
    [[nodiscard]] Vec transformed(const Vec& u) const
    {
        return {l11_ * u.t + l21_ * u.o, l22_ * u.o};
    }
    /// |m + d| − |m|
    [[nodiscard]] double excess(const Vec& d) const
    {
        const double sum = norm(m_ + d) + distance_;
        return sum > 0 ? dot(d, m_ + (m_ + d)) / sum : 0;
    }

    double l11_, l21_, l22_;
    Vec middle_, m_;  ///< the rectangle's middle, as it is and as seen from u₀ in v
    double distance_;
    Vec towards_;  ///< m/|m|
    double near_ = 0, far_ = 0;
    double left_ = 0, right_ = 0;  ///< the angles from m that the rectangle spans
};

/// Contour lines of the energy that cross a rectangle of the plane.
struct Contours {
    std::vector<std::vector<math::plane::Vec<double>>> lines;
    std::vector<math::plane::Vec<double>> zero;  ///< E = 0; empty if it is not there
};

/// About `count` contour lines in the rectangle middle ± half, equally spaced in √(E − E_min), that
/// is as ellipses, with E = 0 among them where it can be.
inline Contours contours(const ContactConic& c, const math::plane::Vec<double>& middle,
                         const math::plane::Vec<double>& half, int count)
{
    const EnergyCircles circles(c, middle, half);
    const double near = circles.near(), far = circles.far();
    // E = 0 has the radius `zero`; without it the lines count from u₀, where the radius is 0.
    const double least = c.rise(c.u0) + c.normal_energy;
    const double zero = std::sqrt(std::max(0.0, -2 * least / c.problem.A.nn));
    const double at_middle = -2 * (c.rise(middle) + c.normal_energy) / c.problem.A.nn;
    const double start = zero > 0 ? at_middle / (zero + circles.distance()) : -circles.distance();
    double gap = (far - near) / count;
    if (2.5 * zero > gap) {
        // Four lines up to E = 0 if that does not give far more than `count` in all.
        gap = zero / std::max(std::round(zero / gap), std::min(4.0, std::floor(2.5 * zero / gap)));
    }
    const double first = std::floor((near - start) / gap + 1e-6) + 1;
    Contours result;
    for (int i = 0; i <= 3 * count && start + (first + i) * gap < far; ++i) {
        result.lines.push_back(circles.line(start + (first + i) * gap));
    }
    if (zero > 0 && near < start && start < far) {
        result.zero = circles.line(start);
    }
    return result;
}

}  // namespace scree::analyse
