// What the narrow phase leaves on a device, pair by pair in the step's order, and what a new list
// says of its pairs: which are special, and which spheres wait for each other on walls.
#pragma once

#include "exec/serial_loops.hpp"
#include "math/bits.hpp"
#include "stages/candidates/pair_points.hpp"
#include "stages/candidates/speculative_margin.hpp"
#include "stages/neighbours/device_colour_begins.hpp"
#include "state/device_columns.hpp"

#include <cstring>

namespace scree::candidates {

inline constexpr std::uint32_t no_row = 0xffffffffU;

/// What the narrow phase found of a pair: how many contacts, and which rows they get; and what the
/// list says of it: that it is not two dynamic spheres with a round row.
enum Found : std::uint8_t {
    found_count = 15,
    found_special = 32,
    found_general = 64,
    found_on_wall = 128
};

/// Of two dynamic spheres in the lower half, of spheres on something prescribed in the upper one:
/// numbers of rows, or bits that say which pairs have one. Plain numbers are added up faster than
/// structures.
using RoundRows = std::uint64_t;
SCREE_HD std::uint32_t free_of(RoundRows rows) { return static_cast<std::uint32_t>(rows); }
SCREE_HD std::uint32_t on_wall_of(RoundRows rows) { return static_cast<std::uint32_t>(rows >> 32); }

/// How many round rows pairs have. A pair has one or none, so that a bit says it: pairs are counted
/// in chunks, and what is before one of a chunk are its bits.
struct RoundScan {
    static constexpr std::size_t chunk = 32;
    const RoundRows *before, *within;  ///< rows of all chunks before, see scan_groups
    const RoundRows* bits;             ///< of the chunk's pairs

    /// One chunk more than needed, so that the number of all pairs has a place.
    SCREE_HD static std::size_t chunks(std::size_t pairs) { return pairs / chunk + 1; }
    /// Rows of the pairs before the k-th.
    [[nodiscard]] SCREE_HD RoundRows operator[](std::size_t k) const
    {
        const std::size_t c = k / chunk;
        const RoundRows own = bits[c];
        const std::uint32_t earlier = (1U << k % chunk) - 1;
        return before[c / exec::scan_group] + within[c] + math::set_bits(free_of(own) & earlier) +
               (RoundRows(math::set_bits(on_wall_of(own) & earlier)) << 32);
    }
};

/// Whether contacts of the pair, if any, have rows of two dynamic spheres.
SCREE_HD bool is_free(std::uint8_t found) { return (found & (found_general | found_on_wall)) == 0; }
/// The bits of a chunk of pairs, eight at a time.
SCREE_HD RoundRows round_bits_of(const std::uint8_t* found)
{
    constexpr std::uint64_t ones = 0x0101010101010101U;
    const auto* bytes = static_cast<const std::uint8_t*>(__builtin_assume_aligned(found, 8));
    RoundRows bits = 0;
    for (int part = 0; part < 4; ++part) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, bytes + 8 * part, sizeof(eight));
        const std::uint64_t any = ((eight & found_count * ones) + found_count * ones) >> 4 & ones;
        const std::uint64_t round = any & ~(eight >> 6), on_wall = round & eight >> 7;
        // The lowest bit of each byte, side by side.
        const auto gathered = [](std::uint64_t x) { return x * 0x0102040810204080U >> 56; };
        bits |= (gathered(round ^ on_wall) | gathered(on_wall) << 32) << 8 * part;
    }
    return bits;
}

/// What the narrow phase found.
template <class Loops> struct FoundColumns {
    template <class U> using Buffer = typename Loops::template Buffer<U>;
    /// By pair, in the step's order; of whole chunks of RoundScan, where those of no pair are 0.
    Buffer<std::uint8_t> count;
    Buffer<shapes::ContactPoint> points;  ///< of special pairs, as many as a manifold has room for

    void swap(FoundColumns& other) noexcept
    {
        count.swap(other.count);
        points.swap(other.points);
    }
    [[nodiscard]] std::size_t bytes() const { return count.bytes() + points.bytes(); }
};

/// Pairs with what was found of them, and what a list says of all pairs.
template <class Loops> struct FoundPairs {
    template <class U> using Buffer = typename Loops::template Buffer<U>;
    // By pair, in the step's order:
    FoundColumns<Loops> found, foreseen;  ///< of this step; of the next, where all rows are round
    Buffer<RoundRows> round_before, round_within, round_bits;  ///< see RoundScan
    /// Pairs whose contacts take more than two spheres': where they are in the step's order; and
    /// for each of these its number among them. First those of is_on_wall, then others by kinds of
    /// shapes.
    Buffer<std::uint32_t> special, special_of;
    std::size_t special_count = 0, on_wall_count = 0;
    Buffer<std::uint32_t> next_wall, previous_wall;
    bool any_general = false;

    [[nodiscard]] RoundScan round_scan() const
    {
        return {round_before.data(), round_within.data(), round_bits.data()};
    }
    [[nodiscard]] std::size_t found_bytes() const
    {
        return found.bytes() + foreseen.bytes() + round_before.bytes() + round_within.bytes() +
               round_bits.bytes() + special.bytes() + special_of.bytes() + next_wall.bytes() +
               previous_wall.bytes();
    }
};

/// Whether contacts of a pair have round rows, and are on something prescribed.
SCREE_HD std::uint8_t kind_of_rows(const state::ModelView& model, const state::BodyView& bodies,
                                   state::BodyPair pair)
{
    switch (row_kind(model.settings.law, bodies.flags[pair.first], bodies.flags[pair.second])) {
    case state::RowKind::general: return found_general;
    case state::RowKind::round_on_wall: return found_on_wall;
    default: return 0;
    }
}

/// Whether a pair is two dynamic spheres with a round row: the common case, for which kernels are
/// lean.
SCREE_HD bool is_plain(const state::ModelView& model, const state::BodyView& bodies,
                       state::BodyPair pair)
{
    const std::uint8_t a = bodies.flags[pair.first], b = bodies.flags[pair.second];
    return (a & b & state::flag_round) != 0 &&
           row_kind(model.settings.law, a, b) == state::RowKind::round;
}

/// Whether a pair is a sphere on something prescribed that it touches in one point, with a round
/// row: the other common case.
SCREE_HD bool is_on_wall(const state::ModelView& model, const state::BodyView& bodies,
                         state::BodyPair pair)
{
    const std::uint8_t wall = bodies.flags[pair.second];
    return kind_of_rows(model, bodies, pair) == found_on_wall &&
           ((wall & state::flag_round) != 0 ? (wall & state::flag_grouped) == 0
                                            : candidates::touches_once(model, bodies, pair));
}

/// A number of eight bits for the kinds of shapes of a pair.
SCREE_HD std::uint64_t kinds_of(const state::ModelView& model, const state::BodyView& bodies,
                                state::BodyPair pair)
{
    const auto kind = [&](std::uint32_t body) {
        return static_cast<std::uint64_t>(model.prototypes[bodies.prototype[body]].shape.kind);
    };
    return kind(pair.first) << 4 | kind(pair.second);
}

/// Counts the round rows of all pairs before each; first(k) and then(k) as of scan_groups.
template <class Loops, class First, class Then>
void scan_found(Loops& loops, std::size_t pairs, FoundPairs<Loops>& rows, std::size_t m,
                const First& first, const Then& then)
{
    const std::uint8_t* found = rows.found.count.data();
    RoundRows* bits = rows.round_bits.data();
    loops.scan_groups(
        RoundScan::chunks(pairs), rows.round_within.data(), rows.round_before.data(),
        [=] SCREE_DEVICE(std::size_t c) -> RoundRows {
            const RoundRows own = round_bits_of(found + RoundScan::chunk * c);
            bits[c] = own;
            return math::set_bits(free_of(own)) +
                   (RoundRows(math::set_bits(on_wall_of(own))) << 32);
        },
        m, first, then);
}

/// Memory for what is found of a list's pairs.
template <class Loops> void fit_found(FoundPairs<Loops>& rows, std::size_t pairs)
{
    const std::size_t chunks = RoundScan::chunks(pairs);
    rows.found.count.fit(RoundScan::chunk * chunks);
    rows.foreseen.count.fit(rows.any_general ? 0 : RoundScan::chunk * chunks);
    rows.round_before.fit(exec::scan_groups_of(chunks) + 1);
    rows.round_within.fit(chunks);
    rows.round_bits.fit(chunks);
    rows.special_of.fit(pairs);
    rows.next_wall.fit(pairs);
    rows.previous_wall.fit(pairs);
}

/// Counts the special pairs, as if those on walls had rows there, and others free ones.
template <class Loops>
void count_special(Loops& loops, const state::ModelView& model, const state::BodyView& b,
                   const state::ListColumns<Loops>& list, FoundPairs<Loops>& rows)
{
    const std::size_t n = list.count;
    const state::BodyPair* in_step = list.in_step.data();
    std::uint8_t* found = rows.found.count.data();
    std::uint8_t* foreseen = rows.foreseen.count.size() > 0 ? rows.foreseen.count.data() : nullptr;
    loops.for_each(rows.found.count.size(), [=] SCREE_DEVICE(std::size_t k) {
        if (foreseen != nullptr) {
            foreseen[k] = 0;
        }
        found[k] = k >= n || is_plain(model, b, in_step[k]) ? 0
                   : is_on_wall(model, b, in_step[k])       ? 1 | found_on_wall
                                                            : 1;
    });
    const auto nothing = [] SCREE_DEVICE(std::size_t) {};
    scan_found(loops, n, rows, 0, nothing, nothing);
    RoundRows counted = 0;
    loops.download(rows.round_scan().before + exec::scan_groups_of(RoundScan::chunks(n)), &counted,
                   1);
    rows.on_wall_count = on_wall_of(counted);
    rows.special_count = rows.on_wall_count + free_of(counted);
}

/// Lists the special pairs that were counted, those of the same kinds of shapes side by side.
template <class Loops>
void list_special(Loops& loops, const state::ModelView& model, const state::BodyView& b,
                  const state::ListColumns<Loops>& list, FoundPairs<Loops>& rows)
{
    const std::size_t special_count = rows.special_count, on_wall_count = rows.on_wall_count;
    rows.special.fit(special_count);
    const std::size_t points = shapes::Manifold::capacity * special_count;
    rows.found.points.fit(points);
    rows.foreseen.points.fit(rows.any_general ? 0 : points);
    const state::BodyPair* in_step = list.in_step.data();
    std::uint8_t* found = rows.found.count.data();
    std::uint32_t *special = rows.special.data(), *special_of = rows.special_of.data();
    const RoundScan scan = rows.round_scan();
    // Threads beside each other get pairs of the same kinds of shapes. Lent memory as well, which
    // the narrow phase writes anew.
    static_assert(sizeof(shapes::ContactPoint) >= 2 * sizeof(std::uint64_t));
    auto* keys = reinterpret_cast<std::uint64_t*>(rows.found.points.data());
    loops.for_each(list.count, [=] SCREE_DEVICE(std::size_t k) {
        if (found[k] != 0) {
            const bool on_wall = (found[k] & found_on_wall) != 0;
            keys[on_wall ? on_wall_of(scan[k]) : on_wall_count + free_of(scan[k])] =
                std::uint64_t(k) << 8 | kinds_of(model, b, in_step[k]);
        }
        found[k] = found[k] != 0 ? found_special : 0;
    });
    const std::uint64_t* others = keys;
    if (rows.any_general) {
        others = keys + special_count;
        loops.sort(keys + on_wall_count, keys + special_count + on_wall_count,
                   special_count - on_wall_count, 8);
    }
    loops.for_each(special_count, [=] SCREE_DEVICE(std::size_t j) {
        const auto k = static_cast<std::uint32_t>((j < on_wall_count ? keys : others)[j] >> 8);
        special[j] = k;
        special_of[k] = static_cast<std::uint32_t>(j);
    });
}

/// Links each sphere on something prescribed to the next such pair of its body, by colour, and to
/// the one before. The bodies are those of the list, or their copies.
struct ChainWalls {
    state::ModelView model;
    state::BodyView bodies;
    const state::BodyPair *in_step, *slot;  ///< in the step's order; slots null: no copies
    const state::BodyPair* pair;            ///< in the list's order
    const std::uint8_t* colour;
    const std::uint32_t *place, *special;
    std::size_t pairs;
    neighbours::ColourBegins begins;
    std::uint32_t *next, *previous;

    SCREE_HD void operator()(std::size_t j) const
    {
        const std::uint32_t k = special[j];
        next[k] = previous[k] = no_row;
        if (kind_of_rows(model, bodies, in_step[k]) != found_on_wall) {
            return;
        }
        // Pairs with what is prescribed come last among those of their first body.
        const std::uint32_t own = place[k];
        const std::uint32_t first = pair[own].first;
        int above = 256, below = -1;
        for (std::uint32_t p = own; p < pairs && pair[p].first == first; ++p) {
            look(k, p, above, below);
        }
        for (std::uint32_t p = own;
             p > 0 && pair[p - 1].first == first && pair[p - 1].second >= bodies.dynamic_count;) {
            look(k, --p, above, below);
        }
    }

    /// Whether pair p of the list is nearer to pair k of the step than those between `below` and
    /// `above`.
    SCREE_HD void look(std::uint32_t k, std::uint32_t p, int& above, int& below) const
    {
        const std::uint32_t own = place[k];
        if (p == own || kind_of_rows(model, bodies, pair[p]) != found_on_wall) {
            return;
        }
        const std::uint32_t at = begins.step_of(p, colour[p], place);
        if (slot != nullptr && slot[at].first != slot[k].first) {
            return;
        }
        if (colour[p] > colour[own] && colour[p] < above) {
            above = colour[p];
            next[k] = at;
        }
        if (colour[p] < colour[own] && colour[p] > below) {
            below = colour[p];
            previous[k] = at;
        }
    }
};

/// After a new list: which pairs are special, and the chains of spheres on walls.
template <class Loops>
void follow_list(Loops& loops, const state::ModelView& model,
                 const state::BodyColumns<Loops>& bodies, const state::ListColumns<Loops>& list,
                 FoundPairs<Loops>& rows)
{
    const state::BodyView b = bodies.view();
    rows.any_general = bodies.inertia.size() > 0;
    fit_found(rows, list.count);
    count_special(loops, model, b, list, rows);
    list_special(loops, model, b, list, rows);
    const ChainWalls chain{.model = model,
                           .bodies = b,
                           .in_step = list.in_step.data(),
                           .slot = list.slot.size() > 0 ? list.slot.data() : nullptr,
                           .pair = list.pair.data(),
                           .colour = list.colour.data(),
                           .place = list.place.data(),
                           .special = rows.special.data(),
                           .pairs = list.count,
                           .begins = neighbours::colour_begins(list),
                           .next = rows.next_wall.data(),
                           .previous = rows.previous_wall.data()};
    loops.for_each(rows.special_count, chain);
}

}  // namespace scree::candidates
