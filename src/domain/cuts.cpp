#include "domain/cuts.hpp"

#include "scree/error.hpp"

#include <algorithm>
#include <cmath>

namespace scree::domain {

namespace {

constexpr std::size_t bins = 256;
constexpr int rounds = 3;  ///< of narrowing a cut down by as many bins each
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The extent of the places in each piece, over all ranks: −min and max along x, y, z.
template <class Placed>
std::vector<std::array<double, 6>> extents(Ranks& ranks, std::size_t pieces,
                                           std::span<const Placed> work)
{
    std::vector<std::array<double, 6>> extent(pieces);
    for (auto& e : extent) {
        e.fill(-infinity);
    }
    for (const Placed& w : work) {
        auto& e = extent[w.piece];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            e[axis] = std::max(e[axis], -w.at[0][axis]);
            e[axis + 3] = std::max(e[axis + 3], w.at[0][axis]);
        }
    }
    ranks.largest(std::span<double>(extent.front().data(), 6 * pieces));
    return extent;
}

/// A piece of space that is to be cut, with the ranks [first, first + count).
struct Piece {
    std::uint32_t node;
    int first, count;
    std::size_t axis = 0;
    double lower = 0, width = 0;   ///< of the cut's whereabouts
    double below = 0, wanted = 0;  ///< weight for sure below the cut; weight to be there
};

std::size_t bin_of(const Piece& piece, double x)
{
    const double at = (x - piece.lower) / piece.width * static_cast<double>(bins);
    return at >= 0 ? static_cast<std::size_t>(std::min(at, double(bins - 1))) : 0;
}

}  // namespace

std::array<double, 3> Cuts::place(const collide::Ball& ball) const
{
    std::array<double, 3> x{ball.x, ball.y, ball.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double length = box_.length[axis];
        if (length > 0) {
            const double inside = x[axis] - box_.origin[axis];
            x[axis] -= std::floor(inside / length) * length;
        }
        // What is not a number is somewhere as well.
        x[axis] = std::isfinite(x[axis]) ? x[axis] : 0;
    }
    // No small whole numbers of steps along the other two axes are the same way.
    constexpr double golden = 0.6180339887498949;
    return {x[0] + tilt_ * (x[1] + golden * x[2]), x[1] + tilt_ * (x[2] + golden * x[0]),
            x[2] + tilt_ * (x[0] + golden * x[1])};
}

int Cuts::owner_of(const collide::Ball& ball) const
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

void Cuts::restore(std::span<const double> numbers, int ranks, const collide::Periodic& box)
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

void Cuts::make(Ranks& ranks, const Partition& partition, const collide::Periodic& box,
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
    const std::array<double, 6> extent = extents<Placed>(ranks, 1, placed).front();
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

void Cuts::bisect(Ranks& ranks, std::span<Placed> work)
{
    nodes_.resize(1);
    std::vector<Piece> pieces{{0, 0, ranks.size()}};
    while (std::any_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.count > 1; })) {
        const auto extent = extents<Placed>(ranks, pieces.size(), work);
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            Piece& p = pieces[k];
            const auto width = [&](std::size_t axis) {
                return extent[k][axis + 3] + extent[k][axis];
            };
            p.axis = 0;
            for (const std::size_t axis : {std::size_t(1), std::size_t(2)}) {
                p.axis = width(axis) > width(p.axis) ? axis : p.axis;
            }
            const bool any = width(p.axis) > 0;
            p.lower = any ? -extent[k][p.axis] : 0;
            p.width = any ? width(p.axis) : 1;
            p.below = 0;
        }
        for (int round = 0; round < rounds; ++round) {
            std::vector<double> weight(pieces.size() * bins, 0.0);
            for (const Placed& w : work) {
                const Piece& p = pieces[w.piece];
                const double x = w.lowest(p.axis);
                if (round == 0 || (x >= p.lower && x < p.lower + p.width)) {
                    weight[w.piece * bins + bin_of(p, x)] += w.weight;
                }
            }
            ranks.sum(weight);
            for (std::size_t k = 0; k < pieces.size(); ++k) {
                Piece& p = pieces[k];
                const double* const w = &weight[k * bins];
                if (round == 0) {
                    double all = 0;
                    for (std::size_t b = 0; b < bins; ++b) {
                        all += w[b];
                    }
                    p.wanted = all * (p.count / 2) / p.count;
                }
                std::size_t b = 0;
                while (b + 1 < bins && p.below + w[b] < p.wanted) {
                    p.below += w[b++];
                }
                p.lower += p.width * static_cast<double>(b) / static_cast<double>(bins);
                p.width /= static_cast<double>(bins);
            }
        }
        for (Piece& p : pieces) {
            p.lower += p.width;  // what is in the last bin is below
        }
        std::vector<Piece> halves;
        std::vector<std::uint32_t> first_half(pieces.size());
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            const Piece& p = pieces[k];
            first_half[k] = static_cast<std::uint32_t>(halves.size());
            if (p.count == 1) {
                halves.push_back({p.node, p.first, 1});
                continue;
            }
            const auto next = static_cast<std::uint32_t>(nodes_.size());
            nodes_.resize(nodes_.size() + 2);
            nodes_[p.node] = {static_cast<int>(p.axis), 0, p.lower, next, next + 1};
            halves.push_back({next, p.first, p.count / 2});
            halves.push_back({next + 1, p.first + p.count / 2, p.count - p.count / 2});
        }
        for (Placed& w : work) {
            const Piece& p = pieces[w.piece];
            const bool above = p.count > 1 && !(w.lowest(p.axis) < p.lower);
            w.piece = first_half[w.piece] + (above ? 1 : 0);
            if (p.count > 1 && !above && w.bodies == 2) {
                // Of what is cut apart, the body below counts from here on.
                w.bodies = std::max(w.at[0][p.axis], w.at[1][p.axis]) < p.lower ? 2 : 1;
                if (w.bodies == 1 && !(w.at[0][p.axis] < p.lower)) {
                    w.at[0] = w.at[1];
                }
            }
        }
        pieces = std::move(halves);
    }
    for (const Piece& p : pieces) {
        nodes_[p.node].rank = p.first;
    }
}

}  // namespace scree::domain
