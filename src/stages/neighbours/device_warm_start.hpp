// Stored impulses from one list to the next on a device. Pairs with contacts are remembered by
// their first body's old place, in the order of the second's; each pair of the new list asks for
// the old places of its bodies.
#pragma once

#include "exec/arena.hpp"
#include "exec/serial_loops.hpp"
#include "stages/neighbours/warm_start_transfer.hpp"
#include "state/device_columns.hpp"

namespace scree::neighbours {

/// Where the pairs of the new list were in the old one.
struct PlacesBefore {
    const std::uint32_t* order;  ///< old places of bodies, or null where none has moved
    SCREE_HD PairThere operator()(const state::BodyPair& p) const
    {
        return order != nullptr ? pair_at(order[p.first], order[p.second])
                                : pair_at(p.first, p.second);
    }
};

template <class Loops> class WarmStartTransfer {
public:
    using BodyPair = state::BodyPair;
    /// Remembers the old list's pairs with contacts.
    void remember(Loops& loops, std::size_t body_count, const state::ListColumns<Loops>& list,
                  const state::StoredColumns<Loops>& stored, exec::Arena<Loops>& work);
    /// Gives the new list's pairs what they had. `order`: old places of bodies, or null where none
    /// has moved. `spare` is written over. *contacts, which was 0, becomes their number.
    void give(Loops& loops, const std::uint32_t* order, const state::ListColumns<Loops>& list,
              state::StoredColumns<Loops>& stored, state::StoredColumns<Loops>& spare,
              std::uint32_t* contacts, exec::Arena<Loops>& work);
    [[nodiscard]] std::size_t bytes() const { return begin_.bytes() + second_.bytes(); }

private:
    template <class T> using Buffer = typename Loops::template Buffer<T>;
    Buffer<std::uint32_t> begin_;   ///< of each first body: where its pairs are; and where they end
    Buffer<std::uint32_t> second_;  ///< of each pair with contacts; and its place in the step
    std::size_t bodies_ = 0, most_ = 0;
};

template <class Loops>
void WarmStartTransfer<Loops>::remember(Loops& loops, std::size_t body_count,
                                        const state::ListColumns<Loops>& list,
                                        const state::StoredColumns<Loops>& stored,
                                        exec::Arena<Loops>& work)
{
    bodies_ = body_count;
    most_ = stored.impulse.size();  // no pair without a contact is remembered
    if (most_ == 0) {
        return;
    }
    const std::size_t n = list.count;
    begin_.fit(2 * bodies_);
    second_.fit(2 * most_);
    exec::Scratch scratch = work.open(2 * exec::room<std::uint32_t>(n) +
                                      exec::room<std::uint32_t>(exec::scan_groups_of(n) + 1));
    std::uint32_t* step_place = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* within = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* groups = scratch.take<std::uint32_t>(exec::scan_groups_of(n) + 1).data();
    std::uint32_t* begin = begin_.data();
    std::uint32_t* end = begin + bodies_;
    std::uint32_t* second = second_.data();
    std::uint32_t* place_of = second + most_;
    const BodyPair* pair = list.pair.data();
    const std::uint32_t* place = list.place.data();
    const std::uint8_t* count = stored.count.data();
    loops.fill_bytes(begin, 0, 2 * bodies_);
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
        step_place[place[k]] = static_cast<std::uint32_t>(k);
    });
    const auto nothing = [] SCREE_DEVICE(std::size_t) {};
    loops.scan_groups(
        n, within, groups,
        [=] SCREE_DEVICE(std::size_t i) -> std::uint32_t {
            return count[step_place[i]] > 0 ? 1 : 0;
        },
        0, nothing, nothing);
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        const BodyPair p = pair[i];
        const bool any = count[step_place[i]] > 0;
        const std::uint32_t before = groups[i / exec::scan_group] + within[i];
        if (any) {
            second[before] = p.second;
            place_of[before] = step_place[i];
        }
        if (i == 0 || pair[i - 1].first != p.first) {
            begin[p.first] = before;
        }
        if (i + 1 == n || pair[i + 1].first != p.first) {
            end[p.first] = before + (any ? 1 : 0);
        }
    });
}

template <class Loops>
void WarmStartTransfer<Loops>::give(Loops& loops, const std::uint32_t* order,
                                    const state::ListColumns<Loops>& list,
                                    state::StoredColumns<Loops>& stored,
                                    state::StoredColumns<Loops>& spare, std::uint32_t* contacts,
                                    exec::Arena<Loops>& work)
{
    const std::size_t n = list.count;
    if (most_ == 0) {
        stored.count.fit(n);
        stored.first.fit(n + 1);
        loops.fill_bytes(stored.count.data(), 0, n);
        loops.fill_bytes(stored.first.data(), 0, n + 1);
        return;
    }
    const bool features = stored.feature.size() > 0;
    spare.count.fit(n);
    spare.first.fit(n + 1);
    spare.impulse.fit(most_);
    spare.feature.fit(features ? most_ : 0);
    exec::Scratch scratch = work.open(exec::room<std::uint32_t>(n) +
                                      exec::room<std::uint32_t>(exec::scan_groups_of(n) + 1));
    std::uint32_t* old_first = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* groups = scratch.take<std::uint32_t>(exec::scan_groups_of(n) + 1).data();
    std::uint8_t* new_count = spare.count.data();
    std::uint32_t* new_first = spare.first.data();
    Vec3<double>* new_impulse = spare.impulse.data();
    std::uint32_t* new_feature = spare.feature.data();
    const std::uint32_t* begin = begin_.data();
    const std::uint32_t* end = begin + bodies_;
    const std::uint32_t* second = second_.data();
    const std::uint32_t* place_of = second + most_;
    const BodyPair* in_step = list.in_step.data();
    const std::uint8_t* count = stored.count.data();
    const std::uint32_t* first = stored.first.data();
    const Vec3<double>* impulse = stored.impulse.data();
    const std::uint32_t* feature = stored.feature.data();
    const PlacesBefore was_at{order};
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
        const BodyPair p = was_at(in_step[k]).pair;
        std::uint32_t from = begin[p.first], to = end[p.first];
        while (from < to) {
            const std::uint32_t middle = from + (to - from) / 2;
            if (second[middle] < p.second) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        new_count[k] = 0;
        if (from < end[p.first] && second[from] == p.second) {
            new_count[k] = count[place_of[from]];
            old_first[k] = first[place_of[from]];
        }
    });
    const auto nothing = [] SCREE_DEVICE(std::size_t) {};
    loops.scan_groups(
        n, new_first, groups,
        [=] SCREE_DEVICE(std::size_t k) -> std::uint32_t { return new_count[k]; }, 0, nothing,
        nothing);
    loops.for_each(n + 1, [=] SCREE_DEVICE(std::size_t k) {
        if (k == n) {
            *contacts = new_first[n] = groups[exec::scan_groups_of(n)];
            return;
        }
        new_first[k] += groups[k / exec::scan_group];
        const PairThere was = was_at(in_step[k]);
        for (std::uint32_t c = 0; c < new_count[k]; ++c) {
            new_impulse[new_first[k] + c] = was.impulse(impulse[old_first[k] + c]);
            if (features) {
                new_feature[new_first[k] + c] = feature[old_first[k] + c];
            }
        }
    });
    stored.count.swap(spare.count);
    stored.first.swap(spare.first);
    stored.impulse.swap(spare.impulse);
    stored.feature.swap(spare.feature);
}

}  // namespace scree::neighbours
