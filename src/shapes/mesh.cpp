// Making meshes: points that coincide are joined, triangles that are no longer triangles or there
// twice are left out, and what is around each edge and point is listed; then the tree of boxes.
#include "shapes/mesh.hpp"

#include "math/hash.hpp"
#include "scree/error.hpp"
#include "scree/shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

namespace scree {

namespace {

using Vec = Vec3<double>;
using Corners = std::array<std::uint32_t, 3>;
using Block = std::vector<std::uint64_t>;

void require_good(std::span<const Vec> points, std::span<const Corners> triangles)
{
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec& p = points[i];
        // Products of four lengths must be numbers too.
        const auto good = [](double x) { return std::abs(x) < 1e60; };
        if (!good(p.x) || !good(p.y) || !good(p.z)) {
            throw Error("a mesh has a point " + std::to_string(i) +
                        " whose coordinates are not finite or above 1e60");
        }
    }
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        for (const std::uint32_t corner : triangles[i]) {
            if (corner >= points.size()) {
                throw Error("triangle " + std::to_string(i) + " of a mesh has the corner " +
                            std::to_string(corner) + "; there are " +
                            std::to_string(points.size()) + " points, numbered from 0");
            }
        }
    }
    if (triangles.size() > most_mesh_triangles) {
        throw Error("a mesh has " + std::to_string(triangles.size()) + " triangles, must be " +
                    std::to_string(most_mesh_triangles) + " at most");
    }
}

/// Points that are within a distance of an earlier one become that one.
class Welding {
public:
    Welding(std::span<const Vec> points, double within)
        : points_(points), within_(within), next_(points.size(), none)
    {
        first_.reserve(points.size());
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            became_.push_back(find(i));
        }
    }
    [[nodiscard]] const std::vector<std::uint32_t>& became() const { return became_; }

private:
    using Cell = std::array<double, 3>;
    struct Hash {
        std::size_t operator()(const Cell& c) const
        {
            math::Digest d;
            for (const double x : c) {
                d.add(x + 0.0);
            }
            return d.value();
        }
    };
    std::uint32_t find(std::uint32_t i)
    {
        const Vec& p = points_[i];
        // Cells are twice as wide as the distance: a point near it is in one of eight.
        const auto cell = [&](double x) { return std::floor(x / (2 * within_)); };
        const auto side = [&](double x) { return x / (2 * within_) - cell(x) < 0.5 ? -1.0 : 1.0; };
        const Cell own{cell(p.x), cell(p.y), cell(p.z)};
        const Cell step{side(p.x), side(p.y), side(p.z)};
        for (int k = 0; k < 8; ++k) {
            const auto at = first_.find({own[0] + ((k & 1) != 0 ? step[0] : 0),
                                         own[1] + ((k & 2) != 0 ? step[1] : 0),
                                         own[2] + ((k & 4) != 0 ? step[2] : 0)});
            for (std::uint32_t other = at != first_.end() ? at->second : none; other != none;
                 other = next_[other]) {
                if (norm(points_[other] - p) <= within_) {
                    return other;
                }
            }
        }
        const auto [at, fresh] = first_.emplace(own, i);
        if (!fresh) {
            next_[i] = std::exchange(at->second, i);
        }
        return i;
    }

    static constexpr std::uint32_t none = 0xffffffffU;
    std::span<const Vec> points_;
    double within_;
    std::vector<std::uint32_t> became_;
    std::unordered_map<Cell, std::uint32_t, Hash> first_;  ///< points of cells, the last first
    std::vector<std::uint32_t> next_;
};

/// A surface on its way to a block.
struct Surface {
    std::vector<Vec> points;
    std::vector<Mesh::Triangle> triangles;
    std::vector<Vec> normals;  ///< unit, of triangles
    std::vector<std::uint32_t> wing_begin, wings, spoke_begin, spokes;
    std::vector<std::uint8_t> flat;  ///< edges, then points
    std::vector<Mesh::Node> nodes;
    std::uint32_t edge_count = 0;
};

void take_triangles(std::span<const Vec> points, std::span<const Corners> triangles, Surface& to,
                    MeshRepairs& repairs)
{
    Vec low{1e300, 1e300, 1e300}, high = -low;
    for (const Vec& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec extent = high - low;
    const double within = 1e-9 * std::max({extent.x, extent.y, extent.z, 1e-290});
    const Welding welding(points, within);
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        repairs.joined_points += welding.became()[i] != i ? 1 : 0;
    }
    std::vector<std::pair<Corners, std::uint32_t>> good;  // corners in order, and which it was
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        Corners c = triangles[i];
        for (std::uint32_t& corner : c) {
            corner = welding.became()[corner];
        }
        const Vec a = points[c[1]] - points[c[0]], b = points[c[2]] - points[c[1]],
                  d = points[c[0]] - points[c[2]];
        const double longest2 = std::max({dot(a, a), dot(b, b), dot(d, d)});
        // Its height over its longest side.
        if (!(norm(cross(a, b)) > 1e-9 * longest2) || !(longest2 > 0)) {
            ++repairs.degenerate;
            continue;
        }
        std::sort(c.begin(), c.end());
        good.push_back({c, i});
    }
    std::sort(good.begin(), good.end());
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < good.size(); ++i) {
        if (i > 0 && good[i].first == good[i - 1].first) {
            ++repairs.duplicate;
        } else {
            kept.push_back(good[i].second);
        }
    }
    std::sort(kept.begin(), kept.end());
    to.points.assign(points.begin(), points.end());
    for (const std::uint32_t i : kept) {
        Mesh::Triangle t{};
        for (std::size_t k = 0; k < 3; ++k) {
            t.corner[k] = welding.became()[triangles[i][k]];
        }
        to.triangles.push_back(t);
    }
}

/// Points in the order in which triangles have them, others left out.
void number_points(Surface& s)
{
    constexpr std::uint32_t unused = 0xffffffffU;
    std::vector<std::uint32_t> number(s.points.size(), unused);
    std::vector<Vec> kept;
    for (Mesh::Triangle& t : s.triangles) {
        for (std::uint32_t& corner : t.corner) {
            if (number[corner] == unused) {
                number[corner] = static_cast<std::uint32_t>(kept.size());
                kept.push_back(s.points[corner]);
            }
            corner = number[corner];
        }
    }
    s.points = std::move(kept);
}

/// The tree, and the triangles in its order, which depends on where they are and not on the order
/// they were given in, so that a mesh that is written and read again is the same.
class Tree {
public:
    explicit Tree(Surface& s) : s_(s), order_(s.triangles.size())
    {
        std::iota(order_.begin(), order_.end(), 0U);
        for (const Mesh::Triangle& t : s.triangles) {
            middle_.push_back((1.0 / 3) * (s.points[t.corner[0]] + s.points[t.corner[1]] +
                                           s.points[t.corner[2]]));
        }
        make(0, static_cast<std::uint32_t>(order_.size()));
        std::vector<Mesh::Triangle> sorted;
        for (const std::uint32_t i : order_) {
            sorted.push_back(s.triangles[i]);
        }
        s.triangles = std::move(sorted);
    }

private:
    void make(std::uint32_t from, std::uint32_t to)
    {
        const std::size_t own = s_.nodes.size();
        s_.nodes.push_back({});
        Vec low{1e300, 1e300, 1e300}, high = -low, first = low, last = high;
        const auto grow = [](Vec& lower, Vec& upper, const Vec& p) {
            lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
            upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
        };
        for (std::uint32_t i = from; i < to; ++i) {
            for (const std::uint32_t corner : s_.triangles[order_[i]].corner) {
                grow(low, high, s_.points[corner]);
            }
            grow(first, last, middle_[order_[i]]);
        }
        Mesh::Node node{low, high, from, to - from};
        if (to - from > mesh_leaf) {
            const Vec wide = last - first;
            const double Vec::*axis = wide.x >= wide.y && wide.x >= wide.z
                                          ? &Vec::x
                                          : (wide.y >= wide.z ? &Vec::y : &Vec::z);
            const std::uint32_t half = from + (to - from) / 2;
            std::nth_element(order_.begin() + from, order_.begin() + half, order_.begin() + to,
                             [&](std::uint32_t a, std::uint32_t b) {
                                 const double x = middle_[a].*axis, y = middle_[b].*axis;
                                 return x != y ? x < y : before(a, b);
                             });
            make(from, half);
            node.count = 0;
            node.first = static_cast<std::uint32_t>(s_.nodes.size());
            make(half, to);
        } else {
            std::sort(order_.begin() + from, order_.begin() + to,
                      [&](std::uint32_t a, std::uint32_t b) { return before(a, b); });
        }
        s_.nodes[own] = node;
    }
    [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const
    {
        const auto numbers = [&](std::uint32_t i) {
            const Vec m = middle_[i], p = s_.points[s_.triangles[i].corner[0]];
            return std::array<double, 6>{m.x, m.y, m.z, p.x, p.y, p.z};
        };
        const std::array<double, 6> x = numbers(a), y = numbers(b);
        return x != y ? x < y : a < b;
    }
    Surface& s_;
    std::vector<std::uint32_t> order_;
    std::vector<Vec> middle_;  ///< of triangles
};

/// Lists of values by key, keys being numbers below `count`.
void list_by_key(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& entries,
                 std::size_t count, std::vector<std::uint32_t>& begin,
                 std::vector<std::uint32_t>& values)
{
    begin.assign(count + 1, 0);
    for (const auto& [key, value] : entries) {
        ++begin[key + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    values.resize(entries.size());
    std::vector<std::uint32_t> at = begin;
    for (const auto& [key, value] : entries) {
        values[at[key]++] = value;
    }
}

void connect(Surface& s, MeshRepairs& repairs)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> wings, spokes;
    std::unordered_map<std::uint64_t, std::uint32_t> edges;
    std::vector<std::uint32_t> owner;  // an edge's first triangle
    for (std::uint32_t i = 0; i < s.triangles.size(); ++i) {
        Mesh::Triangle& t = s.triangles[i];
        const Vec a = s.points[t.corner[0]];
        s.normals.push_back(
            direction_of(cross(s.points[t.corner[1]] - a, s.points[t.corner[2]] - a)));
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t from = t.corner[k], to = t.corner[(k + 1) % 3];
            const auto [at, fresh] =
                edges.emplace(std::uint64_t(std::min(from, to)) << 32U | std::max(from, to),
                              static_cast<std::uint32_t>(edges.size()));
            t.edge[k] = at->second;
            wings.push_back({at->second, t.corner[(k + 2) % 3]});
            if (fresh) {
                owner.push_back(i);
                spokes.push_back({from, to});
                spokes.push_back({to, from});
            }
        }
    }
    s.edge_count = static_cast<std::uint32_t>(edges.size());
    list_by_key(wings, edges.size(), s.wing_begin, s.wings);
    list_by_key(spokes, s.points.size(), s.spoke_begin, s.spokes);

    // Facets: triangles joined over flat edges, each named by the least of its triangles.
    std::vector<std::uint32_t> facet(s.triangles.size());
    std::iota(facet.begin(), facet.end(), 0U);
    const auto root = [&](std::uint32_t i) {
        while (facet[i] != i) {
            i = facet[i] = facet[facet[i]];
        }
        return i;
    };
    s.flat.assign(edges.size() + s.points.size(), 0);
    std::vector<std::uint8_t> sharp(s.points.size(), 0);
    for (std::uint32_t i = 0; i < s.triangles.size(); ++i) {
        const Mesh::Triangle& t = s.triangles[i];
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t e = t.edge[k], count = s.wing_begin[e + 1] - s.wing_begin[e];
            const std::uint32_t other = owner[e];
            if (count == 2 && other != i) {
                // Level, and not folded onto each other.
                const auto inwards = [&](std::uint32_t triangle) {
                    const std::uint32_t* c = s.triangles[triangle].corner;
                    const Vec from = s.points[t.corner[k]];
                    const Vec d = direction_of(s.points[t.corner[(k + 1) % 3]] - from);
                    Vec in{0, 0, 0};
                    for (int m = 0; m < 3; ++m) {
                        if (c[m] != t.corner[k] && c[m] != t.corner[(k + 1) % 3]) {
                            in = s.points[c[m]] - from;
                        }
                    }
                    return direction_of(in - dot(in, d) * d);
                };
                if (norm(inwards(i) + inwards(other)) <= mesh_level) {
                    s.flat[e] = 1;
                    facet[std::max(root(i), root(other))] = std::min(root(i), root(other));
                }
            }
            repairs.open_edges += count == 1 ? 1 : 0;
            repairs.shared_edges += count > 2 && other == i ? 1 : 0;
        }
    }
    for (std::uint32_t i = 0; i < s.triangles.size(); ++i) {
        s.triangles[i].facet = root(i);
        for (int k = 0; k < 3; ++k) {
            if (s.flat[s.triangles[i].edge[k]] == 0) {
                sharp[s.triangles[i].corner[k]] = 1;
                sharp[s.triangles[i].corner[(k + 1) % 3]] = 1;
            }
        }
    }
    for (std::size_t p = 0; p < s.points.size(); ++p) {
        s.flat[edges.size() + p] = sharp[p] == 0 ? 1 : 0;
    }
}

Block block_of(const Surface& s)
{
    Mesh head{};
    head.node_count = static_cast<std::uint32_t>(s.nodes.size());
    head.triangle_count = static_cast<std::uint32_t>(s.triangles.size());
    head.point_count = static_cast<std::uint32_t>(s.points.size());
    head.edge_count = s.edge_count;
    head.wing_count = static_cast<std::uint32_t>(s.wings.size());
    head.spoke_count = static_cast<std::uint32_t>(s.spokes.size());
    for (const Vec& p : s.points) {
        head.outer_radius = std::max(head.outer_radius, norm(p));
    }
    std::size_t bytes = sizeof head;
    const auto size = [](const auto& v) { return v.size() * sizeof v[0]; };
    bytes += size(s.nodes) + size(s.points) + size(s.triangles) + size(s.wing_begin) +
             size(s.wings) + size(s.spoke_begin) + size(s.spokes) + size(s.flat);
    Block block((bytes + 7) / 8, 0);
    head.bytes = 8 * block.size();
    auto* to = reinterpret_cast<std::byte*>(block.data());
    const auto put = [&](const void* from, std::size_t n) {
        std::memcpy(to, from, n);
        to += n;
    };
    put(&head, sizeof head);
    put(s.nodes.data(), size(s.nodes));
    put(s.points.data(), size(s.points));
    put(s.triangles.data(), size(s.triangles));
    put(s.wing_begin.data(), size(s.wing_begin));
    put(s.wings.data(), size(s.wings));
    put(s.spoke_begin.data(), size(s.spoke_begin));
    put(s.spokes.data(), size(s.spokes));
    put(s.flat.data(), size(s.flat));
    static_assert(sizeof(Mesh) % 8 == 0 && sizeof(Mesh::Node) % 8 == 0 &&
                  sizeof(Mesh::Triangle) % 8 == 0);
    return block;
}

}  // namespace

const Mesh* shapes::kept_mesh(Block&& block)
{
    static std::mutex door;
    static auto& known = *new std::multimap<std::uint64_t, Block>;
    math::Digest digest;
    digest.add(std::as_bytes(std::span(block)));
    const std::lock_guard guard(door);
    auto [from, to] = known.equal_range(digest.value());
    while (from != to && from->second != block) {
        ++from;
    }
    if (from == to) {
        from = known.emplace(digest.value(), std::move(block));
    }
    return reinterpret_cast<const Mesh*>(from->second.data());
}

Shape Shape::mesh(std::span<const Vec> points, std::span<const Corners> triangles,
                  MeshRepairs* repairs)
{
    require_good(points, triangles);
    MeshRepairs found;
    Surface surface;
    take_triangles(points, triangles, surface, found);
    if (surface.triangles.empty()) {
        throw Error("a mesh has no triangles but degenerate ones: of " +
                    std::to_string(triangles.size()) + " none is left");
    }
    (void)Tree(surface);
    number_points(surface);
    connect(surface, found);
    if (repairs != nullptr) {
        *repairs = found;
    }
    Shape shape{ShapeKind::mesh, {1, 0, 0}};
    shape.surface = shapes::kept_mesh(block_of(surface));
    return shape;
}

std::vector<Vec> points_of(const Shape& shape)
{
    std::vector<Vec> points;
    for (std::uint32_t i = 0; shape.surface != nullptr && i < shape.surface->point_count; ++i) {
        points.push_back(shape.size.x * shape.surface->points()[i]);
    }
    return points;
}

std::vector<Corners> triangles_of(const Shape& shape)
{
    std::vector<Corners> triangles;
    for (std::uint32_t i = 0; shape.surface != nullptr && i < shape.surface->triangle_count; ++i) {
        const std::uint32_t* c = shape.surface->triangles()[i].corner;
        triangles.push_back({c[0], c[1], c[2]});
    }
    return triangles;
}

}  // namespace scree
