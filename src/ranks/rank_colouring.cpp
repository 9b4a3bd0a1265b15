#include "ranks/rank_colouring.hpp"

#include "math/hash.hpp"
#include "ranks/message.hpp"

#include <algorithm>
#include <utility>

namespace scree::ranks {

/// Each rank takes the lowest turn that is free when those of its neighbours that come before it
/// have theirs; who does says a hash of their numbers, so that nobody waits for long (M. Jones, P.
/// Plassmann 1993).
std::map<int, int> take_turns(Ranks& ranks, const std::set<int>& neighbours)
{
    const int me = ranks.rank();
    const auto key = [](int rank) {
        return std::pair(math::hash(static_cast<std::uint64_t>(rank), 0), rank);
    };
    std::map<int, int> turns;
    for (;;) {
        double waiting = turns.contains(me) ? 0 : 1;
        ranks.largest(std::span(&waiting, 1));
        if (waiting == 0) {
            return turns;
        }
        const bool comes = std::ranges::all_of(
            neighbours, [&](int other) { return turns.contains(other) || key(me) < key(other); });
        Ranks::Messages out;
        if (comes && !turns.contains(me)) {
            std::set<int> taken;
            for (const auto& [other, turn] : turns) {
                taken.insert(turn);
            }
            int turn = 0;
            while (taken.contains(turn)) {
                ++turn;
            }
            turns[me] = turn;
            for (const int other : neighbours) {
                put(out[other], turn);
            }
        }
        for (const auto& [other, bytes] : ranks.exchange(out)) {
            turns[other] = Reader(bytes).get<int>();
        }
    }
}

}  // namespace scree::ranks
