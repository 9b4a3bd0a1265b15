#include "domain/domain.hpp"

#include "contact/colour_rule.hpp"
#include "math/hash.hpp"
#include "math/vec.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <string>

namespace scree::domain {

namespace {

/// The same memory as plain numbers.
std::span<double> numbers(sweeps::Change* first, std::size_t count)
{
    static_assert(sizeof(sweeps::Change) == 6 * sizeof(double));
    return {count > 0 ? &first->v.x : nullptr, 6 * count};
}

/// Velocities of bodies into values, or back.
void carry(const VelocityLine& from, sweeps::Change& to)
{
    to.v = from.v;
    to.w = from.w;
}
void carry(const sweeps::Change& from, VelocityLine& to)
{
    to.v = from.v;
    to.w = from.w;
}

}  // namespace

Domain::Domain(std::shared_ptr<Ranks> ranks, const Partition& partition)
    : ranks_(std::move(ranks)), rank_(ranks_->rank()), size_(ranks_->size()), partition_(partition)
{
    const auto [x, y, z] = partition.boxes;
    const bool automatic = x == 0 && y == 0 && z == 0;
    if (!automatic && (x < 1 || y < 1 || z < 1 || x > size_ || y > size_ || z > size_ ||
                       static_cast<std::int64_t>(x) * y * z != size_)) {
        throw Error("partition: " + std::to_string(x) + " x " + std::to_string(y) + " x " +
                    std::to_string(z) + " boxes do not fit " + std::to_string(size_) +
                    " ranks; start as many ranks as there are boxes, or leave partition out");
    }
}

bool Domain::any(bool here) { return largest(here ? 1 : 0) > 0; }
double Domain::largest(double here)
{
    ranks_->largest(std::span<double>(&here, 1));
    return here;
}

void Domain::share_out(const Bodies& bodies, PairList& list, std::span<const std::uint32_t> place,
                       std::uint32_t pairs_per_copy)
{
    const auto own = [&](std::uint32_t body) {
        return body < bodies.dynamic_count && (bodies.flags[body] & flag_elsewhere) == 0;
    };
    std::erase_if(list.pair,
                  [&](const collide::BodyPair& p) { return !own(p.first) && !own(p.second); });
    std::vector<std::uint32_t> degree(bodies.dynamic_count, 0);
    for (const collide::BodyPair& p : list.pair) {
        ++degree[p.first];
        if (p.second < bodies.dynamic_count) {
            ++degree[p.second];
        }
    }
    for (std::vector<Held>* held : {&sent, &received}) {
        for (Held& h : *held) {
            h.body = place[h.body];
        }
    }
    plan(agree(bodies, degree), pairs_per_copy, list);
}

/// Owners learn which ranks have how many pairs of their bodies, and tell all of them.
std::vector<Domain::Holding> Domain::agree(const Bodies& bodies,
                                           std::span<const std::uint32_t> degree)
{
    Ranks::Letters out;
    unused.clear();
    for (const Held& ghost : received) {
        put(out[ghost.rank], degree[ghost.body]);
        if (degree[ghost.body] == 0) {
            unused.push_back(ghost.body);
        }
    }
    Ranks::Letters in = ranks_->exchange(out);
    std::map<int, Reader> readers(in.begin(), in.end());

    // What ghosts there are of each own body, in the order of ranks.
    struct Ghost {
        std::uint32_t body;
        Share share;
    };
    std::vector<Ghost> ghosts;
    for (const Held& h : sent) {
        const auto pairs = readers.at(h.rank).get<std::uint32_t>();
        if (pairs > 0) {
            ghosts.push_back({h.body, {h.rank, pairs}});
        }
    }
    std::stable_sort(ghosts.begin(), ghosts.end(), [](const Ghost& a, const Ghost& b) {
        return a.body != b.body ? a.body < b.body : a.share.rank < b.share.rank;
    });
    std::vector<Holding> holdings;
    out.clear();
    for (std::size_t k = 0; k < ghosts.size();) {
        const std::uint32_t body = ghosts[k].body;
        Holding h{bodies.id[body], body, {}};
        for (; k < ghosts.size() && ghosts[k].body == body; ++k) {
            h.shares.push_back(ghosts[k].share);
        }
        h.shares.push_back({rank_, degree[body]});  // ghosts are on lower ranks
        for (const Share& s : h.shares) {
            if (s.rank != rank_) {
                put(out[s.rank], h.id);
                put(out[s.rank], h.shares);
            }
        }
        holdings.push_back(std::move(h));
    }
    shared_count_ = holdings.size();
    in = ranks_->exchange(out);

    std::vector<std::pair<BodyId, std::uint32_t>> ghost_of;
    ghost_of.reserve(received.size());
    for (const Held& ghost : received) {
        ghost_of.emplace_back(bodies.id[ghost.body], ghost.body);
    }
    std::sort(ghost_of.begin(), ghost_of.end());
    for (const auto& [owner, bytes] : in) {
        for (Reader reader(bytes); !reader.done();) {
            Holding h{reader.get<BodyId>(), 0, {}};
            h.shares = reader.get_all<Share>();
            h.body = std::lower_bound(ghost_of.begin(), ghost_of.end(),
                                      std::pair<BodyId, std::uint32_t>{h.id, 0})
                         ->second;
            holdings.push_back(std::move(h));
        }
    }
    std::sort(holdings.begin(), holdings.end(),
              [](const Holding& a, const Holding& b) { return a.id < b.id; });
    return holdings;
}

/// Turns such that no two neighbours have the same: each rank takes the lowest that is free when
/// those of its neighbours that come before it have theirs, by a hash of their numbers, so that
/// nobody waits for long (M. Jones, P. Plassmann 1993). Returns those of the neighbours and, with
/// the rank's own number, its own.
std::map<int, int> Domain::take_turns(const std::set<int>& neighbours)
{
    const auto before = [](int a, int b) {
        const auto key = [](int r) { return std::pair(math::hash(static_cast<std::uint64_t>(r), 0), r); };
        return key(a) < key(b);
    };
    std::map<int, int> turns;
    bool waits = true;
    while (any(waits)) {
        Ranks::Letters out;
        const bool ready = std::ranges::all_of(neighbours, [&](int other) {
            return turns.contains(other) || before(rank_, other);
        });
        if (waits && ready) {
            std::set<int> taken;
            for (const auto& [other, turn] : turns) {
                taken.insert(turn);
            }
            int turn = 0;
            while (taken.contains(turn)) {
                ++turn;
            }
            turns[rank_] = turn;
            waits = false;
            for (const int other : neighbours) {
                put(out[other], turn);
            }
        }
        for (const auto& [other, bytes] : ranks_->exchange(out)) {
            turns[other] = Reader(bytes).get<int>();
        }
    }
    return turns;
}

/// Who sends what to whom in a sweep. Both ends of a message list bodies by their ids.
void Domain::plan(const std::vector<Holding>& holdings, std::uint32_t pairs_per_copy,
                  PairList& list)
{
    const auto relays = [&](const Holding& h) {
        std::uint64_t pairs = 0;
        for (const Share& s : h.shares) {
            pairs += s.pairs;
        }
        return pairs <= pairs_per_copy;
    };
    struct Neighbour {
        std::vector<std::uint32_t> lines_out, lines_in;  ///< bodies whose velocity goes, or comes
        std::vector<std::uint32_t> changes_out;  ///< shared bodies whose change goes there
        std::uint32_t changes_in = 0;
    };
    std::map<int, Neighbour> neighbours;
    std::set<int> relaying;
    for (const Holding& h : holdings) {
        for (const Share& s : h.shares) {
            if (s.rank != rank_) {
                neighbours[s.rank];
                if (relays(h)) {
                    relaying.insert(s.rank);
                }
            }
        }
    }
    std::map<int, int> turns = take_turns(relaying);

    // Sweeps go through bodies as they lie in memory.
    std::vector<const Holding*> shared;
    for (const Holding& h : holdings) {
        if (!relays(h)) {
            shared.push_back(&h);
        }
    }
    std::sort(shared.begin(), shared.end(),
              [](const Holding* a, const Holding* b) { return a->body < b->body; });
    list.shared.clear();
    list.relayed.clear();
    std::map<BodyId, std::uint32_t> place;
    for (const Holding* h : shared) {
        Shared s{h->body, 0, 0, 0};
        for (const Share& share : h->shares) {
            const std::uint32_t copies = contact::copies_for(share.pairs, pairs_per_copy);
            s.total += copies;
            s.copies += share.rank == rank_ ? copies : 0;
        }
        place[h->id] = static_cast<std::uint32_t>(list.shared.size());
        list.shared.push_back(s);
    }
    struct Term {
        int rank;
        std::uint32_t at;
    };
    std::vector<std::vector<Term>> terms(shared.size());
    for (const Holding& h : holdings) {
        if (!relays(h)) {
            const std::uint32_t here = place[h.id];
            for (const Share& s : h.shares) {
                if (s.rank == rank_ && s.pairs > 0) {
                    terms[here].push_back({rank_, here});
                } else if (s.rank != rank_) {
                    Neighbour& other = neighbours[s.rank];
                    if (s.pairs > 0) {
                        terms[here].push_back({s.rank, other.changes_in++});
                    }
                    if (list.shared[here].copies > 0) {
                        other.changes_out.push_back(here);
                    }
                }
            }
            continue;
        }
        std::vector<int> way;
        for (const Share& s : h.shares) {
            way.push_back(s.rank);
        }
        std::sort(way.begin(), way.end(), [&](int a, int b) { return turns[a] < turns[b]; });
        const auto me = static_cast<std::size_t>(std::find(way.begin(), way.end(), rank_) -
                                                 way.begin());
        const bool last = me + 1 == way.size();
        list.relayed.push_back({h.body, me == 0 ? leg_first : last ? leg_last : leg_middle});
        if (me > 0) {
            neighbours[way[me - 1]].lines_in.push_back(h.body);
        }
        if (last) {
            for (std::size_t k = 0; k < me; ++k) {
                neighbours[way[k]].lines_out.push_back(h.body);
            }
        } else {
            neighbours[way[me + 1]].lines_out.push_back(h.body);
            neighbours[way.back()].lines_in.push_back(h.body);
        }
    }

    for (std::vector<Line>& lines : lines_) {
        lines.clear();
    }
    sent_changes_.clear();
    std::map<int, std::uint32_t> changes_from{{rank_, 0}};  // where in values_
    auto end = static_cast<std::uint32_t>(shared.size());
    struct Range {
        std::uint32_t begin, count;
    };
    std::vector<Range> in, out;
    const auto first = [&](int other) {
        return !relaying.contains(other) || turns[rank_] < turns[other];
    };
    for (auto& [other, n] : neighbours) {
        const std::uint32_t begin = end;
        for (const std::uint32_t body : n.lines_in) {
            lines_[first(other) ? pass_finish : pass_hear].push_back({body, end++});
        }
        changes_from[other] = end;
        end += n.changes_in;
        in.push_back({begin, end - begin});
    }
    for (auto& [other, n] : neighbours) {
        const std::uint32_t begin = end;
        for (const std::uint32_t body : n.lines_out) {
            lines_[first(other) ? pass_tell : pass_answer].push_back({body, end++});
        }
        for (const std::uint32_t here : n.changes_out) {
            sent_changes_.push_back({here, end++});
        }
        out.push_back({begin, end - begin});
    }
    for (std::vector<Line>& lines : lines_) {
        std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
            return a.body != b.body ? a.body < b.body : a.at < b.at;
        });
    }
    terms_.clear();
    first_term_.assign(1, 0);
    for (const std::vector<Term>& of_body : terms) {
        for (const Term& t : of_body) {
            terms_.push_back(changes_from[t.rank] + t.at);
        }
        first_term_.push_back(static_cast<std::uint32_t>(terms_.size()));
    }
    values_.assign(end, {{0, 0, 0}, {0, 0, 0}});
    std::vector<Ranks::Message> messages;
    std::size_t k = 0;
    for (const auto& [other, n] : neighbours) {
        messages.push_back({other, numbers(values_.data() + out[k].begin, out[k].count),
                            numbers(values_.data() + in[k].begin, in[k].count), first(other)});
        ++k;
    }
    plan_ = Ranks::Plan(std::move(messages));
}

void Domain::hear(VelocityLine* velocity)
{
    hear();
    for (const Line& line : lines_[pass_hear]) {
        carry(values_[line.at], velocity[line.body]);
    }
}

void Domain::tell(const PairList& list, const VelocityLine* velocity)
{
    sweeps::Change* to = values_.data();
    for (const Shared& s : list.shared) {
        *to++ = sweeps::change_of(s, velocity);
    }
    for (const Line& line : lines_[pass_tell]) {
        carry(velocity[line.body], values_[line.at]);
    }
    tell();
}

void Domain::answer(const VelocityLine* velocity)
{
    for (const Line& line : lines_[pass_answer]) {
        carry(velocity[line.body], values_[line.at]);
    }
    answer();
}

void Domain::finish(const PairList& list, VelocityLine* velocity)
{
    finish();
    for (const Line& line : lines_[pass_finish]) {
        carry(values_[line.at], velocity[line.body]);
    }
    std::size_t k = 0;
    for (const Shared& s : list.shared) {
        sweeps::close_copies(s, sum_of(k++), velocity);
    }
}

void Domain::tell()
{
    for (const Line& line : sent_changes_) {
        values_[line.at] = values_[line.body];
    }
    ranks_->tell();
}

}  // namespace scree::domain
