// Where the rows of a pass go: blocks for every group of every region of the list, and places in
// them for every chunk of pairs.
#include "exec/memory.hpp"
#include "exec/threads.hpp"
#include "scree/error.hpp"
#include "stages/rows/contact_rule.hpp"
#include "stages/rows/make_rows.hpp"

#include <algorithm>

namespace scree::rows {

namespace {

/// Unused lanes from a place to the end of its block.
void fill_idle_lanes(state::ContactRows& rows, bool round, std::uint32_t from,
                     std::size_t idle_slot)
{
    for (std::uint32_t k = from; k % state::block_lanes != 0; ++k) {
        const std::uint32_t lane = k % state::block_lanes;
        const auto slot = static_cast<std::uint32_t>(idle_slot + lane);
        if (round) {
            store_idle_round({slot, slot}, rows.round[k / state::block_lanes], lane);
        } else {
            store_idle_general({slot, slot}, rows.general[k / state::block_lanes], lane);
        }
    }
}

/// Lays groups out one after the other.
struct RowLayout {
    const state::PairList& list;
    const candidates::Candidates& candidates;
    state::ContactRows& rows;
    std::uint32_t* offset;          ///< by chunk and group: the next place
    std::uint32_t blocks[2]{0, 0};  ///< of round rows, of general ones

    [[nodiscard]] std::size_t colours() const { return static_cast<std::size_t>(list.colours); }
    [[nodiscard]] bool is_between_parts(std::size_t g) const
    {
        return candidates::colour_of_group(colours(), g) >=
               static_cast<std::size_t>(list.own_colours);
    }

    /// The places of chunks [first, last) in group g, which gets its blocks.
    void lay(std::size_t g, std::size_t first, std::size_t last, std::uint32_t part)
    {
        const state::RowKind kind = candidates::kind_of_group(colours(), g);
        const auto groups = static_cast<std::size_t>(candidates.groups);
        std::uint32_t& next_block = blocks[kind == state::RowKind::general ? 1 : 0];
        std::uint32_t at = next_block * state::block_lanes;
        for (std::size_t c = first; c < last; ++c) {
            offset[c * groups + g] = at;
            at += candidates.group_count[c * groups + g];
        }
        const std::uint32_t end = (at + state::block_lanes - 1) / state::block_lanes;
        if (end > next_block) {
            const int leg = state::part_of(
                static_cast<int>(candidates::colour_of_group(colours(), g)), list.leg_end.data());
            add({next_block, end, kind, at, leg < state::part_local ? state::no_part : part}, leg);
            next_block = end;
        }
    }
    /// Groups of the legs before the last are swept before others.
    void add(const state::Group& group, int leg) const
    {
        rows.groups.push_back(group);
        if (leg < state::part_local) {
            const auto to = rows.leg_end.begin() + leg;
            std::rotate(rows.groups.begin() + static_cast<std::ptrdiff_t>(*to),
                        rows.groups.end() - 1, rows.groups.end());
            std::for_each(to, rows.leg_end.end(), [](std::size_t& behind) { ++behind; });
        }
    }
    /// A part is swept region by region, of which the bodies stay in the cache; then come the
    /// groups between parts.
    void lay_all(std::size_t chunks, std::size_t region)
    {
        const auto groups = static_cast<std::size_t>(candidates.groups);
        for (std::size_t part = 0; part < list.parts; ++part) {
            const std::size_t end = std::min(chunks, (part + 1) * list.part_chunks);
            for (std::size_t first = part * list.part_chunks; first < end; first += region) {
                for (std::size_t g = 0; g < groups; ++g) {
                    if (!is_between_parts(g)) {
                        lay(g, first, std::min(end, first + region),
                            list.parts > 1 ? static_cast<std::uint32_t>(part) : state::no_part);
                    }
                }
            }
        }
        for (std::size_t g = 0; g < groups; ++g) {
            if (is_between_parts(g)) {
                lay(g, 0, chunks, state::no_part);
            }
        }
    }
};

}  // namespace

void Setup::place(const state::PairList& list, const candidates::Candidates& candidates,
                  std::size_t region_pairs, std::size_t idle_slot, state::ContactRows& rows)
{
    const std::size_t chunks = exec::chunk_count(list.pair.size(), state::pair_chunk);
    exec::fit(offset_, chunks * static_cast<std::size_t>(candidates.groups));
    exec::fit(chunk_first_, chunks);
    if (candidates.total >= state::general_bit / 8 * 7) {  // with unused lanes, rows have 31 bits
        throw Error("more than 1.8e9 contacts: the bodies lie inside each other, or there are too "
                    "many for one world");
    }
    std::uint32_t contacts = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        chunk_first_[c] = contacts;
        contacts += candidates.chunks[c].contacts;
    }
    exec::fit(row_of_, contacts);

    rows.groups.clear();
    rows.leg_end.fill(0);
    RowLayout layout{list, candidates, rows, offset_.data()};
    layout.lay_all(chunks, region_pairs == 0
                               ? chunks
                               : (region_pairs + state::pair_chunk - 1) / state::pair_chunk);
    exec::fit(rows.round, layout.blocks[0]);
    exec::fit(rows.general, layout.blocks[1]);
    // A round contact is its pair's only one: features are kept where there are others.
    exec::fit(feature_, layout.blocks[1] > 0 ? contacts : 0);
    for (const state::Group& g : rows.groups) {
        // Threads write to idle lines, too: each part has its own.
        const std::size_t lines =
            g.part == state::no_part ? 0 : std::size_t(g.part) * state::block_lanes;
        fill_idle_lanes(rows, g.kind != state::RowKind::general, g.used, idle_slot + lines);
    }
}

}  // namespace scree::rows
