// What sweeps of a device keep of each slot beside the rows: its line, the order of its contacts
// and which block of threads has it.
#pragma once

#include "stages/neighbours/device_colour_begins.hpp"
#include "stages/relax/device_sweeps.hpp"

namespace scree::relax {

template <class Loops, class T> struct SweepColumns {
    template <class U> using Buffer = typename Loops::template Buffer<U>;
    // By slot:
    Buffer<SlotContacts> slot_order;
    Buffer<TicketLine<T>> line;
    Buffer<std::uint8_t> away;
    exec::BlockTeam team;  ///< sweeps
    UniformSpheres<T> alike;
    SlotShares dealt;
    Buffer<std::uint32_t> cuts;  ///< see find_rows
    /// Idle lanes have slots of their own.
    void fit_slots(std::size_t slots)
    {
        slot_order.fit(slots + state::block_lanes);
        line.fit(slots + state::block_lanes);
        away.fit(slots + state::block_lanes);
    }
    [[nodiscard]] std::size_t sweep_bytes() const
    {
        return slot_order.bytes() + line.bytes() + away.bytes() + cuts.bytes();
    }
};

/// Notes of a pair that it has rows: which contacts its slots have, and which of these are away.
struct RowNotes {
    const state::BodyPair* slots;
    neighbours::ColourBegins begins;
    SlotContacts* order;
    std::uint8_t* away;
    SlotShares dealt;
    rows::RowRun fixed;  ///< slots that no impulse moves

    SCREE_HD void operator()(std::uint32_t k, std::uint8_t found) const
    {
        if ((found & candidates::found_count) == 0) {
            return;
        }
        const state::BodyPair slot = slots[k];
        const int colour = begins.colour_of(k);
        if (!candidates::is_free(found) && (found & candidates::found_general) == 0) {
            exec::mark(order[slot.first].round,
                       SlotContacts::walls(begins, begins.part_of(colour)));
            return;
        }
        const std::uint64_t bit = SlotContacts::bit(colour);
        // A slot is away that a row of another block needs.
        const auto mark_away = [&](std::uint32_t s) {
            if (dealt.room > 0) {
                away[s] = 1;
            }
        };
        if (candidates::is_free(found)) {
            exec::mark(order[slot.first].round, bit);
            exec::mark(order[slot.second].round, bit);
            if (dealt.block_of(slot.first) != dealt.block_of(slot.second)) {
                mark_away(slot.second);
            }
        } else {
            exec::mark(order[slot.first].general, bit);
            mark_away(slot.first);
            mark_away(slot.second);
            if (slot.second < fixed.begin || slot.second >= fixed.end) {
                exec::mark(order[slot.second].general, bit);
            }
        }
    }
};

template <class Loops, class T>
RowNotes row_notes(const state::ListColumns<Loops>& list, const state::BodyView& bodies,
                   const SweepColumns<Loops, T>& rows)
{
    return {list.slot.size() > 0 ? list.slot.data() : list.in_step.data(),
            neighbours::colour_begins(list),
            rows.slot_order.data(),
            rows.away.data(),
            rows.dealt,
            {static_cast<std::uint32_t>(bodies.dynamic_count),
             static_cast<std::uint32_t>(bodies.count)}};
}

/// After a new list: who sweeps its rows, and which block those of which slots.
template <class Loops, class T>
void deal_out(Loops& loops, const state::Model& model, bool several_ranks, bool any_general,
              const state::BodyColumns<Loops>& bodies, const state::ListColumns<Loops>& list,
              SweepColumns<Loops, T>& rows)
{
    // As many threads as the largest colour may use.
    std::size_t most = 1;
    for (int c = 0; c < list.colours; ++c) {
        most = std::max<std::size_t>(most, list.colour_begin[c + 1] - list.colour_begin[c]);
    }
    rows.alike =
        any_general || list.copy_count > 0 ? UniformSpheres<T>{} : UniformSpheres<T>::of(model);
    rows.team = any_general      ? team_for<RelaxTask<RowsKind::general, T>>(loops, most)
                : rows.alike.are ? team_for<RelaxTask<RowsKind::alike, T>>(loops, most)
                                 : team_for<RelaxTask<RowsKind::round, T>>(loops, most);
    rows.dealt = SlotShares::to(rows.team, bodies.count + list.copy_count, sizeof(TicketLine<T>),
                                list.copy_count > 0 || several_ranks);
    if (rows.dealt.room == 0) {
        return;
    }
    const std::size_t per_colour = rows.team.blocks + 1;
    const std::size_t n = static_cast<std::size_t>(list.colours) * per_colour;
    rows.cuts.fit(n);
    std::uint32_t* cuts = rows.cuts.data();
    const state::BodyPair* slots = list.in_step.data();
    const neighbours::ColourBegins begins = neighbours::colour_begins(list);
    const std::uint32_t share = rows.dealt.share;
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        const std::size_t c = i / per_colour;
        cuts[i] = first_pair_of_slot(slots, begins.of[c], begins.of[c + 1],
                                     static_cast<std::uint32_t>(i % per_colour) * share);
    });
}

}  // namespace scree::relax
