// The stage narrow_phase on a device: candidates of all pairs, in the step's order.
#pragma once

#include "collide/candidate.hpp"
#include "device/foresight.hpp"

namespace scree::device {

/// Whether two spheres are candidates.
SCREE_HD unsigned meet(const ModelView& model, const BodyView& b, const collide::Closing& step,
                       collide::Pass pass, collide::BodyPair pair, bool was)
{
    const Ball x = b.ball[pair.first], y = b.ball[pair.second];
    // In a further pass none is lost that was found before.
    const bool keep = (pass == collide::Pass::again && was) ||
                      (pass == collide::Pass::wide && collide::is_surprised(b, pair));
    return collide::spheres_meet(step, b, pair, image_difference(x, y, model.box), x.r + y.r,
                                 collide::coarse_reach(b, pair), keep);
}

/// Notes of a pair that it has rows: which contacts its slots have, and which of these are away.
struct RowNotes {
    const collide::BodyPair* slots;
    ColourBegins begins;
    SlotOrder* order;
    std::uint8_t* away;
    Dealt dealt;
    RowRun fixed;  ///< slots that no impulse moves

    SCREE_HD void operator()(std::uint32_t k, std::uint8_t found) const
    {
        if ((found & found_count) == 0) {
            return;
        }
        const collide::BodyPair slot = slots[k];
        const int colour = begins.colour_of(k);
        if (!is_free(found) && (found & found_general) == 0) {
            mark(order[slot.first].round, SlotOrder::walls(begins, begins.leg_of(colour)));
            return;
        }
        const std::uint64_t bit = SlotOrder::bit(colour);
        // A slot is away that a row of another block needs.
        const auto mark_away = [&](std::uint32_t s) {
            if (dealt.room > 0) {
                away[s] = 1;
            }
        };
        if (is_free(found)) {
            mark(order[slot.first].round, bit);
            mark(order[slot.second].round, bit);
            if (dealt.block_of(slot.first) != dealt.block_of(slot.second)) {
                mark_away(slot.second);
            }
        } else {
            mark(order[slot.first].general, bit);
            mark_away(slot.first);
            mark_away(slot.second);
            if (slot.second < fixed.begin || slot.second >= fixed.end) {
                mark(order[slot.second].general, bit);
            }
        }
    }
};

/// Which pairs can touch within the step, and where. `out`: those of the rows, or what is foreseen
/// of the next step.
template <class Loops, class T>
void find_candidates(Loops& loops, const ModelView& model, const BodyView& b,
                     const ListColumns<Loops>& list, double spare, collide::Pass pass,
                     const DeviceRows<Loops, T>& rows, const FoundColumns<Loops>& out,
                     const Foresight& foresight = {})
{
    const PairView listed{list.pair.data(), list.count};
    const collide::BodyPair* in_step = list.in_step.data();
    const std::uint32_t *place = list.place.data(), *special = rows.special.data();
    collide::ContactPoint* points = out.points.data();
    const std::uint8_t* found = rows.found.count.data();
    std::uint8_t* now = out.count.data();
    const RowNotes note{
        list.slot.size() > 0 ? list.slot.data() : in_step,
        colour_begins(list),
        rows.slot_order.data(),
        rows.away.data(),
        rows.dealt,
        {static_cast<std::uint32_t>(b.dynamic_count), static_cast<std::uint32_t>(b.count)}};
    const collide::Closing step = collide::closing(model.settings, spare, pass);
    const auto keep = [=] SCREE_DEVICE(std::uint32_t k, collide::BodyPair pair, unsigned count,
                                       unsigned kind) {
        count = count != 0 && foresight.gone(b, pair) ? 0 : count;
        now[k] = static_cast<std::uint8_t>(count | kind);
        note(k, now[k]);
    };
    const auto plain_pair = [=] SCREE_DEVICE(std::size_t k) {
        const std::uint8_t before = found[k];
        const collide::BodyPair pair = in_step[k];
        const bool comes = foresight.comes();
        if (comes && (before & found_special) == 0) {
            const bool was = (before & found_count) != 0;
            keep(static_cast<std::uint32_t>(k), pair, meet(model, b, step, pass, pair, was), 0);
        }
    };
    const std::size_t on_wall_count = rows.on_wall_count;
    const auto wall_pair = [=] SCREE_DEVICE(std::size_t j) {
        const std::uint32_t k = special[j];
        if (!foresight.comes()) {
            return;
        }
        const collide::BodyPair pair = in_step[k];
        const std::uint8_t both = b.flags[pair.first] & b.flags[pair.second];
        unsigned count = 0;
        if ((both & flag_round) != 0) {
            count = meet(model, b, step, pass, pair, (found[k] & found_count) != 0);
        } else if ((both & flag_alive) != 0) {
            count = collide::find_point(model, b, pair,
                                        collide::candidate_reach(model, b, pair, step.spare),
                                        points[collide::Manifold::capacity * j])
                        ? 1
                        : 0;
        }
        keep(k, pair, count, found_special | kind_of_rows(model, b, pair));
    };
    const auto special_pair = [=] SCREE_DEVICE(std::size_t i) {
        if (!foresight.comes()) {
            return;
        }
        const std::size_t j = on_wall_count + i;
        const std::uint32_t k = special[j];
        const collide::BodyPair pair = in_step[k];
        const std::uint8_t both = b.flags[pair.first] & b.flags[pair.second];
        unsigned count = 0;
        if ((both & flag_round) != 0) {
            count = meet(model, b, step, pass, pair, (found[k] & found_count) != 0);
            if (count != 0 && (b.flags[pair.second] & flag_grouped) != 0 &&
                collide::is_covered(model, b, listed, place[k])) {
                count = 0;
            }
        } else if ((both & flag_alive) != 0) {
            collide::Manifold manifold;
            collide::find_candidate_points(model, b, listed, place[k], step.spare, manifold);
            count = static_cast<unsigned>(manifold.count);
            for (unsigned f = 0; f < count; ++f) {
                points[collide::Manifold::capacity * j + f] = manifold.points[f];
            }
        }
        keep(k, pair, count, found_special | kind_of_rows(model, b, pair));
    };
    loops.side_by_side([&] { loops.for_each(rows.special_count - on_wall_count, special_pair); },
                       [&] { loops.for_each(on_wall_count, wall_pair); },
                       [&] { loops.for_each(list.count, plain_pair); });
}

}  // namespace scree::device
