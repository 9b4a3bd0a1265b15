#include "shapes/hull_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace scree::shapes {

namespace {

using Whole = std::int64_t;
__extension__ using Wide = __int128;

struct Point {
    Whole x, y, z;
};

/// Differences of coordinates are below 2³⁹, so that six times the volume of a tetrahedron is below
/// 2¹²⁰.
std::vector<Point> rounded(std::span<const Vec3<double>> points)
{
    Vec3<double> low = points[0], high = points[0];
    for (const Vec3<double>& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    const double scale = extent > 0 ? 0x1p39 / extent : 0;
    std::vector<Point> whole;
    whole.reserve(points.size());
    for (const Vec3<double>& p : points) {
        whole.push_back({static_cast<Whole>(std::llround(scale * (p.x - low.x))),
                         static_cast<Whole>(std::llround(scale * (p.y - low.y))),
                         static_cast<Whole>(std::llround(scale * (p.z - low.z)))});
    }
    return whole;
}

class Quickhull {
public:
    explicit Quickhull(std::span<const Vec3<double>> points) : points_(rounded(points)) {}

    std::vector<Triangle> triangles()
    {
        if (!begin()) {
            return {};
        }
        for (std::size_t f = 0; f < facets_.size(); ++f) {
            if (facets_[f].alive && !facets_[f].outside.empty()) {
                add(static_cast<int>(f));
            }
        }
        std::vector<Triangle> result;
        for (const Facet& f : facets_) {
            if (f.alive) {
                result.push_back(f.corner);
            }
        }
        return result;
    }

private:
    struct Facet {
        Triangle corner;
        std::array<int, 3> next;   ///< the facet behind the side from corner i to i + 1
        std::vector<int> outside;  ///< points that it sees
        bool alive = true;
    };

    /// Six times the volume of the tetrahedron over the triangle, positive where p is in front.
    Wide volume(const Triangle& t, int p) const
    {
        const Point &a = at(t[0]), &b = at(t[1]), &c = at(t[2]), &d = at(p);
        const Wide ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
        const Wide vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
        const Wide wx = d.x - a.x, wy = d.y - a.y, wz = d.z - a.z;
        return wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
    }
    const Point& at(int i) const { return points_[static_cast<std::size_t>(i)]; }
    Facet& facet(int f) { return facets_[static_cast<std::size_t>(f)]; }

    /// The first tetrahedron: two points far apart, one far from their line, one far from the
    /// plane.
    bool begin()
    {
        const int n = static_cast<int>(points_.size());
        const auto farthest = [&](auto&& measure) {
            int best = 0;
            for (int i = 1; i < n; ++i) {
                best = measure(i) > measure(best) ? i : best;
            }
            return best;
        };
        const auto between = [&](int i, int j) {
            return Vec3<double>{static_cast<double>(at(i).x - at(j).x),
                                static_cast<double>(at(i).y - at(j).y),
                                static_cast<double>(at(i).z - at(j).z)};
        };
        const int a = farthest([&](int i) { return -at(i).x; });
        const int b = farthest([&](int i) { return norm(between(i, a)); });
        const Vec3<double> d = between(b, a);
        const int c = farthest([&](int i) { return norm(cross(d, between(i, a))); });
        Triangle base{a, b, c};
        const int e = farthest([&](int i) {
            const Wide v = volume(base, i);
            return v < 0 ? -v : v;
        });
        const Wide v = volume(base, e);
        if (v == 0) {
            return false;
        }
        if (v > 0) {
            std::swap(base[1], base[2]);
        }
        // The base looks away from e; the others share a side with it each.
        facets_.push_back({base, {3, 1, 2}, {}});
        facets_.push_back({{base[2], base[1], e}, {0, 3, 2}, {}});
        facets_.push_back({{base[0], base[2], e}, {0, 1, 3}, {}});
        facets_.push_back({{base[1], base[0], e}, {0, 2, 1}, {}});
        std::vector<int> all(points_.size());
        for (int i = 0; i < n; ++i) {
            all[static_cast<std::size_t>(i)] = i;
        }
        deal(all, 0);
        return true;
    }

    /// Gives points to the first facet, from a number on, that sees them. Others are inside.
    void deal(const std::vector<int>& points, std::size_t from)
    {
        for (const int p : points) {
            for (std::size_t f = from; f < facets_.size(); ++f) {
                if (volume(facets_[f].corner, p) > 0) {
                    facets_[f].outside.push_back(p);
                    break;
                }
            }
        }
    }

    /// Adds the farthest point that facet f sees.
    void add(int f)
    {
        int p = facet(f).outside[0];
        Wide height = volume(facet(f).corner, p);
        for (const int q : facet(f).outside) {
            const Wide h = volume(facet(f).corner, q);
            if (h > height) {
                height = h;
                p = q;
            }
        }
        struct Side {
            int from, to, behind;
        };
        std::vector<Side> rim;
        std::vector<int> open, visible{f};
        facet(f).alive = false;
        for (std::size_t k = 0; k < visible.size(); ++k) {
            const Facet& g = facet(visible[k]);
            open.insert(open.end(), g.outside.begin(), g.outside.end());
            for (std::size_t i = 0; i < 3; ++i) {
                Facet& other = facet(g.next[i]);
                if (!other.alive) {
                    continue;
                }
                if (volume(other.corner, p) > 0) {
                    other.alive = false;
                    visible.push_back(g.next[i]);
                } else {
                    rim.push_back({g.corner[i], g.corner[(i + 1) % 3], g.next[i]});
                }
            }
        }
        // A facet over each side of the rim; those at its ends are its neighbours.
        std::erase_if(rim, [&](const Side& s) { return !facet(s.behind).alive; });
        const std::size_t first = facets_.size();
        std::unordered_map<int, int> starting_at, ending_at;
        for (std::size_t k = 0; k < rim.size(); ++k) {
            const int at_k = static_cast<int>(first + k);
            starting_at[rim[k].from] = at_k;
            ending_at[rim[k].to] = at_k;
        }
        for (const Side& s : rim) {
            const int at_k = static_cast<int>(facets_.size());
            facets_.push_back(
                {{s.from, s.to, p}, {s.behind, starting_at[s.to], ending_at[s.from]}, {}});
            Facet& behind = facet(s.behind);
            for (std::size_t i = 0; i < 3; ++i) {
                if (behind.corner[i] == s.to && behind.corner[(i + 1) % 3] == s.from) {
                    behind.next[i] = at_k;
                }
            }
        }
        for (const int g : visible) {
            facet(g).outside = {};
        }
        std::erase(open, p);
        deal(open, first);
    }

    std::vector<Point> points_;
    std::vector<Facet> facets_;
};

}  // namespace

std::vector<Triangle> hull_triangles(std::span<const Vec3<double>> points)
{
    return Quickhull(points).triangles();
}

}  // namespace scree::shapes
