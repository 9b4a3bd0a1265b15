#include "domain/domain.hpp"

#include "contact/colour_rule.hpp"
#include "math/vec.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace scree::domain {

namespace {

/// The same memory as plain numbers.
std::span<double> numbers(sweeps::Change* first, std::size_t count)
{
    static_assert(sizeof(sweeps::Change) == 6 * sizeof(double));
    return {count > 0 ? &first->v.x : nullptr, 6 * count};
}

/// The six numbers of a velocity or a change in vectors of two, which every processor has. To the
/// bits of solve/copies.hpp, in half as many instructions: this is what sharing bodies costs.
struct Six {
    using Two [[gnu::vector_size(16), gnu::may_alias]] = double;
    Two of[3];

    static Six load(const Vec3<double>& first)
    {
        const auto* const at = reinterpret_cast<const Two*>(&first);
        return {{at[0], at[1], at[2]}};
    }
    void store(Vec3<double>& first) const
    {
        auto* const at = reinterpret_cast<Two*>(&first);
        at[0] = of[0];
        at[1] = of[1];
        at[2] = of[2];
    }
    friend Six operator+(const Six& a, const Six& b)
    {
        return {{a.of[0] + b.of[0], a.of[1] + b.of[1], a.of[2] + b.of[2]}};
    }
    friend Six operator-(const Six& a, const Six& b)
    {
        return {{a.of[0] - b.of[0], a.of[1] - b.of[1], a.of[2] - b.of[2]}};
    }
    friend Six operator*(double a, const Six& b)
    {
        return {{a * b.of[0], a * b.of[1], a * b.of[2]}};
    }
};

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
    std::vector<Holding> holdings;
    agree(bodies, degree, pairs_per_copy, holdings);
    plan(holdings, list);
}

/// Owners learn which ranks have how many copies of their bodies, and tell all of them.
void Domain::agree(const Bodies& bodies, std::span<const std::uint32_t> degree,
                   std::uint32_t pairs_per_copy, std::vector<Holding>& holdings)
{
    const auto copies_here = [&](std::uint32_t body) {
        return contact::copies_for(degree[body], pairs_per_copy);
    };
    Ranks::Letters out;
    unused.clear();
    for (const Held& ghost : received) {
        const std::uint32_t copies = copies_here(ghost.body);
        put(out[ghost.rank], copies);
        if (copies == 0) {
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
        const auto copies = readers.at(h.rank).get<std::uint32_t>();
        if (copies > 0) {
            ghosts.push_back({h.body, {h.rank, copies}});
        }
    }
    std::stable_sort(ghosts.begin(), ghosts.end(), [](const Ghost& a, const Ghost& b) {
        return a.body != b.body ? a.body < b.body : a.share.rank < b.share.rank;
    });
    out.clear();
    for (std::size_t k = 0; k < ghosts.size();) {
        Holding h{bodies.id[ghosts[k].body], {ghosts[k].body, 0, 0, 0}, rank_, {}};
        for (; k < ghosts.size() && ghosts[k].body == h.shared.body; ++k) {
            h.shares.push_back(ghosts[k].share);
            h.shared.total += ghosts[k].share.copies;
        }
        // Ghosts are on lower ranks.
        h.shared.copies = copies_here(h.shared.body);
        if (h.shared.copies > 0) {
            h.shares.push_back({rank_, h.shared.copies});
            h.shared.total += h.shared.copies;
        }
        for (const Share& s : h.shares) {
            if (s.rank != rank_) {
                put(out[s.rank], h.id);
                put(out[s.rank], h.shares);
            }
        }
        holdings.push_back(std::move(h));
    }
    in = ranks_->exchange(out);

    std::vector<std::pair<BodyId, std::uint32_t>> ghost_of;
    ghost_of.reserve(received.size());
    for (const Held& ghost : received) {
        ghost_of.emplace_back(bodies.id[ghost.body], ghost.body);
    }
    std::sort(ghost_of.begin(), ghost_of.end());
    for (const auto& [owner, bytes] : in) {
        for (Reader reader(bytes); !reader.done();) {
            Holding h{reader.get<BodyId>(), {0, 0, 0, 0}, owner, {}};
            h.shares = reader.get_all<Share>();
            h.shared.body = std::lower_bound(ghost_of.begin(), ghost_of.end(),
                                             std::pair<BodyId, std::uint32_t>{h.id, 0})
                                ->second;
            for (const Share& s : h.shares) {
                h.shared.total += s.copies;
                h.shared.copies = s.rank == rank_ ? s.copies : h.shared.copies;
            }
            holdings.push_back(std::move(h));
        }
    }
}

/// Who sends what to whom after a sweep. Both ends of a message list bodies by their ids.
void Domain::plan(std::vector<Holding>& holdings, PairList& list)
{
    std::sort(holdings.begin(), holdings.end(),
              [](const Holding& a, const Holding& b) { return a.id < b.id; });
    std::vector<int> neighbours;
    for (const Holding& h : holdings) {
        for (const Share& s : h.shares) {
            neighbours.push_back(s.rank);
        }
        neighbours.push_back(h.owner);
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    std::erase(neighbours, rank_);
    const std::size_t n = neighbours.size();
    const auto neighbour = [&](int rank) {
        return static_cast<std::size_t>(
            std::lower_bound(neighbours.begin(), neighbours.end(), rank) - neighbours.begin());
    };
    // By neighbour: bodies whose change goes there, and how many changes come from there.
    std::vector<std::vector<std::uint32_t>> sends(n);
    std::vector<std::uint32_t> expected(n, 0);
    // Sweeps go through bodies as they lie in memory.
    std::vector<std::uint32_t> order(holdings.size()), place(holdings.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return holdings[a].shared.body < holdings[b].shared.body;
    });
    list.shared.clear();
    for (const std::uint32_t k : order) {
        place[k] = static_cast<std::uint32_t>(list.shared.size());
        list.shared.push_back(holdings[k].shared);
    }
    struct Term {
        std::size_t neighbour;  ///< n: this rank
        std::uint32_t at;
    };
    std::vector<std::vector<Term>> terms(holdings.size());
    for (std::size_t k = 0; k < holdings.size(); ++k) {
        const Holding& h = holdings[k];
        const auto send_to = [&](int rank) {
            if (h.shared.copies > 0) {
                sends[neighbour(rank)].push_back(place[k]);
            }
        };
        bool owner_listed = h.owner == rank_;
        for (const Share& s : h.shares) {
            if (s.rank == rank_) {
                terms[place[k]].push_back({n, place[k]});
            } else {
                terms[place[k]].push_back({neighbour(s.rank), expected[neighbour(s.rank)]++});
                send_to(s.rank);
            }
            owner_listed = owner_listed || s.rank == h.owner;
        }
        if (!owner_listed) {
            send_to(h.owner);
        }
    }
    std::vector<std::uint32_t> from(n + 1, 0);  // where in changes_
    auto end = static_cast<std::uint32_t>(holdings.size());
    for (std::size_t m = 0; m < n; ++m) {
        from[m] = end;
        end += expected[m];
    }
    terms_.clear();
    first_term_.assign(1, 0);
    for (const std::vector<Term>& of_body : terms) {
        for (const Term& t : of_body) {
            terms_.push_back(from[t.neighbour] + t.at);
        }
        first_term_.push_back(static_cast<std::uint32_t>(terms_.size()));
    }
    send_of_.clear();
    for (const std::vector<std::uint32_t>& to_one : sends) {
        send_of_.insert(send_of_.end(), to_one.begin(), to_one.end());
    }
    changes_.assign(end, {{0, 0, 0}, {0, 0, 0}});
    send_.assign(send_of_.size(), {{0, 0, 0}, {0, 0, 0}});
    std::vector<Ranks::Message> messages;
    std::size_t sent_before = 0;
    for (std::size_t m = 0; m < n; ++m) {
        messages.push_back({neighbours[m], numbers(send_.data() + sent_before, sends[m].size()),
                            numbers(changes_.data() + from[m], expected[m])});
        sent_before += sends[m].size();
    }
    plan_ = Ranks::Plan(std::move(messages));
}

void Domain::start_join(const PairList& list, const VelocityLine* velocity)
{
    sweeps::Change* to = changes_.data();
    for (const Shared& s : list.shared) {
        const Six body = Six::load(velocity[s.body].v);
        Six sum{};
        for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
            sum = sum + (Six::load(velocity[k].v) - body);
        }
        sum.store((to++)->v);
    }
    send();
}

void Domain::finish_join(const PairList& list, VelocityLine* velocity)
{
    receive();
    const sweeps::Change* const changes = changes_.data();
    const std::uint32_t* term = terms_.data();
    const std::uint32_t* end = first_term_.data();
    for (const Shared& s : list.shared) {
        Six sum{};
        for (const std::uint32_t* const last = terms_.data() + *++end; term < last; ++term) {
            sum = sum + Six::load(changes[*term].v);
        }
        const double share = 1 / static_cast<double>(s.total);
        const Six body = Six::load(velocity[s.body].v) + share * sum;
        body.store(velocity[s.body].v);
        for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
            body.store(velocity[k].v);
        }
    }
}

void Domain::send()
{
    sweeps::Change* to = send_.data();
    for (const std::uint32_t k : send_of_) {
        *to++ = changes_[k];
    }
    ranks_->start(plan_);
}

}  // namespace scree::domain
