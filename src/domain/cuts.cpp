#include "domain/cuts.hpp"

#include <algorithm>
#include <cmath>

namespace scree::domain {

namespace {

constexpr std::size_t bins = 256;
constexpr int rounds = 3;  ///< of narrowing a cut down by as many bins each
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The extent of the places of each part, over all ranks: −min and max along x, y, z.
std::vector<std::array<double, 6>> extents(Ranks& ranks, std::size_t parts,
                                           std::span<const std::array<double, 3>> places,
                                           std::span<const std::uint32_t> part)
{
    std::vector<std::array<double, 6>> extent(parts);
    for (auto& e : extent) {
        e.fill(-infinity);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto& e = extent[part.empty() ? 0 : part[i]];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            e[axis] = std::max(e[axis], -places[i][axis]);
            e[axis + 3] = std::max(e[axis + 3], places[i][axis]);
        }
    }
    ranks.largest(std::span<double>(extent.front().data(), 6 * parts));
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
    return x;
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

void Cuts::make(Ranks& ranks, const Partition& partition, const collide::Periodic& box,
                std::span<const collide::Ball> balls, std::span<const std::uint32_t> weights)
{
    nodes_.clear();
    box_ = box;
    std::vector<std::array<double, 3>> places(balls.size());
    std::transform(balls.begin(), balls.end(), places.begin(),
                   [&](const collide::Ball& ball) { return place(ball); });
    if (partition.boxes[0] <= 0) {
        bisect(ranks, places, weights);
        return;
    }
    even_ = partition.boxes;
    const std::array<double, 6> extent = extents(ranks, 1, places, {}).front();
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

void Cuts::bisect(Ranks& ranks, std::span<const std::array<double, 3>> places,
                  std::span<const std::uint32_t> weights)
{
    nodes_.resize(1);
    std::vector<Piece> pieces{{0, 0, ranks.size()}};
    std::vector<std::uint32_t> piece_of(places.size(), 0);
    while (std::any_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.count > 1; })) {
        const auto extent = extents(ranks, pieces.size(), places, piece_of);
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
            for (std::size_t i = 0; i < places.size(); ++i) {
                const Piece& p = pieces[piece_of[i]];
                const double x = places[i][p.axis];
                if (round == 0 || (x >= p.lower && x < p.lower + p.width)) {
                    weight[piece_of[i] * bins + bin_of(p, x)] += weights[i];
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
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Piece& p = pieces[piece_of[i]];
            const bool above = p.count > 1 && !(places[i][p.axis] < p.lower);
            piece_of[i] = first_half[piece_of[i]] + (above ? 1 : 0);
        }
        pieces = std::move(halves);
    }
    for (const Piece& p : pieces) {
        nodes_[p.node].rank = p.first;
    }
}

}  // namespace scree::domain
