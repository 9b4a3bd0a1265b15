// The stage broad_phase: keeps a neighbour list that holds every pair of bodies that may touch, and
// makes it anew when a body has moved farther than its allowance, or bodies came or went. Making it
// also brings bodies into spatial order now and then, drops removed ones, carries stored impulses
// over and colours the pairs.
#pragma once

#include "exec/memory.hpp"
#include "exec/tree_sum.hpp"
#include "ranks/halo_exchange.hpp"
#include "stages/neighbours/colouring.hpp"
#include "stages/neighbours/hierarchical_grid.hpp"
#include "stages/neighbours/order_schedule.hpp"
#include "state/model.hpp"
#include "state/pairs.hpp"

namespace scree::neighbours {

class VerletList {
public:
    /// True if the list may miss a pair when every body moves with its velocity for one step, and
    /// for this much of a step more.
    [[nodiscard]] bool stale(const state::Model& model, state::Bodies& bodies, double margin) const;
    /// Makes the list. `changed`: bodies were added, removed or placed anew. Returns whether bodies
    /// changed places.
    /// `relaxed`: in the middle of a step, with velocities that contacts have changed already.
    /// `lent` is memory that may be written over.
    bool rebuild(const state::Model& model, state::Bodies& bodies, state::PairList& list,
                 state::StoredImpulses& stored, bool changed, bool relaxed,
                 std::span<std::byte> lent, ranks::Domain* domain);
    /// Lists made since bodies were put in order: part of a world's state.
    [[nodiscard]] std::uint32_t rebuilds() const { return schedule_.lists(); }
    void set_rebuilds(std::uint32_t rebuilds) { schedule_.set_lists(rebuilds); }
    [[nodiscard]] std::size_t bytes() const
    {
        return grid_.bytes() + exec::bytes_of(sums_) + exec::bytes_of(spare_);
    }

private:
    std::span<std::uint32_t> arrange(const state::Model& model, state::Bodies& bodies,
                                     exec::Scratch& scratch, ranks::Domain* domain);
    void allow(const state::Model& model, state::Bodies& bodies, bool relaxed,
               exec::Scratch& scratch, ranks::Domain* domain);
    void list_pairs(const state::Model& model, state::Bodies& bodies, state::PairList& list,
                    exec::Scratch& scratch);

    std::span<std::byte> spare(std::size_t size);

    HierarchicalGrid grid_;
    std::vector<std::uint32_t> order_;
    std::vector<exec::Sums<6>> sums_;
    std::vector<std::byte> spare_;  ///< where what is lent is not enough
    OrderSchedule schedule_;
};

}  // namespace scree::neighbours
