// What a device holds of the contacts of a pass, and what follows from a new list: which pairs are
// special, and the chains of spheres on walls.
#pragma once

#include "collide/candidate.hpp"
#include "device/columns.hpp"
#include "device/sweeps.hpp"

namespace scree::device {

/// What the host learns of a pass.
struct Numbers {
    double max_depth;  ///< the largest of all contacts
    PassSpeeds speeds;
    SweepResult relaxed;
    std::uint32_t stale, surprised, missed, first_missed;
    std::uint32_t bouncing, deep, first_deep, degenerate, first_degenerate;
    std::uint32_t round_blocks, general_blocks, contacts, overflow;
};

/// What a row's set-up knows beside the row.
enum RowMark : std::uint8_t { mark_touching = 1, mark_penetrating = 2 };

/// What the narrow phase found.
template <class Loops> struct FoundColumns {
    template <class U> using Buffer = typename Loops::template Buffer<U>;
    /// By pair, in the step's order; of whole chunks of RoundScan, where those of no pair are 0.
    Buffer<std::uint8_t> count;
    Buffer<collide::ContactPoint> points;  ///< of special pairs, as many as a manifold has room for

    void swap(FoundColumns& other) noexcept
    {
        count.swap(other.count);
        points.swap(other.points);
    }
    [[nodiscard]] std::size_t bytes() const { return count.bytes() + points.bytes(); }
};

/// What belongs to pairs and to slots, whatever the numbers of rows are: what works on these alone
/// is compiled once for all.
template <class Loops> struct PairRows {
    template <class U> using Buffer = typename Loops::template Buffer<U>;
    // By pair, in the step's order:
    FoundColumns<Loops> found, foreseen;  ///< of this step; of the next, where all rows are round
    Buffer<RoundRows> round_before, round_within, round_bits;  ///< see RoundScan
    Buffer<GeneralRows> general_scan;
    /// Pairs whose contacts take more than two spheres': where they are in the step's order; and
    /// for each of these its number among them. First those of is_on_wall, then others by kinds of
    /// shapes.
    Buffer<std::uint32_t> special, special_of;
    std::size_t special_count = 0, on_wall_count = 0;
    Buffer<std::uint32_t> next_wall, previous_wall;
    // By slot:
    Buffer<SlotOrder> slot_order;
    Buffer<std::uint8_t> away;
    bool any_general = false;
    Dealt dealt;

    [[nodiscard]] RowScans scans() const
    {
        return {{round_before.data(), round_within.data(), round_bits.data()},
                any_general ? general_scan.data() : nullptr};
    }
    /// Of groups.
    [[nodiscard]] int kinds() const { return any_general ? group_kinds : 2; }
    [[nodiscard]] std::size_t bytes() const
    {
        return found.bytes() + foreseen.bytes() + round_before.bytes() + round_within.bytes() +
               round_bits.bytes() + general_scan.bytes() + special.bytes() + special_of.bytes() +
               next_wall.bytes() + previous_wall.bytes() + slot_order.bytes() + away.bytes();
    }
};

/// Round rows are in the numbers T.
template <class Loops, class T> struct DeviceRows : PairRows<Loops> {
    template <class U> using Buffer = typename Loops::template Buffer<U>;
    Buffer<RoundRowsOf<T>> round;
    Buffer<InertBlock<T>> inert;  ///< of round rows
    Buffer<GeneralBlock> general;
    Buffer<RowPlaces> places;
    // By row:
    Buffer<std::uint32_t> pair_of_row;  ///< of round rows, in the step's order; no_row: idle
    Buffer<std::uint32_t> next_on_wall, next_point;
    Buffer<std::uint32_t> round_turn, general_turn;  ///< see Turn
    Buffer<std::uint8_t> round_mark, general_mark;
    Buffer<double> round_depth, general_depth;
    Buffer<TurnLine<T>> line;      ///< by slot
    Buffer<std::uint32_t> row_of;  ///< by contact
    Team team;                     ///< sweeps
    Alike<T> alike;
    Buffer<std::uint32_t> cuts;  ///< see find_rows

    void fit_rows(std::size_t round_blocks, std::size_t general_blocks)
    {
        round.fit((round_blocks * block_lanes + round_lanes - 1) / round_lanes);
        round_blocks = round_capacity();
        inert.fit(round.size());
        general.fit(general_blocks);
        pair_of_row.fit(round_blocks * block_lanes);
        next_on_wall.fit(round_blocks * block_lanes);
        round_turn.fit(round_blocks * block_lanes);
        general_turn.fit(general_blocks * block_lanes);
        round_mark.fit(round_blocks * block_lanes);
        round_depth.fit(round_blocks * block_lanes);
        next_point.fit(general_blocks * block_lanes);
        general_mark.fit(general_blocks * block_lanes);
        general_depth.fit(general_blocks * block_lanes);
        row_of.fit((round_blocks + general_blocks) * block_lanes);
    }
    /// Idle lanes have slots of their own.
    void fit_slots(std::size_t slots)
    {
        this->slot_order.fit(slots + block_lanes);
        line.fit(slots + block_lanes);
        this->away.fit(slots + block_lanes);
    }
    /// In blocks of block_lanes rows.
    [[nodiscard]] std::size_t round_capacity() const
    {
        return round.size() * round_lanes / block_lanes;
    }
    [[nodiscard]] std::size_t bytes() const
    {
        return PairRows<Loops>::bytes() + round.bytes() + general.bytes() + places.bytes() +
               pair_of_row.bytes() + next_on_wall.bytes() + next_point.bytes() +
               round_turn.bytes() + general_turn.bytes() + line.bytes() + inert.bytes() +
               cuts.bytes() + round_mark.bytes() + general_mark.bytes() + round_depth.bytes() +
               general_depth.bytes() + row_of.bytes();
    }
};

/// Whether contacts of a pair have round rows, and are on something prescribed.
SCREE_HD std::uint8_t kind_of_rows(const ModelView& model, const BodyView& bodies,
                                   collide::BodyPair pair)
{
    const std::uint8_t a = bodies.flags[pair.first], b = bodies.flags[pair.second];
    if (model.settings.law == Law::projected || !collide::round_rows(a, b)) {
        return found_general;
    }
    return (b & flag_prescribed) != 0 ? found_on_wall : 0;
}

/// Whether a pair is two dynamic spheres with a round row: the common case, for which kernels are
/// lean.
SCREE_HD bool is_plain(const ModelView& model, const BodyView& bodies, collide::BodyPair pair)
{
    const std::uint8_t a = bodies.flags[pair.first], b = bodies.flags[pair.second];
    return (a & b & flag_round) != 0 && (b & flag_prescribed) == 0 &&
           model.settings.law != Law::projected;
}

/// Whether a pair is a sphere on something prescribed that it touches in one point, with a round
/// row: the other common case.
SCREE_HD bool is_on_wall(const ModelView& model, const BodyView& bodies, collide::BodyPair pair)
{
    const std::uint8_t wall = bodies.flags[pair.second];
    return kind_of_rows(model, bodies, pair) == found_on_wall &&
           ((wall & flag_round) != 0 ? (wall & flag_grouped) == 0
                                     : collide::touches_once(model, bodies, pair));
}

/// A number of eight bits for the kinds of shapes of a pair.
SCREE_HD std::uint64_t kinds_of(const ModelView& model, const BodyView& bodies,
                                collide::BodyPair pair)
{
    const auto kind = [&](std::uint32_t body) {
        return static_cast<std::uint64_t>(model.prototypes[bodies.prototype[body]].shape.kind);
    };
    return kind(pair.first) << 4 | kind(pair.second);
}

template <class Loops> ColourBegins colour_begins(const ListColumns<Loops>& list)
{
    ColourBegins begins{};
    begins.colours = list.colours;
    for (int c = 0; c <= list.colours; ++c) {
        begins.of[c] = static_cast<std::uint32_t>(list.colour_begin[c]);
    }
    std::copy(list.leg_end.begin(), list.leg_end.end(), begins.leg_end);
    return begins;
}

/// Counts the round rows of all pairs before each; first(k) and then(k) as of scan_groups.
template <class Loops, class First, class Then>
void scan_found(Loops& loops, std::size_t pairs, PairRows<Loops>& rows, std::size_t m,
                const First& first, const Then& then)
{
    const std::uint8_t* found = rows.found.count.data();
    RoundRows* bits = rows.round_bits.data();
    loops.scan_groups(
        RoundScan::chunks(pairs), rows.round_within.data(), rows.round_before.data(),
        [=] SCREE_DEVICE(std::size_t c) -> RoundRows {
            const RoundRows own = round_bits_of(found + RoundScan::chunk * c);
            bits[c] = own;
            return set_bits(free_of(own)) + (RoundRows(set_bits(on_wall_of(own))) << 32);
        },
        m, first, then);
}

/// Counts the general rows of all pairs before each.
template <class Loops> void scan_general(Loops& loops, std::size_t pairs, PairRows<Loops>& rows)
{
    const std::uint8_t* found = rows.found.count.data();
    loops.scan(pairs, rows.general_scan.data(), [=] SCREE_DEVICE(std::size_t k) -> GeneralRows {
        return general_rows_of(found[k]);
    });
}

/// After a new list: which pairs are special, and the chains of spheres on walls.
template <class Loops>
void follow_list(Loops& loops, const ModelView& model, const BodyColumns<Loops>& bodies,
                 const ListColumns<Loops>& list, PairRows<Loops>& rows)
{
    const std::size_t n = list.count;
    const BodyView b = bodies.view();
    rows.any_general = bodies.inertia.size() > 0;
    const std::size_t chunks = RoundScan::chunks(n);
    rows.found.count.fit(RoundScan::chunk * chunks);
    rows.foreseen.count.fit(rows.any_general ? 0 : RoundScan::chunk * chunks);
    rows.round_before.fit(scan_groups_of(chunks) + 1);
    rows.round_within.fit(chunks);
    rows.round_bits.fit(chunks);
    rows.general_scan.fit(rows.any_general ? n + 1 : 0);
    rows.special_of.fit(n);
    rows.next_wall.fit(n);
    rows.previous_wall.fit(n);
    const collide::BodyPair* in_step = list.in_step.data();
    std::uint32_t* special_of = rows.special_of.data();
    // Counted as if those on walls had rows there, and others free ones.
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
    const RoundScan scan = rows.scans().round;
    RoundRows counted = 0;
    loops.download(scan.before + scan_groups_of(chunks), &counted, 1);
    const std::uint32_t on_wall_count = on_wall_of(counted);
    const std::uint32_t special_count = on_wall_count + free_of(counted);
    rows.on_wall_count = on_wall_count;
    rows.special_count = special_count;
    rows.special.fit(special_count);
    const std::size_t points = collide::Manifold::capacity * std::size_t(special_count);
    rows.found.points.fit(points);
    rows.foreseen.points.fit(rows.any_general ? 0 : points);
    std::uint32_t* special = rows.special.data();
    // Threads beside each other get pairs of the same kinds of shapes. Lent memory as well, which
    // the narrow phase writes anew.
    static_assert(sizeof(collide::ContactPoint) >= 2 * sizeof(std::uint64_t));
    auto* keys = reinterpret_cast<std::uint64_t*>(rows.found.points.data());
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
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

    // Pairs with what is prescribed come last among those of their first body.
    const collide::BodyPair* pair = list.pair.data();
    const std::uint8_t* colour = list.colour.data();
    const std::uint32_t* place = list.place.data();
    const collide::BodyPair* slot = list.slot.size() > 0 ? list.slot.data() : nullptr;
    const ColourBegins begins = colour_begins(list);
    std::uint32_t* next = rows.next_wall.data();
    std::uint32_t* previous = rows.previous_wall.data();
    loops.for_each(special_count, [=] SCREE_DEVICE(std::size_t j) {
        const std::uint32_t k = special[j];
        next[k] = previous[k] = no_row;
        if (kind_of_rows(model, b, in_step[k]) != found_on_wall) {
            return;
        }
        const std::uint32_t own = place[k];
        const std::uint32_t first = pair[own].first;
        int above = 256, below = -1;
        const auto look = [&](std::uint32_t p) {
            if (p == own || kind_of_rows(model, b, pair[p]) != found_on_wall) {
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
        };
        for (std::uint32_t p = own; p < n && pair[p].first == first; ++p) {
            look(p);
        }
        for (std::uint32_t p = own;
             p > 0 && pair[p - 1].first == first && pair[p - 1].second >= b.dynamic_count;) {
            look(--p);
        }
    });
}

/// After a new list: who sweeps its rows, and which block those of which slots.
template <class Loops, class T>
void deal_out(Loops& loops, const Model& model, const BodyColumns<Loops>& bodies,
              const ListColumns<Loops>& list, DeviceRows<Loops, T>& rows)
{
    // As many threads as the largest colour may use.
    std::size_t most = 1;
    for (int c = 0; c < list.colours; ++c) {
        most = std::max<std::size_t>(most, list.colour_begin[c + 1] - list.colour_begin[c]);
    }
    rows.alike = rows.any_general || list.copy_count > 0 ? Alike<T>{} : Alike<T>::of(model);
    rows.team = rows.any_general ? team_for<RelaxTask<RowsKind::general, T>>(loops, most)
                : rows.alike.are ? team_for<RelaxTask<RowsKind::alike, T>>(loops, most)
                                 : team_for<RelaxTask<RowsKind::round, T>>(loops, most);
    rows.dealt = Dealt::to(rows.team, bodies.count + list.copy_count, sizeof(TurnLine<T>),
                           list.copy_count > 0 || model.domain != nullptr);
    if (rows.dealt.room == 0) {
        return;
    }
    const std::size_t per_colour = rows.team.blocks + 1;
    const std::size_t n = static_cast<std::size_t>(list.colours) * per_colour;
    rows.cuts.fit(n);
    std::uint32_t* cuts = rows.cuts.data();
    const collide::BodyPair* slots = list.in_step.data();
    const ColourBegins begins = colour_begins(list);
    const std::uint32_t share = rows.dealt.share;
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        const std::size_t c = i / per_colour;
        cuts[i] = pair_from_slot(slots, begins.of[c], begins.of[c + 1],
                                 static_cast<std::uint32_t>(i % per_colour) * share);
    });
}

}  // namespace scree::device
