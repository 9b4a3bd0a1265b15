// The tree declared in body_tree.hpp: built from above by the surface area heuristic over bins.
#include "analyse/body_tree.hpp"

#include "collide/support.hpp"

#include <array>

namespace scree::analyse {
namespace {

constexpr std::uint32_t leaf_size = 4;
constexpr int bins = 16;
/// Deeper than this, halves are made by number, so that the stack of a search suffices.
constexpr int greatest_depth = 20;
constexpr std::size_t stack_size = 256;
/// Factors that make up for the rounding of distances in single precision.
constexpr float below = 1 - 0x1p-20f, above = 1 + 0x1p-20f;

/// Next below and next above in single precision.
float rounded_down(double x)
{
    return std::nextafter(static_cast<float>(x), -std::numeric_limits<float>::infinity());
}
float rounded_up(double x)
{
    return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
}

}  // namespace

class BodyTree::Builder {
public:
    explicit Builder(BodyTree& tree) : tree_(tree) {}

    void build()
    {
        const std::size_t n = tree_.solids_.size();
        std::vector<Region> bounds;
        bounds.reserve(n);
        Region all = nowhere;
        for (const PlacedShape& solid : tree_.solids_) {
            bounds.push_back(bounds_of(solid));
            all = joined(all, bounds.back());
        }
        tree_.centre_ = 0.5 * (all.low + all.high);
        boxes_.reserve(n);
        for (const Region& exact : bounds) {
            const Vec low = exact.low - tree_.centre_, high = exact.high - tree_.centre_;
            boxes_.push_back({{rounded_down(low.x), rounded_down(low.y), rounded_down(low.z)},
                              {rounded_up(high.x), rounded_up(high.y), rounded_up(high.z)}});
            for (std::size_t k = 0; k < 3; ++k) {
                tree_.reach_ =
                    std::max({tree_.reach_, -boxes_.back().lower[k], boxes_.back().upper[k]});
            }
        }
        order_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            order_[i] = static_cast<std::uint32_t>(i);
        }
        node({0, static_cast<std::uint32_t>(n)}, 0);
        tree_.items_.reserve(n);
        for (const std::uint32_t i : order_) {
            const PlacedShape& s = tree_.solids_[i];
            tree_.items_.push_back({s.position, collide::bounding_radius(s.shape), i,
                                    s.shape.kind == ShapeKind::sphere});
        }
    }

private:
    struct Range {
        std::uint32_t begin, end;
        [[nodiscard]] std::uint32_t size() const { return end - begin; }
    };

    static Box nothing()
    {
        constexpr float far = std::numeric_limits<float>::infinity();
        return {{far, far, far}, {-far, -far, -far}};
    }
    static void add(Box& box, const Box& other)
    {
        for (std::size_t k = 0; k < 3; ++k) {
            box.lower[k] = std::min(box.lower[k], other.lower[k]);
            box.upper[k] = std::max(box.upper[k], other.upper[k]);
        }
    }
    static float area(const Box& box)
    {
        const float x = box.upper[0] - box.lower[0], y = box.upper[1] - box.lower[1],
                    z = box.upper[2] - box.lower[2];
        return x < 0 ? 0 : x * y + y * z + z * x;
    }
    static float middle(const Box& box, std::size_t axis)
    {
        return 0.5f * (box.lower[axis] + box.upper[axis]);
    }

    /// Cuts a range of more than one body in two where the expected cost of rays is least.
    std::uint32_t cut(const Range& range, int depth)
    {
        const Box middles = box_of_middles(range);
        const std::size_t axis = longest_axis(middles);
        const float low = middles.lower[axis], extent = middles.upper[axis] - low;
        if (!(extent > 0) || depth > greatest_depth) {
            return cut_by_number(range, axis);
        }
        const auto bin_of = [&](std::uint32_t i) {
            const float place = (middle(boxes_[i], axis) - low) / extent;
            return std::min(bins - 1, static_cast<int>(place * bins));
        };
        const auto begin = order_.begin() + range.begin, end = order_.begin() + range.end;
        Bins contents;
        contents.box.fill(nothing());
        for (auto i = begin; i != end; ++i) {
            const auto b = static_cast<std::size_t>(bin_of(*i));
            add(contents.box[b], boxes_[*i]);
            ++contents.count[b];
        }
        const int best = cheapest_cut(contents);
        const auto split =
            std::partition(begin, end, [&](std::uint32_t i) { return bin_of(i) < best; });
        return static_cast<std::uint32_t>(split - order_.begin());
    }

    [[nodiscard]] Box box_of_middles(const Range& range) const
    {
        Box middles = nothing();
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
            const Box& b = boxes_[order_[i]];
            const Box point{{middle(b, 0), middle(b, 1), middle(b, 2)},
                            {middle(b, 0), middle(b, 1), middle(b, 2)}};
            add(middles, point);
        }
        return middles;
    }

    static std::size_t longest_axis(const Box& box)
    {
        std::size_t axis = 0;
        for (std::size_t k = 1; k < 3; ++k) {
            if (box.upper[k] - box.lower[k] > box.upper[axis] - box.lower[axis]) {
                axis = k;
            }
        }
        return axis;
    }

    std::uint32_t cut_by_number(const Range& range, std::size_t axis)
    {
        const std::uint32_t half = range.begin + range.size() / 2;
        std::nth_element(order_.begin() + range.begin, order_.begin() + half,
                         order_.begin() + range.end, [&](std::uint32_t a, std::uint32_t b) {
                             return middle(boxes_[a], axis) < middle(boxes_[b], axis);
                         });
        return half;
    }

    /// What lies in each of equal parts of a range's longest axis.
    struct Bins {
        std::array<Box, bins> box;
        std::array<std::uint32_t, bins> count{};
    };
    /// The first bin behind the cut for which area times number of bodies is least in all.
    static int cheapest_cut(const Bins& contents)
    {
        std::array<float, bins> cost{};  // of a cut below each bin
        Box sum = nothing();
        std::uint32_t number = 0;
        for (std::size_t b = 0; b + 1 < bins; ++b) {
            add(sum, contents.box[b]);
            number += contents.count[b];
            cost[b + 1] = static_cast<float>(number) * area(sum);
        }
        sum = nothing();
        number = 0;
        for (std::size_t b = bins - 1; b > 0; --b) {
            add(sum, contents.box[b]);
            number += contents.count[b];
            cost[b] += static_cast<float>(number) * area(sum);
        }
        std::size_t best = 1;
        for (std::size_t b = 2; b < bins; ++b) {
            best = cost[b] < cost[best] ? b : best;
        }
        return static_cast<int>(best);
    }

    std::uint32_t node(const Range& range, int depth)
    {
        const auto index = static_cast<std::uint32_t>(tree_.nodes_.size());
        tree_.nodes_.emplace_back();
        std::array<Range, width> parts{};
        std::size_t count = 1;
        parts[0] = range;
        for (int level = 0; level < 2; ++level) {
            const std::size_t before = count;
            for (std::size_t k = 0; k < before; ++k) {
                if (parts[k].size() > leaf_size) {
                    const std::uint32_t middle = cut(parts[k], depth);
                    parts[count++] = {middle, parts[k].end};
                    parts[k].end = middle;
                }
            }
        }
        Node made{};
        for (std::size_t k = 0; k < width; ++k) {
            Box box = nothing();
            for (std::uint32_t i = parts[k].begin; i < parts[k].end; ++i) {
                add(box, boxes_[order_[i]]);
            }
            for (std::size_t axis = 0; axis < 3; ++axis) {
                made.bounds[2 * axis][k] = box.lower[axis];
                made.bounds[2 * axis + 1][k] = box.upper[axis];
            }
            if (parts[k].size() <= leaf_size) {
                made.child[k] = parts[k].begin;
                made.count[k] = parts[k].size();
            } else {
                made.child[k] = node(parts[k], depth + 1);
            }
        }
        tree_.nodes_[index] = made;
        return index;
    }

    BodyTree& tree_;
    std::vector<Box> boxes_;
    std::vector<std::uint32_t> order_;
};

BodyTree::BodyTree(std::vector<PlacedShape> solids) : solids_(std::move(solids))
{
    if (!solids_.empty()) {
        Builder(*this).build();
    }
}

Interval BodyTree::chord_of(const Item& item, const Ray& ray) const
{
    // From the point of the ray that is nearest to the centre.
    const Vec away = ray.origin - item.centre;
    const double nearest = -dot(away, ray.direction);
    const Vec q = away + nearest * ray.direction;
    const double room = item.radius * item.radius - dot(q, q);
    if (!(room >= 0)) {
        return no_part;
    }
    if (item.sphere) {
        const double half = std::sqrt(room);
        return {nearest - half, nearest + half};
    }
    const PlacedShape& solid = solids_[item.body];
    const Interval in = chord(solid.shape, rotate_back(solid.orientation, q),
                              rotate_back(solid.orientation, ray.direction));
    return {nearest + in.from, nearest + in.to};
}

/// A ray as the boxes of nodes are tested against it, in single precision, which errs by some 2⁻²⁴
/// of the coordinates: planes are moved outwards by more.
class BodyTree::BoxRay {
public:
    BoxRay(const Ray& ray, const Vec& centre, float reach)
        : from(static_cast<float>(ray.from) * below)
    {
        const Vec o = ray.origin - centre;
        const double origins[3] = {o.x, o.y, o.z};
        const double directions[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
        for (std::size_t k = 0; k < 3; ++k) {
            const double slack = 0x1p-22 * (std::abs(origins[k]) + static_cast<double>(reach));
            const bool down = directions[k] < 0;
            const double d =
                std::abs(directions[k]) > 1e-20 ? directions[k] : (down ? -1e-20 : 1e-20);
            near_side_[k] = 2 * k + (down ? 1 : 0);
            near_origin_[k] = static_cast<float>(origins[k] + (down ? -slack : slack));
            far_origin_[k] = static_cast<float>(origins[k] - (down ? -slack : slack));
            inverse_[k] = static_cast<float>(1 / d);
        }
    }

    /// Where the ray is in each child's box before it has come so far; empty if near > far.
    struct Part {
        Pack near, far;
    };
    [[nodiscard]] Part inside(const Node& node, double to) const
    {
        const float limit = static_cast<float>(to) * above;
        Pack near = from + Pack{}, far = limit + Pack{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Pack a = (node.bounds[near_side_[axis]] - near_origin_[axis]) * inverse_[axis];
            const Pack b = (node.bounds[near_side_[axis] ^ 1] - far_origin_[axis]) * inverse_[axis];
            near = a > near ? a : near;
            far = b < far ? b : far;
        }
        return {near * below, far * above};
    }

    const float from;

private:
    float near_origin_[3], far_origin_[3], inverse_[3];
    std::size_t near_side_[3];
};

/// Nodes and leaves that are still to be looked at, the nearest of a node's children first.
class BodyTree::Open {
public:
    struct Entry {
        std::uint32_t child, count;
        float near;
    };

    explicit Open(const Entry& root) { entries_[size_++] = root; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    Entry take() { return entries_[--size_]; }

    void put_children(const Node& node, const Pack& near, const Pack& far)
    {
        const std::size_t bottom = size_;
        for (std::size_t k = 0; k < width; ++k) {
            if (near[k] <= far[k]) {
                const Entry child{node.child[k], node.count[k], near[k]};
                std::size_t place = size_++;
                while (place > bottom && entries_[place - 1].near < child.near) {
                    entries_[place] = entries_[place - 1];
                    --place;
                }
                entries_[place] = child;
            }
        }
    }

private:
    std::array<Entry, stack_size> entries_;
    std::size_t size_ = 0;
};

/// The hit on an item of a leaf, if it comes before the best so far.
inline Hit BodyTree::better(const Hit& best, const Item& item, const Ray& ray) const
{
    const Interval in = chord_of(item, ray);
    if (in.to < ray.from || in.empty() || (in.from < ray.from && !ray.cut)) {
        return best;
    }
    const double at = std::max(in.from, ray.from);
    // Equal distances: the lower number, whatever the order of the tree.
    const bool before = at < best.at || (at == best.at && best && item.body < best.body);
    return before ? Hit{item.body, at} : best;
}

template <bool any> Hit BodyTree::search(const Ray& ray, std::uint32_t skip) const
{
    if (nodes_.empty() || !(ray.from < ray.to)) {
        return {};
    }
    Hit best;
    best.at = ray.to;
    const BoxRay box_ray(ray, centre_, reach_);
    Open open({0, 0, box_ray.from});
    while (!open.empty()) {
        const Open::Entry entry = open.take();
        if (static_cast<double>(entry.near) > best.at) {
            continue;
        }
        if (entry.count == 0) {
            const Node& node = nodes_[entry.child];
            const BoxRay::Part part = box_ray.inside(node, best.at);
            open.put_children(node, part.near, part.far);
            continue;
        }
        for (std::uint32_t i = entry.child; i < entry.child + entry.count; ++i) {
            if (items_[i].body != skip) {
                best = better(best, items_[i], ray);
                if (any && best) {
                    return best;
                }
            }
        }
    }
    return best ? best : Hit{};
}

Hit BodyTree::first(const Ray& ray, std::uint32_t skip) const { return search<false>(ray, skip); }

bool BodyTree::blocked(const Ray& ray, std::uint32_t skip) const
{
    return static_cast<bool>(search<true>(ray, skip));
}

}  // namespace scree::analyse
