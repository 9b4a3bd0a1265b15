// A world's share among ranks. Each rank has bodies of its own, those whose centre is in its piece
// of space, and ghosts: bodies of higher ranks that may touch its own before the list is made anew.
// Prescribed bodies are everywhere. A pair belongs to the lower of its bodies' ranks, so that a
// ghost's pairs with own bodies are this rank's, and all others of it are not.
//
// A body with contacts on several ranks is, for the solver, split into copies that share its mass
// (solve/copies.hpp), some on each of these ranks, its holders. After every sweep the holders swap
// what their copies' velocities changed by, add that up in the order of ranks and go on from the
// mean: Gauss–Seidel inside a rank, weighted block Jacobi between them, and all impulses act on the
// whole body. All holders compute the same bits, so that a ghost stays where its body is.
#pragma once

#include "domain/cuts.hpp"
#include "domain/waiting.hpp"
#include "domain/wire.hpp"
#include "exec/sums.hpp"
#include "solve/copies.hpp"
#include "state/bodies.hpp"
#include "state/pairs.hpp"

#include <memory>

namespace scree::domain {

class Domain {
public:
    Domain(std::shared_ptr<Ranks> ranks, const Partition& partition);

    [[nodiscard]] Ranks& ranks() { return *ranks_; }
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] const Partition& partition() const { return partition_; }
    /// Whether a new body of this id is first kept here: the next list brings it to where it
    /// belongs.
    [[nodiscard]] bool keeps(BodyId id) const
    {
        return id % static_cast<BodyId>(size_) == static_cast<BodyId>(rank_);
    }
    /// Whether it is so on any rank.
    bool any(bool here);
    double largest(double here);
    /// Moves what all ranks have to the first, rank after rank.
    template <class T> void to_first(std::vector<T>& values)
    {
        Ranks::Letters out;
        if (rank_ > 0) {
            put(out[0], values);
            values.clear();
        }
        for (const auto& [rank, bytes] : ranks_->exchange(out)) {
            const std::vector<T> part = Reader(bytes).get_all<T>();
            values.insert(values.end(), part.begin(), part.end());
        }
    }
    /// What all ranks have, rank after rank.
    template <class T> std::vector<T> everywhere(const std::vector<T>& here)
    {
        return domain::everywhere(*ranks_, here);
    }

    Cuts cuts;
    Waiting waiting;

    /// A body here, and the rank that has its ghost or owns it.
    struct Held {
        int rank;
        std::uint32_t body;
    };
    std::vector<Held> sent;      ///< own bodies that are ghosts elsewhere, rank after rank
    std::vector<Held> received;  ///< ghosts, in the order in which their owner sent them

    // Made before the list is:
    std::vector<std::uint32_t> by_id;  ///< places of dynamic bodies by their ids
    exec::Sums<6> motion;              ///< collide::MotionSums of all ranks

    /// Drops the pairs that are not this rank's and finds out who holds copies of which body:
    /// fills `list.shared`. `place` is where each body has gone. Ghosts without pairs are left in
    /// `unused`.
    void share_out(const Bodies& bodies, PairList& list, std::span<const std::uint32_t> place,
                   std::uint32_t pairs_per_copy);
    std::vector<std::uint32_t> unused;

    /// Joins copies of shared bodies on all their holders: what they changed by is sent, and later
    /// put together. Meanwhile other bodies may be worked on.
    void start_join(const PairList& list, const VelocityLine* velocity);
    void finish_join(const PairList& list, VelocityLine* velocity);
    /// The same in parts: what the copies here of each shared body changed by is noted, sent when
    /// all are, and what all ranks' copies did is there after `receive`.
    void note_change(std::size_t shared, const sweeps::Change& change)
    {
        changes_[shared] = change;
    }
    void send();
    void receive() { ranks_->finish(); }
    [[nodiscard]] sweeps::Change sum_of(std::size_t shared) const
    {
        sweeps::Change sum{{0, 0, 0}, {0, 0, 0}};
        for (std::uint32_t t = first_term_[shared]; t < first_term_[shared + 1]; ++t) {
            sum.v = sum.v + changes_[terms_[t]].v;
            sum.w = sum.w + changes_[terms_[t]].w;
        }
        return sum;
    }

private:
    struct Share {
        int rank;
        std::uint32_t copies;
    };
    /// Everything one rank has to know of a shared body.
    struct Holding {
        BodyId id;
        Shared shared;
        int owner;
        std::vector<Share> shares;  ///< of ranks with copies, in their order
    };
    void agree(const Bodies& bodies, std::span<const std::uint32_t> degree,
               std::uint32_t pairs_per_copy, std::vector<Holding>& holdings);
    void plan(std::vector<Holding>& holdings, PairList& list);

    std::shared_ptr<Ranks> ranks_;
    int rank_, size_;
    Partition partition_;

    /// What velocities changed by: of all shared bodies here, by their places in the list, and
    /// behind that what each neighbour sent.
    std::vector<sweeps::Change> changes_;
    std::vector<std::uint32_t> terms_;       ///< where in `changes_` the changes of bodies are
    std::vector<std::uint32_t> first_term_;  ///< of each body; in the order of ranks
    std::vector<sweeps::Change> send_;       ///< to each neighbour
    std::vector<std::uint32_t> send_of_;     ///< which of our changes these are
    Ranks::Plan plan_;
};

}  // namespace scree::domain
