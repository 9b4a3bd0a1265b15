// A world's share among ranks. Each rank has bodies of its own, those whose centre is in its piece
// of space, and ghosts: bodies of higher ranks that may touch its own before the list is made anew.
// Prescribed bodies are everywhere. A pair belongs to the lower of its bodies' ranks, so that a
// ghost's pairs with own bodies are this rank's, and all others of it are not.
//
// A body with contacts on several ranks goes from one of these, its holders, to the next in every
// sweep, as fast as the last one left it: Gauss–Seidel over all ranks. Ranks take turns, a number
// for each, such that no two holders of a body have the same; a body's way is by these. In a sweep
// a rank relaxes
//
//   1. the pairs on bodies of which it is the first holder, or that have copies (below) and, when
//      it has heard from ranks of lower turns,
//   2. those that need a body from there, and have to be done before others go on; it tells higher
//      ranks what became of the bodies that they are next to have;
//   3. the pairs on bodies of which it is the last holder, whose velocity it answers to the others;
//   4. all other pairs, while that is under way (Leg).
//
// Only 2. has to wait for turns, and there is little of it: it takes a body of three ranks, or two
// that go different ways, or one beside a copy.
//
// A body with so many contacts that one process would split it (mass_splitting.hpp) has copies on
// all its holders instead. After every sweep they swap what their copies' velocities changed by,
// add that up in the order of ranks and go on from the mean: weighted block Jacobi.
//
// All holders end a sweep with the same bits, so that a ghost stays where its body is.
#pragma once

#include "exec/sums.hpp"
#include "ranks/load_balance.hpp"
#include "ranks/message.hpp"
#include "ranks/partition.hpp"
#include "state/bodies.hpp"
#include "state/pairs.hpp"

#include <map>
#include <memory>
#include <set>

namespace scree::ranks {
/// How much faster copies are than their body, in sum.
struct alignas(16) Change {
    Vec3<double> v, w;
};
}  // namespace scree::ranks

namespace scree::ranks {

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
        Ranks::Messages out;
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
        return ranks::everywhere(*ranks_, here);
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

    /// Drops the pairs that are not this rank's and finds out who holds which body: fills
    /// `list.shared` and `list.relayed`. `place` is where each body has gone. Ghosts without pairs
    /// are left in `unused`.
    void share_out(const state::Bodies& bodies, state::PairList& list,
                   std::span<const std::uint32_t> place, std::uint32_t pairs_per_copy);
    std::vector<std::uint32_t> unused;
    /// Own bodies that other ranks hold as well.
    [[nodiscard]] std::size_t shared_count() const { return shared_count_; }

    /// The same where velocities are elsewhere: these lines are brought to `values` before, or
    /// taken from there afterwards; before telling, what the copies here of each shared body
    /// changed by is noted, and in the end what all ranks' copies did is known.
    struct Line {
        std::uint32_t body, at;  ///< whose velocity, and its place in `values`
    };
    enum Pass : std::uint8_t { pass_hear, pass_tell, pass_answer, pass_finish, passes };
    [[nodiscard]] const std::vector<Line>& lines(Pass pass) const { return lines_[pass]; }
    [[nodiscard]] std::vector<Change>& values() { return values_; }
    /// Another one with every list.
    [[nodiscard]] std::uint64_t plan_number() const { return plan_.number(); }
    void hear() { ranks_->hear(plan_); }
    void tell();
    void answer() { ranks_->answer(); }
    void finish() { ranks_->finish(); }
    [[nodiscard]] Change sum_of(std::size_t shared) const
    {
        Change sum{{0, 0, 0}, {0, 0, 0}};
        for (std::uint32_t t = first_term_[shared]; t < first_term_[shared + 1]; ++t) {
            sum.v = sum.v + values_[terms_[t]].v;
            sum.w = sum.w + values_[terms_[t]].w;
        }
        return sum;
    }

private:
    struct Share {
        int rank;
        std::uint32_t pairs;
    };
    /// Everything one rank has to know of a body with pairs on several.
    struct Holding {
        BodyId id;
        std::uint32_t body;
        std::vector<Share> shares;  ///< of its owner and of ranks with pairs, in their order
    };
    std::vector<Holding> agree(const state::Bodies& bodies, std::span<const std::uint32_t> degree);
    struct Mail;
    /// Who sends what to whom in a sweep.
    void plan(const std::vector<Holding>& holdings, std::uint32_t pairs_per_copy,
              state::PairList& list);
    void plan_ways(const std::vector<const Holding*>& relayed, state::PairList& list,
                   Mail& mail) const;
    void plan_copies(const std::vector<const Holding*>& shared, std::uint32_t pairs_per_copy,
                     state::PairList& list, Mail& mail) const;
    void lay_out(const Mail& mail);

    std::shared_ptr<Ranks> ranks_;
    int rank_, size_;
    Partition partition_;

    /// Velocities, or what they changed by: the changes of all shared bodies here, by their places
    /// in the list, then what each neighbour sent, and what is sent to each.
    std::vector<Change> values_;
    std::vector<Line> lines_[passes];
    std::vector<Line> sent_changes_;         ///< `body` is a shared body's place in the list here
    std::vector<std::uint32_t> terms_;       ///< where in `values_` the changes of bodies are
    std::vector<std::uint32_t> first_term_;  ///< of each body; in the order of ranks
    Ranks::PersistentMessages plan_;
    std::set<int> relaying_;    ///< ranks that bodies go to or come from
    std::map<int, int> turns_;  ///< theirs, and this one's
    std::size_t shared_count_ = 0;
};

}  // namespace scree::ranks
