// Making clumps. Mass properties of the parts are added up. Of what they share the excess is taken
// away: along lines it has a closed form, which is integrated over a plane by Gauss's rule on some
// hundred intervals each way.
#include "shapes/clump.hpp"

#include "math/hash.hpp"
#include "math/tensor.hpp"
#include "scree/error.hpp"
#include "shapes/collide_simple.hpp"
#include "shapes/ray_interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace scree {

namespace {

using shapes::Interval;
using Vec = Vec3<double>;

/// Volume, first and second moments (xx, xy, xz, yy, yz, zz).
using Integrals = std::array<double, 10>;

Integrals plus(const Integrals& a, const Integrals& b, double factor)
{
    Integrals sum;
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] = a[i] + factor * b[i];
    }
    return sum;
}

/// What parts that overlap have counted too often.
class Excess {
public:
    explicit Excess(const std::vector<ClumpPart>& parts) : parts_(parts)
    {
        for (const ClumpPart& part : parts) {
            const auto height = [&](double up) {
                return shapes::farthest_point(part.shape, part.pose, {0, 0, up}).z;
            };
            extent_.push_back({height(-1), height(1)});
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                note_limits(parts[i], parts[j]);
            }
        }
        thin(y_);
        thin(z_);
    }

    Integrals value()
    {
        if (z_.empty()) {
            return {};
        }
        return over(z_, [&](double z) {
            crossed_.clear();
            for (std::size_t i = 0; i < parts_.size(); ++i) {
                if (extent_[i].from <= z && z <= extent_[i].to) {
                    crossed_.push_back(&parts_[i]);
                }
            }
            return over(y_, [&](double y) { return on_line(y, z); });
        });
    }

private:
    /// Limits in order, the first and the last and as many between them as are not close together.
    static void thin(std::vector<double>& limits)
    {
        std::sort(limits.begin(), limits.end());
        if (limits.empty()) {
            return;
        }
        const double last = limits.back(), apart = (last - limits.front()) / 20;
        std::vector<double> kept{limits.front()};
        for (const double x : limits) {
            if (x - kept.back() > apart && last - x > apart) {
                kept.push_back(x);
            }
        }
        kept.push_back(last);
        limits = std::move(kept);
    }
    /// The box that two parts share, seen along x.
    void note_limits(const ClumpPart& a, const ClumpPart& b)
    {
        shapes::Manifold points;
        shapes::collide_convex_shapes(a.shape, a.pose, b.shape, b.pose, 0, points);
        if (points.count == 0) {
            return;
        }
        const auto common = [&](double Vec::*x, const Vec& e) {
            const auto far = [&](const ClumpPart& p, const Vec& m) {
                return shapes::farthest_point(p.shape, p.pose, m).*x;
            };
            return std::pair(std::max(far(a, -e), far(b, -e)), std::min(far(a, e), far(b, e)));
        };
        const auto [y_from, y_to] = common(&Vec::y, {0, 1, 0});
        const auto [z_from, z_to] = common(&Vec::z, {0, 0, 1});
        if (y_to > y_from && z_to > z_from) {
            y_.insert(y_.end(), {y_from, y_to});
            z_.insert(z_.end(), {z_from, z_to});
        }
    }

    static void add_interval(double from, double to, double y, double z, double sign,
                             Integrals& sum)
    {
        const double n = to - from, x = (to * to - from * from) / 2;
        const double xx = (to * to * to - from * from * from) / 3;
        sum = plus(sum, {n, x, n * y, n * z, xx, x * y, x * z, n * y * y, n * y * z, n * z * z},
                   sign);
    }
    /// The same of a line along x.
    Integrals on_line(double y, double z)
    {
        line_.clear();
        for (const ClumpPart* part : crossed_) {
            const Quat<double>& q = part->pose.orientation;
            const Vec o = rotate_back(q, Vec{0, y, z} - part->pose.position);
            const Interval in = shapes::chord(part->shape, o, rotate_back(q, Vec{1, 0, 0}));
            if (in.to > in.from) {
                line_.push_back(in);
            }
        }
        std::sort(line_.begin(), line_.end(),
                  [](const Interval& a, const Interval& b) { return a.from < b.from; });
        Integrals sum{};
        double reached = -shapes::endless;
        for (const Interval& in : line_) {
            if (reached > in.from) {
                add_interval(in.from, std::min(reached, in.to), y, z, 1, sum);
            }
            reached = std::max(reached, in.to);
        }
        return sum;
    }

    /// The integral between the first and the last of the limits.
    template <class F> static Integrals over(const std::vector<double>& limits, F&& f)
    {
        constexpr double panels = 128;  // and at most one more between any two limits
        const double whole = limits.back() - limits.front();
        Integrals sum{};
        for (std::size_t i = 1; i < limits.size(); ++i) {
            const double from = limits[i - 1], width = limits[i] - from;
            const double n = std::ceil(panels * width / whole);
            for (double k = 0; k < n; ++k) {
                sum = plus(sum, gauss(from + k / n * width, from + (k + 1) / n * width, f), 1);
            }
        }
        return sum;
    }
    template <class F> static Integrals gauss(double from, double to, F& f)
    {
        constexpr double x[4] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                 0.96028985649753623};
        constexpr double w[4] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                 0.10122853629037626};
        const double half = (to - from) / 2, middle = (from + to) / 2;
        Integrals sum{};
        for (int i = 0; i < 4; ++i) {
            sum = plus(sum, f(middle - half * x[i]), half * w[i]);
            sum = plus(sum, f(middle + half * x[i]), half * w[i]);
        }
        return sum;
    }

    const std::vector<ClumpPart>& parts_;
    std::vector<Interval> extent_;           ///< along z
    std::vector<double> y_, z_;              ///< limits of boxes that parts share
    std::vector<const ClumpPart*> crossed_;  ///< parts at a height z
    std::vector<Interval> line_;
};

/// Moments of all parts, overlaps counted as often as parts share them.
Integrals added(const std::vector<ClumpPart>& parts)
{
    Integrals sum{};
    for (const ClumpPart& part : parts) {
        const MassProperties m = mass_properties(part.shape, 1);
        const Vec c = part.pose.position + rotate(part.pose.orientation, m.centre);
        // ∫ x xᵀ = ½ tr I − I about the centre.
        const Sym3<double> I = rotated(part.pose.orientation, m.inertia);
        const double half = (I.xx + I.yy + I.zz) / 2, v = m.mass;
        sum = plus(sum,
                   {v, v * c.x, v * c.y, v * c.z, half - I.xx + v * c.x * c.x,
                    -I.xy + v * c.x * c.y, -I.xz + v * c.x * c.z, half - I.yy + v * c.y * c.y,
                    -I.yz + v * c.y * c.z, half - I.zz + v * c.z * c.z},
                   1);
    }
    return sum;
}

void require_good(std::span<const Part> parts)
{
    if (parts.empty() || parts.size() > most_clump_parts) {
        throw Error("a clump has " + std::to_string(parts.size()) + " parts, must be from 1 to " +
                    std::to_string(most_clump_parts));
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = parts[i];
        const std::string which = "part " + std::to_string(i + 1) + " of a clump";
        if (is_wall(part.shape.kind) || part.shape.kind == ShapeKind::clump) {
            throw Error(which + " is a " + std::string(name_of(part.shape.kind)) +
                        ", must be bounded and convex");
        }
        if (const std::string_view wrong = problems_with(part.shape); !wrong.empty()) {
            throw Error(which + ": " + std::string(wrong));
        }
        if (part.shape.kind == ShapeKind::capsule && part.shape.size.x == 0) {
            throw Error(which + " is a rod without thickness; give it a radius");
        }
        const Vec& p = part.position;
        if (!std::isfinite(p.x + p.y + p.z) || !is_unit(part.orientation)) {
            throw Error(which + " has a position that is not finite or an orientation that is not "
                                "a unit quaternion");
        }
    }
}

std::vector<ClumpPart> placed(std::span<const Part> parts)
{
    std::vector<ClumpPart> result;
    for (const Part& part : parts) {
        ClumpPart p;
        std::memset(static_cast<void*>(&p), 0, sizeof p);
        p.shape.kind = part.shape.kind;
        p.shape.size = part.shape.size;
        p.shape.solid = part.shape.solid;
        const Quat<double>& q = part.orientation;
        const double given = norm(q);
        // What is of length 1 stays, so that parts of a clump make the same clump again.
        const double length = std::abs(given - 1) <= 1e-14 ? 1 : given;
        // Zeros without a sign, so that equal parts have the same bits.
        p.pose = {part.position + Vec{0, 0, 0},
                  {q.w / length + 0.0, q.x / length + 0.0, q.y / length + 0.0, q.z / length + 0.0}};
        const shapes::Placed body = shapes::place(part.shape, p.pose, {0, 0, 0});
        p.middle = body.centre;
        p.radius = part.shape.solid != nullptr ? body.large : shapes::bounding_radius(part.shape);
        result.push_back(p);
    }
    return result;
}

}  // namespace

Shape Shape::clump(std::span<const Part> given)
{
    require_good(given);
    const std::vector<ClumpPart> parts = placed(given);
    // None is ever given up, as with polyhedra.
    using Block = std::vector<std::uint64_t>;
    static std::mutex door;
    static auto& known = *new std::multimap<std::uint64_t, Block>;
    math::Digest digest;
    digest.add(std::as_bytes(std::span(parts)));
    const std::size_t bytes = parts.size() * sizeof(ClumpPart);
    const auto clump_in = [](const Block& block) {
        return reinterpret_cast<const Clump*>(block.data());
    };
    const std::lock_guard guard(door);
    auto [from, to] = known.equal_range(digest.value());
    for (; from != to; ++from) {
        const Clump* clump = clump_in(from->second);
        if (clump->count == parts.size() && std::memcmp(clump->parts(), parts.data(), bytes) == 0) {
            return {ShapeKind::clump, {1, 0, 0}, nullptr, clump};
        }
    }
    const Integrals all = added(parts), m = plus(all, Excess(parts).value(), -1);
    const Vec c{m[1] / m[0], m[2] / m[0], m[3] / m[0]};
    Clump head{};
    head.bytes = static_cast<std::uint32_t>(sizeof head + bytes);
    head.count = static_cast<std::uint32_t>(parts.size());
    head.volume = m[0];
    head.centre = c;
    head.moments = {m[4] - c.x * m[1], m[5] - c.x * m[2], m[6] - c.x * m[3],
                    m[7] - c.y * m[2], m[8] - c.y * m[3], m[9] - c.z * m[3]};
    for (const ClumpPart& part : parts) {
        head.outer_radius = std::max(head.outer_radius, norm(part.middle) + part.radius);
    }
    static_assert(sizeof(Clump) % 8 == 0 && sizeof(ClumpPart) % 8 == 0);
    Block block(head.bytes / 8);
    std::memcpy(block.data(), &head, sizeof head);
    std::memcpy(block.data() + sizeof head / 8, parts.data(), bytes);
    const Block& kept = known.emplace(digest.value(), std::move(block))->second;
    return {ShapeKind::clump, {1, 0, 0}, nullptr, clump_in(kept)};
}

std::vector<Part> parts_of(const Shape& shape)
{
    std::vector<Part> parts;
    for (int i = 0; shape.parts != nullptr && i < shapes::part_count(shape); ++i) {
        const shapes::PlacedPart p = shapes::part_of(shape, {{0, 0, 0}, {1, 0, 0, 0}}, i);
        parts.push_back({p.shape, p.pose.position, p.pose.orientation});
    }
    return parts;
}

}  // namespace scree
