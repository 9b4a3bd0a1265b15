// The stage broad_phase: keeps a neighbour list that holds every pair of bodies that may touch, and
// makes it anew when a body has moved farther than its allowance, or bodies came or went. Making it
// also brings bodies into spatial order now and then, drops removed ones, carries stored impulses
// over and colours the pairs.
#pragma once

#include "collide/hierarchical_grid.hpp"
#include "contact/colour.hpp"
#include "state/model.hpp"
#include "state/pairs.hpp"

namespace scree::collide {

class BroadPhase {
public:
    /// True if the list may miss a pair when every body moves with its velocity for one step, and
    /// for this much of a step more.
    [[nodiscard]] bool stale(const Model& model, const Bodies& bodies, double margin) const;
    /// Makes the list. `changed`: bodies were added, removed or placed anew. Returns whether bodies
    /// changed places.
    bool rebuild(const Model& model, Bodies& bodies, PairList& list, StoredImpulses& stored,
                 bool changed);
    [[nodiscard]] std::size_t bytes() const;

private:
    struct StoredEntry {
        std::uint32_t first, second, contact, count;
        bool flipped;
    };

    void arrange(const Model& model, Bodies& bodies, bool reorder);
    void allow(const Model& model, Bodies& bodies) const;
    void list_pairs(const Model& model, const Bodies& bodies, PairList& list);
    void collect(const PairList& list, const StoredImpulses& stored, const Bodies& bodies);
    void distribute(const PairList& list, StoredImpulses& stored, std::size_t body_count);

    HierarchicalGrid grid_;
    contact::Colouring colouring_;
    std::vector<Ball> balls_;  ///< inflated by their allowances
    std::vector<BodyPair> bounded_pairs_;
    std::vector<std::uint32_t> order_, place_;  ///< slot k holds body order[k]; and back
    std::vector<VelocityLine> scratch_;
    std::vector<StoredEntry> entries_, sorted_;
    std::vector<std::uint32_t> entry_start_;
    StoredImpulses carried_;
    bool moved_ = false;  ///< bodies changed places in this rebuild
    int rebuilds_ = 0;
};

}  // namespace scree::collide
