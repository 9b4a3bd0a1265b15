#include "ranks/halo_exchange.hpp"

#include "math/vec.hpp"
#include "ranks/rank_colouring.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <string>

namespace scree::ranks {

namespace {

/// The same memory as plain numbers.
std::span<double> numbers(Change* first, std::size_t count)
{
    static_assert(sizeof(Change) == 6 * sizeof(double));
    return {count > 0 ? &first->v.x : nullptr, 6 * count};
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

void Domain::share_out(const state::Bodies& bodies, state::PairList& list,
                       std::span<const std::uint32_t> place, std::uint32_t pairs_per_copy)
{
    const auto own = [&](std::uint32_t body) { return state::is_own(bodies.flags[body]); };
    std::erase_if(list.pair,
                  [&](const state::BodyPair& p) { return !own(p.first) && !own(p.second); });
    std::vector<std::uint32_t> degree(bodies.dynamic_count, 0);
    for (const state::BodyPair& p : list.pair) {
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
std::vector<Domain::Holding> Domain::agree(const state::Bodies& bodies,
                                           std::span<const std::uint32_t> degree)
{
    Ranks::Messages out;
    unused.clear();
    for (const Held& ghost : received) {
        put(out[ghost.rank], degree[ghost.body]);
        if (degree[ghost.body] == 0) {
            unused.push_back(ghost.body);
        }
    }
    Ranks::Messages in = ranks_->exchange(out);
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

namespace {

/// What goes to another rank in a sweep and comes from there. Both ends list bodies by their ids.
struct Neighbour {
    std::vector<std::uint32_t> lines_out, lines_in;  ///< bodies whose velocity does
    std::vector<std::uint32_t> changes_out;          ///< shared bodies whose change goes there
    std::uint32_t changes_in = 0;
    bool first = true;  ///< this rank sends before it receives
};

}  // namespace

struct Domain::Mail {
    std::map<int, Neighbour> with;
    /// Of each shared body: the ranks that have copies, and which of the changes from there it is.
    struct Term {
        int rank;
        std::uint32_t at;
    };
    std::vector<std::vector<Term>> terms;
};

void Domain::plan(const std::vector<Holding>& holdings, std::uint32_t pairs_per_copy,
                  state::PairList& list)
{
    std::vector<const Holding*> relayed, shared;
    Mail mail;
    std::set<int> relaying;
    for (const Holding& h : holdings) {
        std::uint64_t pairs = 0;
        for (const Share& s : h.shares) {
            pairs += s.pairs;
        }
        const bool relays = pairs <= pairs_per_copy;
        (relays ? relayed : shared).push_back(&h);
        for (const Share& s : h.shares) {
            if (s.rank != rank_) {
                mail.with[s.rank];
                if (relays) {
                    relaying.insert(s.rank);
                }
            }
        }
    }
    // Turns follow from who relays bodies to whom, which rarely changes.
    if (any(turns_.empty() || relaying != relaying_)) {
        relaying_ = relaying;
        turns_ = take_turns(*ranks_, relaying);
    }
    for (const int other : relaying) {
        mail.with[other].first = turns_.at(rank_) < turns_.at(other);
    }
    plan_ways(relayed, list, mail);
    plan_copies(shared, pairs_per_copy, list, mail);
    lay_out(mail);
}

/// Bodies go from turn to turn, and from the last holder to all.
void Domain::plan_ways(const std::vector<const Holding*>& relayed, state::PairList& list,
                       Mail& mail) const
{
    list.relayed.clear();
    for (const Holding* h : relayed) {
        std::vector<int> way;
        for (const Share& s : h->shares) {
            way.push_back(s.rank);
        }
        std::sort(way.begin(), way.end(),
                  [&](int a, int b) { return turns_.at(a) < turns_.at(b); });
        const auto me =
            static_cast<std::size_t>(std::find(way.begin(), way.end(), rank_) - way.begin());
        const bool last = me + 1 == way.size();
        list.relayed.push_back({h->body, me == 0 ? state::part_upstream
                                         : last  ? state::part_downstream
                                                 : state::part_relay});
        if (me > 0) {
            mail.with[way[me - 1]].lines_in.push_back(h->body);
        }
        if (last) {
            for (std::size_t k = 0; k < me; ++k) {
                mail.with[way[k]].lines_out.push_back(h->body);
            }
        } else {
            mail.with[way[me + 1]].lines_out.push_back(h->body);
            mail.with[way.back()].lines_in.push_back(h->body);
        }
    }
}

/// What copies change by goes from each holder to all.
void Domain::plan_copies(const std::vector<const Holding*>& shared, std::uint32_t pairs_per_copy,
                         state::PairList& list, Mail& mail) const
{
    list.shared.clear();
    for (const Holding* h : shared) {
        const auto here = static_cast<std::uint32_t>(list.shared.size());
        state::RankSplitBody body{h->body, 0, 0, 0};
        std::vector<Mail::Term>& terms = mail.terms.emplace_back();
        for (const Share& s : h->shares) {
            const std::uint32_t copies = state::copies_for(s.pairs, pairs_per_copy);
            body.total += copies;
            if (s.rank == rank_) {
                body.copies = copies;
            }
            if (copies > 0) {
                terms.push_back({s.rank, s.rank == rank_ ? here : mail.with[s.rank].changes_in++});
            }
        }
        for (const Share& s : h->shares) {
            if (s.rank != rank_ && body.copies > 0) {
                mail.with[s.rank].changes_out.push_back(here);
            }
        }
        list.shared.push_back(body);
    }
}

/// Places for all of it in `values_`, and the messages.
void Domain::lay_out(const Mail& mail)
{
    for (std::vector<Line>& lines : lines_) {
        lines.clear();
    }
    sent_changes_.clear();
    struct Range {
        std::uint32_t begin, end;
    };
    std::map<int, Range> in, out;
    std::map<int, std::uint32_t> changes_from{{rank_, 0}};
    auto end = static_cast<std::uint32_t>(mail.terms.size());
    for (const auto& [other, n] : mail.with) {
        const std::uint32_t begin = end;
        for (const std::uint32_t body : n.lines_in) {
            lines_[n.first ? pass_finish : pass_hear].push_back({body, end++});
        }
        changes_from[other] = end;
        end += n.changes_in;
        in[other] = {begin, end};
    }
    for (const auto& [other, n] : mail.with) {
        const std::uint32_t begin = end;
        for (const std::uint32_t body : n.lines_out) {
            lines_[n.first ? pass_tell : pass_answer].push_back({body, end++});
        }
        for (const std::uint32_t here : n.changes_out) {
            sent_changes_.push_back({here, end++});
        }
        out[other] = {begin, end};
    }
    // Sweeps go through bodies as they lie in memory.
    for (std::vector<Line>& lines : lines_) {
        std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
            return a.body != b.body ? a.body < b.body : a.at < b.at;
        });
    }
    terms_.clear();
    first_term_.assign(1, 0);
    for (const std::vector<Mail::Term>& of_body : mail.terms) {
        for (const Mail::Term& t : of_body) {
            terms_.push_back(changes_from[t.rank] + t.at);
        }
        first_term_.push_back(static_cast<std::uint32_t>(terms_.size()));
    }
    values_.assign(end, {{0, 0, 0}, {0, 0, 0}});
    const auto numbers_of = [&](const Range& range) {
        return numbers(values_.data() + range.begin, range.end - range.begin);
    };
    std::vector<Ranks::Message> messages;
    for (const auto& [other, n] : mail.with) {
        messages.push_back({other, numbers_of(out[other]), numbers_of(in[other]), n.first});
    }
    plan_ = Ranks::PersistentMessages(std::move(messages));
}

void Domain::tell()
{
    for (const Line& line : sent_changes_) {
        values_[line.at] = values_[line.body];
    }
    ranks_->tell();
}

}  // namespace scree::ranks
