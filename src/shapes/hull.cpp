// From the triangles of a hull to polygons: triangles that lie in one plane, to a tolerance, are
// joined, and corners that then lie inside of a face or of an edge are left out. Should what is
// left not be a closed surface, a smaller tolerance is taken.
#include "shapes/hull.hpp"

#include "scree/error.hpp"
#include "shapes/hull_triangles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string>

namespace scree::shapes {

namespace {

using Vec = Vec3<double>;
using Loop = std::vector<int>;  ///< a face's corners, counter-clockwise

double extent_of(const std::vector<Vec>& points)
{
    Vec low = points[0], high = points[0];
    for (const Vec& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

class Faces {
public:
    Faces(const std::vector<Vec>& points, const std::vector<Triangle>& triangles, double tolerance)
        : points_(points), triangles_(triangles), tolerance_(tolerance), group_(triangles.size())
    {
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            for (std::size_t i = 0; i < 3; ++i) {
                side_[{triangles[t][i], triangles[t][(i + 1) % 3]}] = t;
            }
        }
    }

    /// Nothing if the surface is not closed.
    std::optional<std::vector<Loop>> loops()
    {
        const int groups = join();
        if (groups < 4 || !outline(groups)) {
            return {};
        }
        leave_out();
        return closed() ? std::optional(loops_) : std::nullopt;
    }

private:
    const Vec& at(int i) const { return points_[static_cast<std::size_t>(i)]; }
    Vec area(const Triangle& t) const { return cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0])); }

    /// From the largest triangle on, those that are connected and in its plane make one face.
    int join()
    {
        std::vector<std::size_t> order(triangles_.size());
        std::vector<double> size(triangles_.size());
        for (std::size_t t = 0; t < order.size(); ++t) {
            order[t] = t;
            size[t] = norm(area(triangles_[t]));
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t s, std::size_t t) { return size[s] > size[t]; });
        int groups = 0;
        for (const std::size_t seed : order) {
            if (group_[seed] != 0) {
                continue;
            }
            ++groups;
            const Vec n = size[seed] > 0 ? direction_of(area(triangles_[seed])) : Vec{0, 0, 0};
            const Vec origin = at(triangles_[seed][0]);
            std::vector<std::size_t> front{seed};
            group_[seed] = groups;
            while (!front.empty()) {
                const Triangle t = triangles_[front.back()];
                front.pop_back();
                for (std::size_t i = 0; i < 3; ++i) {
                    const std::size_t next = side_.at({t[(i + 1) % 3], t[i]});
                    const Triangle& other = triangles_[next];
                    const bool flat = std::all_of(other.begin(), other.end(), [&](int p) {
                        return std::abs(dot(at(p) - origin, n)) <= tolerance_;
                    });
                    if (group_[next] == 0 && flat && dot(area(other), n) >= 0) {
                        group_[next] = groups;
                        front.push_back(next);
                    }
                }
            }
        }
        return groups;
    }

    /// One loop around each group; false if there is one that has none, or several.
    bool outline(int groups)
    {
        std::vector<std::map<int, int>> next(static_cast<std::size_t>(groups));
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            for (std::size_t i = 0; i < 3; ++i) {
                const int from = triangles_[t][i], to = triangles_[t][(i + 1) % 3];
                const int own = group_[t], other = group_[side_.at({to, from})];
                if (own != other &&
                    !next[static_cast<std::size_t>(own - 1)].emplace(from, to).second) {
                    return false;
                }
            }
        }
        for (const std::map<int, int>& of_group : next) {
            if (of_group.size() < 3) {
                return false;
            }
            Loop loop{of_group.begin()->first};
            for (int p = of_group.at(loop[0]); p != loop[0]; p = of_group.at(p)) {
                loop.push_back(p);
            }
            if (loop.size() != of_group.size()) {
                return false;
            }
            loops_.push_back(loop);
        }
        return true;
    }

    /// Takes away corners of two faces only that lie on the edge between their neighbours.
    void leave_out()
    {
        std::vector<std::vector<std::size_t>> faces(points_.size());
        for (std::size_t f = 0; f < loops_.size(); ++f) {
            for (const int p : loops_[f]) {
                faces[static_cast<std::size_t>(p)].push_back(f);
            }
        }
        for (int p = 0; p < static_cast<int>(points_.size()); ++p) {
            const auto& of_p = faces[static_cast<std::size_t>(p)];
            if (of_p.size() != 2) {
                continue;
            }
            const Loop& loop = loops_[of_p[0]];
            const std::size_t n = loop.size();
            const std::size_t k =
                static_cast<std::size_t>(std::find(loop.begin(), loop.end(), p) - loop.begin());
            const Vec before = at(loop[(k + n - 1) % n]);
            const Vec along = at(loop[(k + 1) % n]) - before, off = at(p) - before;
            if (n < 3 || norm(cross(along, off)) <= tolerance_ * norm(along)) {
                std::erase(loops_[of_p[0]], p);
                std::erase(loops_[of_p[1]], p);
            }
        }
        std::erase_if(loops_, [](const Loop& loop) { return loop.size() < 3; });
    }

    bool closed() const
    {
        std::map<std::pair<int, int>, int> uses;
        std::vector<bool> corner(points_.size());
        for (const Loop& loop : loops_) {
            for (std::size_t i = 0; i < loop.size(); ++i) {
                ++uses[{loop[i], loop[(i + 1) % loop.size()]}];
                corner[static_cast<std::size_t>(loop[i])] = true;
            }
        }
        const bool paired = std::all_of(uses.begin(), uses.end(), [&](const auto& use) {
            return use.second == 1 && uses.contains({use.first.second, use.first.first});
        });
        const auto corners = std::count(corner.begin(), corner.end(), true);
        return paired && corners - static_cast<std::ptrdiff_t>(uses.size() / 2) +
                                 static_cast<std::ptrdiff_t>(loops_.size()) ==
                             2;
    }

    const std::vector<Vec>& points_;
    const std::vector<Triangle>& triangles_;
    double tolerance_;
    std::vector<int> group_;  ///< from 1 on
    std::map<std::pair<int, int>, std::size_t> side_;
    std::vector<Loop> loops_;
};

Vec face_normal(const std::vector<Vec>& points, const Loop& loop)
{
    const Vec origin = points[static_cast<std::size_t>(loop[0])];
    Vec sum{0, 0, 0};
    for (std::size_t i = 2; i < loop.size(); ++i) {
        sum = sum + cross(points[static_cast<std::size_t>(loop[i - 1])] - origin,
                          points[static_cast<std::size_t>(loop[i])] - origin);
    }
    return is_zero(sum) ? sum : direction_of(sum);
}

/// Volume, centre and second moments, by tetrahedra over the triangles of all faces.
void integrate(const std::vector<Vec>& points, const std::vector<Loop>& faces, Polyhedron& out)
{
    Vec middle{0, 0, 0};
    for (const Vec& p : points) {
        middle = middle + (1 / static_cast<double>(points.size())) * p;
    }
    double volume = 0;
    Vec first{0, 0, 0};
    Sym3<double> second{0, 0, 0, 0, 0, 0};
    for (const Loop& loop : faces) {
        const auto corner = [&](std::size_t i) {
            return points[static_cast<std::size_t>(loop[i])] - middle;
        };
        for (std::size_t i = 2; i < loop.size(); ++i) {
            const Vec a = corner(0), b = corner(i - 1), c = corner(i), s = a + b + c;
            const double v = dot(a, cross(b, c)) / 6;
            const auto moment = [&](double Vec::*x, double Vec::*y) {
                return v / 20 * (a.*x * a.*y + b.*x * b.*y + c.*x * c.*y + s.*x * s.*y);
            };
            volume += v;
            first = first + (v / 4) * s;
            second = {second.xx + moment(&Vec::x, &Vec::x), second.xy + moment(&Vec::x, &Vec::y),
                      second.xz + moment(&Vec::x, &Vec::z), second.yy + moment(&Vec::y, &Vec::y),
                      second.yz + moment(&Vec::y, &Vec::z), second.zz + moment(&Vec::z, &Vec::z)};
        }
    }
    const Vec c = (1 / volume) * first;
    out.volume = volume;
    out.centre = middle + c;
    out.moments = {second.xx - c.x * first.x, second.xy - c.x * first.y, second.xz - c.x * first.z,
                   second.yy - c.y * first.y, second.yz - c.y * first.z, second.zz - c.z * first.z};
}

void require_limits(const std::vector<Vec>& points, const std::vector<Loop>& faces)
{
    if (points.size() > most_polyhedron_vertices) {
        throw Error("a polyhedron may have " + std::to_string(most_polyhedron_vertices) +
                    " corners at most; the hull of these points has " +
                    std::to_string(points.size()) + ": leave out points that matter little");
    }
    for (const Loop& loop : faces) {
        if (loop.size() > most_face_corners) {
            throw Error("a polyhedron's faces may have " + std::to_string(most_face_corners) +
                        " corners at most; one has " + std::to_string(loop.size()) +
                        ": use fewer, or a cylinder");
        }
    }
}

/// The block, or nothing if the faces are not those of a convex body.
std::optional<PolyhedronBlock> block_of(const std::vector<Vec>& points,
                                        const std::vector<Loop>& faces, double tolerance)
{
    require_limits(points, faces);
    Polyhedron head{};
    integrate(points, faces, head);
    if (!(head.volume > 0)) {
        return {};
    }
    std::vector<Polyhedron::Plane> planes;
    std::vector<Polyhedron::Edge> edges;
    std::vector<Polyhedron::Corner> corners;
    std::vector<std::uint16_t> begin{0};
    std::map<std::pair<int, int>, std::uint16_t> number;
    for (const Vec& p : points) {
        head.radius = std::max(head.radius, norm(p - head.centre));
        head.outer_radius = std::max(head.outer_radius, norm(p));
    }
    head.half_width = head.inner_radius = head.radius;
    for (const Loop& loop : faces) {
        const Vec n = face_normal(points, loop);
        double top = 0, bottom = 0;
        for (const Vec& p : points) {
            const double height = dot(n, p - head.centre);
            top = std::max(top, height);
            bottom = std::min(bottom, height);
        }
        planes.push_back({n, top});
        head.half_width = std::min(head.half_width, (top - bottom) / 2);
        head.inner_radius = std::min(head.inner_radius, 0.999 * top);
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const int p = loop[i], q = loop[(i + 1) % loop.size()];
            if (is_zero(n) ||
                dot(n, points[static_cast<std::size_t>(p)] - head.centre) < top - 10 * tolerance) {
                return {};
            }
            const auto [edge, fresh] =
                number.emplace(std::minmax(p, q), static_cast<std::uint16_t>(edges.size()));
            const auto face = static_cast<std::uint16_t>(begin.size() - 1);
            if (fresh) {
                const Vec along =
                    points[static_cast<std::size_t>(q)] - points[static_cast<std::size_t>(p)];
                edges.push_back({direction_of(along), static_cast<std::uint16_t>(p),
                                 static_cast<std::uint16_t>(q), face, face});
            }
            edges[edge->second].right = face;
            corners.push_back({static_cast<std::uint16_t>(p), edge->second});
        }
        begin.push_back(static_cast<std::uint16_t>(corners.size()));
    }
    if (!(head.half_width > 1e-5 * head.radius)) {
        throw Error("a polyhedron must not be flat: these points are within " +
                    std::to_string(head.half_width / head.radius) +
                    " of their extent of a plane, must be 1e-5 at least");
    }
    head.vertex_count = static_cast<std::uint16_t>(points.size());
    head.edge_count = static_cast<std::uint16_t>(edges.size());
    head.face_count = static_cast<std::uint16_t>(faces.size());
    head.corner_count = static_cast<std::uint16_t>(corners.size());
    const auto bytes_of = [](const auto& v) { return v.size() * sizeof v[0]; };
    head.bytes =
        static_cast<std::uint32_t>((sizeof head + bytes_of(points) + bytes_of(planes) +
                                    bytes_of(edges) + bytes_of(corners) + bytes_of(begin) + 7) /
                                   8 * 8);
    PolyhedronBlock block(head.bytes / 8);
    auto* to = reinterpret_cast<std::byte*>(block.data());
    const auto write = [&](const void* from, std::size_t bytes) {
        std::memcpy(to, from, bytes);
        to += bytes;
    };
    write(&head, sizeof head);
    write(points.data(), bytes_of(points));
    write(planes.data(), bytes_of(planes));
    write(edges.data(), bytes_of(edges));
    write(corners.data(), bytes_of(corners));
    write(begin.data(), bytes_of(begin));
    return block;
}

/// Of the points those with these numbers, in their order.
std::vector<Vec> chosen(const std::vector<Vec>& points, std::vector<int> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    std::vector<Vec> result;
    result.reserve(numbers.size());
    for (const int i : numbers) {
        result.push_back(points[static_cast<std::size_t>(i)]);
    }
    return result;
}

/// Leaves out points that are within the tolerance of an earlier one.
std::vector<Vec> without_twins(const std::vector<Vec>& points, double tolerance)
{
    std::vector<Vec> result;
    for (const Vec& p : points) {
        if (std::none_of(result.begin(), result.end(),
                         [&](const Vec& q) { return norm(p - q) <= tolerance; })) {
            result.push_back(p);
        }
    }
    return result;
}

void require_points(std::span<const Vec> points)
{
    if (points.size() < 4) {
        throw Error("a polyhedron needs 4 points at least; there are " +
                    std::to_string(points.size()));
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec& p = points[i];
        const double far = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        if (!(far <= 1e30) || !std::isfinite(p.x + p.y + p.z)) {
            throw Error("point " + std::to_string(i + 1) + " of a polyhedron is (" +
                        std::to_string(p.x) + ", " + std::to_string(p.y) + ", " +
                        std::to_string(p.z) + "), must be finite and below 1e30");
        }
    }
}

}  // namespace

PolyhedronBlock convex_hull(std::span<const Vec> given)
{
    require_points(given);
    std::vector<Vec> points(given.begin(), given.end());
    for (;;) {
        const std::vector<Triangle> triangles = hull_triangles(points);
        if (triangles.empty()) {
            throw Error("a polyhedron must not be flat: all points lie in a plane");
        }
        const double tolerance = 1e-6 * extent_of(points);
        std::vector<int> used;
        for (const Triangle& t : triangles) {
            used.insert(used.end(), t.begin(), t.end());
        }
        std::vector<Vec> kept = chosen(points, used);
        if (kept.size() <= 8 * most_polyhedron_vertices) {
            kept = without_twins(kept, tolerance);
        } else {
            require_limits(kept, {});
        }
        if (kept.size() < points.size()) {
            points = std::move(kept);
            continue;
        }
        bool again = false;
        double flat = tolerance;
        for (int k = 0; k < 8 && !again; ++k, flat = k < 7 ? flat / 10 : 0) {
            const auto faces = Faces(points, triangles, flat).loops();
            if (!faces) {
                continue;
            }
            std::vector<int> corners;
            for (const Loop& loop : *faces) {
                corners.insert(corners.end(), loop.begin(), loop.end());
            }
            kept = chosen(points, corners);
            if (kept.size() < points.size()) {
                again = true;
            } else if (auto block = block_of(points, *faces, tolerance)) {
                return *block;
            }
        }
        if (!again) {
            throw Error("a polyhedron cannot be made of these points: leave out those that almost "
                        "coincide or lie almost in a line");
        }
        points = std::move(kept);
    }
}

}  // namespace scree::shapes
