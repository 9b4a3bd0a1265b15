#include "ranks/partition.hpp"

#include "ranks/message.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree::ranks {

namespace {

constexpr std::size_t bins = 256;
constexpr int rounds = 3;  ///< of narrowing a cut down by as many bins each
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The extent of a group's places: −min and max along x, y, z.
template <class Placed>
std::array<double, 6> extent_of(Ranks& ranks, Ranks::Group group, const std::vector<Placed>& work)
{
    std::array<double, 6> extent;
    extent.fill(-infinity);
    for (const Placed& w : work) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            extent[axis] = std::max(extent[axis], -w.at[0][axis]);
            extent[axis + 3] = std::max(extent[axis + 3], w.at[0][axis]);
        }
    }
    ranks.combine(group, {}, extent);
    return extent;
}

/// A cut through a piece of space, and where it may be.
struct Whereabouts {
    std::size_t axis = 0;
    double lower = 0, width = 1;
    double below = 0, wanted = 0;  ///< weight for sure below the cut; weight to be there
};

std::size_t bin_of(const Whereabouts& cut, double x)
{
    const double at = (x - cut.lower) / cut.width * static_cast<double>(bins);
    return at >= 0 ? static_cast<std::size_t>(std::min(at, double(bins - 1))) : 0;
}

}  // namespace

std::array<double, 3> Cuts::place(const shapes::Ball& ball) const
{
    std::array<double, 3> x{ball.x, ball.y, ball.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double image = box_.wrapped(x[axis], static_cast<int>(axis));
        // What is not a number is somewhere as well.
        x[axis] = std::isfinite(image) ? image : 0;
    }
    // No small whole numbers of steps along the other two axes are the same way.
    constexpr double golden = 0.6180339887498949;
    return {x[0] + tilt_ * (x[1] + golden * x[2]), x[1] + tilt_ * (x[2] + golden * x[0]),
            x[2] + tilt_ * (x[0] + golden * x[1])};
}

int Cuts::owner_of(const shapes::Ball& ball) const
{
    const std::array<double, 3> x = place(ball);
    if (even_[0] > 0) {
        std::array<int, 3> at{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double n = even_[axis];
            const double t = n * (x[axis] - min_[axis]) / length_[axis];
            at[axis] = static_cast<int>(t > 0 ? std::min(t, n - 1) : 0);
        }
        return (at[2] * even_[1] + at[1]) * even_[0] + at[0];
    }
    std::uint32_t node = 0;
    while (nodes_[node].axis >= 0) {
        const Node& n = nodes_[node];
        node = x[static_cast<std::size_t>(n.axis)] < n.cut ? n.below : n.above;
    }
    return nodes_[node].rank;
}

namespace {

/// How many numbers what is there once and a node have.
constexpr std::size_t even_numbers = 10, node_numbers = 5;

}  // namespace

std::vector<double> Cuts::saved() const
{
    std::vector<double> numbers(even_.begin(), even_.end());
    numbers.insert(numbers.end(), min_.begin(), min_.end());
    numbers.insert(numbers.end(), length_.begin(), length_.end());
    numbers.push_back(tilt_);
    for (const Node& n : nodes_) {
        numbers.insert(numbers.end(),
                       {double(n.axis), double(n.rank), n.cut, double(n.below), double(n.above)});
    }
    return numbers;
}

void Cuts::restore(std::span<const double> numbers, int ranks, const shapes::Periodic& box)
{
    const auto require = [](bool good) {
        if (!good) {
            throw Error("ranks/partition: is no partition; the checkpoint is damaged");
        }
    };
    const auto whole = [&](double x, double least, double most) {
        require(x >= least && x <= most && x == std::floor(x));
        return static_cast<int>(x);
    };
    require(numbers.size() >= even_numbers && (numbers.size() - even_numbers) % node_numbers == 0);
    Cuts cuts;
    cuts.box_ = box;
    const auto count = static_cast<std::uint32_t>((numbers.size() - even_numbers) / node_numbers);
    double boxes = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        cuts.even_[axis] = whole(numbers[axis], 0, ranks);
        cuts.min_[axis] = numbers[3 + axis];
        cuts.length_[axis] = numbers[6 + axis];
        boxes *= cuts.even_[axis];
        require(cuts.even_[axis] == 0 || cuts.length_[axis] > 0);
    }
    require(count > 0 ? boxes == 0 : boxes == ranks);
    cuts.tilt_ = numbers[9];
    for (std::uint32_t i = 0; i < count; ++i) {
        const double* const n = &numbers[even_numbers + i * node_numbers];
        Node node{whole(n[0], -1, 2), whole(n[1], 0, ranks - 1), n[2]};
        if (node.axis >= 0) {  // nodes come before what they part
            node.below = static_cast<std::uint32_t>(whole(n[3], i + 1.0, count - 1.0));
            node.above = static_cast<std::uint32_t>(whole(n[4], i + 1.0, count - 1.0));
        }
        cuts.nodes_.push_back(node);
    }
    *this = std::move(cuts);
}

void Cuts::make(Ranks& ranks, const Partition& partition, const shapes::Periodic& box,
                std::span<const Work> work)
{
    *this = {};
    box_ = box;
    std::vector<Placed> placed;
    const auto place_all = [&] {
        placed.clear();
        for (const Work& w : work) {
            placed.push_back({{place(w.balls[0]), place(w.balls[1])}, w.bodies, double(w.weight)});
        }
    };
    place_all();
    const std::array<double, 6> extent = extent_of(ranks, ranks.all(), placed);
    if (partition.boxes[0] <= 0) {
        double smallest = -infinity;
        for (const Work& w : work) {
            smallest = std::max(smallest, -w.balls[0].r);
        }
        ranks.largest(std::span<double>(&smallest, 1));
        const double widest =
            std::max({extent[0] + extent[3], extent[1] + extent[4], extent[2] + extent[5]});
        tilt_ = widest > 0 ? std::min(-smallest / (2 * widest), 0.1) : 0;
        place_all();
        bisect(ranks, placed);
        return;
    }
    even_ = partition.boxes;
    const double low[]{partition.min.x, partition.min.y, partition.min.z};
    const double high[]{partition.max.x, partition.max.y, partition.max.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool periodic = box.length[axis] > 0;
        const bool finite = std::isfinite(low[axis]) && std::isfinite(high[axis]);
        min_[axis] = periodic ? box.origin[axis] : (finite ? low[axis] : -extent[axis]);
        const double top = finite ? high[axis] : extent[axis + 3];
        length_[axis] = periodic ? box.length[axis] : top - min_[axis];
        if (!(length_[axis] > 0) || !std::isfinite(length_[axis])) {  // no bodies, or one
            min_[axis] = std::isfinite(min_[axis]) ? min_[axis] : 0;
            length_[axis] = 1;
        }
    }
}

/// Ranks that a piece is for look for its cut together, and what is on the other side of it goes
/// there: a rank only ever has work of the piece that it is for, and no more than that is asked of
/// it however many pieces there are.
void Cuts::bisect(Ranks& ranks, std::vector<Placed>& work)
{
    const int me = ranks.rank();
    Ranks::Group group = ranks.all();
    Cut mine{0, 0};
    for (int most = group.count; most > 1; most -= most / 2) {  // of the largest group
        Ranks::Messages out;
        const int half = group.count / 2, middle = group.first + half;
        if (half > 0) {
            const Cut cut = cut_of(ranks, group, work);
            const bool above = me >= middle;
            mine = me == middle ? cut : mine;
            std::vector<Placed> staying, leaving;
            for (Placed& w : work) {
                (w.part(cut) == above ? staying : leaving).push_back(w);
            }
            work = std::move(staying);
            if (!leaving.empty()) {
                put(out[above ? group.first + (me - middle) % half : me + half], leaving);
            }
            group =
                above ? Ranks::Group{middle, group.count - half} : Ranks::Group{group.first, half};
        }
        for (const auto& [rank, bytes] : ranks.exchange(out)) {
            const std::vector<Placed> came = Reader(bytes).get_all<Placed>();
            work.insert(work.end(), came.begin(), came.end());
        }
    }
    // Each rank but the first is the lowest above one of the cuts.
    const std::vector<Cut> cuts = everywhere(ranks, std::vector{mine});
    nodes_.resize(1);
    std::vector<Ranks::Group> groups{ranks.all()};
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        const auto [first, count] = groups[k];
        if (count == 1) {
            nodes_[k].rank = first;
            continue;
        }
        const int middle = first + count / 2;
        const Cut& cut = cuts[static_cast<std::size_t>(middle)];
        const auto next = static_cast<std::uint32_t>(nodes_.size());
        nodes_[k] = {static_cast<int>(cut.axis), 0, cut.at, next, next + 1};
        nodes_.resize(nodes_.size() + 2);
        groups.push_back({first, middle - first});
        groups.push_back({middle, first + count - middle});
    }
}

/// Across the longest side of a group's work, such that its lower half has as much as it should.
Cuts::Cut Cuts::cut_of(Ranks& ranks, Ranks::Group group, const std::vector<Placed>& work)
{
    const std::array<double, 6> extent = extent_of(ranks, group, work);
    const auto width = [&](std::size_t axis) { return extent[axis + 3] + extent[axis]; };
    Whereabouts cut;
    for (const std::size_t axis : {std::size_t(1), std::size_t(2)}) {
        cut.axis = width(axis) > width(cut.axis) ? axis : cut.axis;
    }
    if (width(cut.axis) > 0) {
        cut.lower = -extent[cut.axis];
        cut.width = width(cut.axis);
    }
    for (int round = 0; round < rounds; ++round) {
        std::array<double, bins> weight{};
        for (const Placed& w : work) {
            const double x = w.lowest(cut.axis);
            if (round == 0 || (x >= cut.lower && x < cut.lower + cut.width)) {
                weight[bin_of(cut, x)] += w.weight;
            }
        }
        ranks.combine(group, weight, {});
        if (round == 0) {
            const double all = std::accumulate(weight.begin(), weight.end(), 0.0);
            const int half = group.count / 2;
            cut.wanted = all * half / group.count;
        }
        std::size_t b = 0;
        while (b + 1 < bins && cut.below + weight[b] < cut.wanted) {
            cut.below += weight[b++];
        }
        cut.lower += cut.width * static_cast<double>(b) / static_cast<double>(bins);
        cut.width /= static_cast<double>(bins);
    }
    return {cut.axis, cut.lower + cut.width};  // what is in the last bin is below
}

/// Whether it is above a cut. Of what is cut apart, the body below counts from there on.
bool Cuts::Placed::part(const Cut& cut)
{
    const bool above = !(lowest(cut.axis) < cut.at);
    if (!above && bodies == 2) {
        bodies = std::max(at[0][cut.axis], at[1][cut.axis]) < cut.at ? 2 : 1;
        if (bodies == 1 && !(at[0][cut.axis] < cut.at)) {
            at[0] = at[1];
        }
    }
    return above;
}

}  // namespace scree::ranks
