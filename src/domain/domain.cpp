#include "domain/domain.hpp"

#include "contact/colour_rule.hpp"
#include "math/vec.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace scree::domain {

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
    const auto n = static_cast<std::size_t>(size_);
    const auto copies_here = [&](std::uint32_t body) {
        return contact::copies_for(degree[body], pairs_per_copy);
    };
    std::vector<Bytes> out(n);
    unused.clear();
    for (const Held& ghost : received) {
        const std::uint32_t copies = copies_here(ghost.body);
        put(out[static_cast<std::size_t>(ghost.rank)], copies);
        if (copies == 0) {
            unused.push_back(ghost.body);
        }
    }
    std::vector<Bytes> in = ranks_->exchange(out);
    std::vector<Reader> readers(in.begin(), in.end());

    // What ghosts there are of each own body, in the order of ranks.
    struct Ghost {
        std::uint32_t body;
        Share share;
    };
    std::vector<Ghost> ghosts;
    for (const Held& h : sent) {
        const auto copies = readers[static_cast<std::size_t>(h.rank)].get<std::uint32_t>();
        if (copies > 0) {
            ghosts.push_back({h.body, {h.rank, copies}});
        }
    }
    std::stable_sort(ghosts.begin(), ghosts.end(), [](const Ghost& a, const Ghost& b) {
        return a.body != b.body ? a.body < b.body : a.share.rank < b.share.rank;
    });
    for (Bytes& bytes : out) {
        bytes.clear();
    }
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
                put(out[static_cast<std::size_t>(s.rank)], h.id);
                put(out[static_cast<std::size_t>(s.rank)], h.shares);
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
    for (std::size_t r = 0; r < n; ++r) {
        if (static_cast<int>(r) == rank_) {
            continue;
        }
        for (Reader reader(in[r]); !reader.done();) {
            Holding h{reader.get<BodyId>(), {0, 0, 0, 0}, static_cast<int>(r), {}};
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
    neighbours_.clear();
    for (const Holding& h : holdings) {
        for (const Share& s : h.shares) {
            neighbours_.push_back(s.rank);
        }
        neighbours_.push_back(h.owner);
    }
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    std::erase(neighbours_, rank_);
    const std::size_t n = neighbours_.size();
    const auto neighbour = [&](int rank) {
        return static_cast<std::size_t>(
            std::lower_bound(neighbours_.begin(), neighbours_.end(), rank) - neighbours_.begin());
    };
    send_of_.assign(n, {});
    std::vector<std::size_t> expected(n + 1, 0);
    std::vector<Term> terms;
    std::vector<std::uint32_t> own_at, first_term{0};
    for (const Holding& h : holdings) {
        own_at.push_back(h.shared.copies > 0 ? static_cast<std::uint32_t>(line * expected[n])
                                             : nothing);
        const auto send_to = [&](int rank) {
            if (h.shared.copies > 0) {
                send_of_[neighbour(rank)].push_back(own_at.back());
            }
        };
        bool owner_listed = h.owner == rank_;
        for (const Share& s : h.shares) {
            const std::size_t from = s.rank == rank_ ? n : neighbour(s.rank);
            terms.push_back({static_cast<std::uint32_t>(from),
                             static_cast<std::uint32_t>(line * expected[from]++)});
            if (s.rank != rank_) {
                send_to(s.rank);
            }
            owner_listed = owner_listed || s.rank == h.owner;
        }
        if (!owner_listed) {
            send_to(h.owner);
        }
        first_term.push_back(static_cast<std::uint32_t>(terms.size()));
    }
    // Sweeps go through bodies as they lie in memory.
    std::vector<std::uint32_t> order(holdings.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return holdings[a].shared.body < holdings[b].shared.body;
    });
    list.shared.clear();
    own_at_.clear();
    terms_.clear();
    first_term_.assign(1, 0);
    for (const std::uint32_t k : order) {
        list.shared.push_back(holdings[k].shared);
        own_at_.push_back(own_at[k]);
        terms_.insert(terms_.end(), terms.begin() + first_term[k],
                      terms.begin() + first_term[k + 1]);
        first_term_.push_back(static_cast<std::uint32_t>(terms_.size()));
    }
    send_.resize(n);
    receive_.resize(n + 1);
    messages_.clear();
    for (std::size_t k = 0; k <= n; ++k) {
        receive_[k].assign(line * expected[k], 0.0);
    }
    for (std::size_t k = 0; k < n; ++k) {
        send_[k].assign(line * send_of_[k].size(), 0.0);
        messages_.push_back({neighbours_[k], send_[k], receive_[k]});
    }
}

void Domain::start_join(const PairList& list, const VelocityLine* velocity)
{
    for (std::size_t k = 0; k < list.shared.size(); ++k) {
        note_change(k, sweeps::change_of(list.shared[k], velocity));
    }
    send();
}

void Domain::finish_join(const PairList& list, VelocityLine* velocity)
{
    receive();
    for (std::size_t k = 0; k < list.shared.size(); ++k) {
        sweeps::close_copies(list.shared[k], sum_of(k), velocity);
    }
}

void Domain::note_change(std::size_t shared, const sweeps::Change& change)
{
    if (own_at_[shared] == nothing) {
        return;  // no copies are here
    }
    const auto& [v, w] = change;
    const double numbers[line]{v.x, v.y, v.z, w.x, w.y, w.z};
    std::copy_n(numbers, line, receive_[neighbours_.size()].data() + own_at_[shared]);
}

void Domain::send()
{
    const std::vector<double>& own = receive_[neighbours_.size()];
    for (std::size_t m = 0; m < neighbours_.size(); ++m) {
        double* to = send_[m].data();
        for (const std::uint32_t at : send_of_[m]) {
            to = std::copy_n(own.data() + at, line, to);
        }
    }
    ranks_->start(messages_);
}

sweeps::Change Domain::sum_of(std::size_t shared) const
{
    sweeps::Change sum{{0, 0, 0}, {0, 0, 0}};
    for (std::uint32_t t = first_term_[shared]; t < first_term_[shared + 1]; ++t) {
        const double* x = receive_[terms_[t].buffer].data() + terms_[t].at;
        sum.v = sum.v + Vec3<double>{x[0], x[1], x[2]};
        sum.w = sum.w + Vec3<double>{x[3], x[4], x[5]};
    }
    return sum;
}

}  // namespace scree::domain
