// The hierarchical grid. One call makes these passes, each shared by the threads: bounding box and
// sizes; cell of each ball and how many a cell holds; balls into the order of cells; per ball its
// partners; pairs into the order of balls.
#include "stages/neighbours/hierarchical_grid.hpp"

#include "exec/threads.hpp"
#include "scree/error.hpp"
#include "stages/neighbours/grid_levels.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <numeric>

namespace scree::neighbours {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Balls that a thread takes at a time.
constexpr std::size_t chunk_size = 512;

/// Several threads may add to a number at once; returns what it was.
Index add(Index& to, bool shared)
{
    return shared ? std::atomic_ref<Index>(to).fetch_add(1, std::memory_order_relaxed) : to++;
}

/// Insertion, since most lists are short.
template <class Value, class Less> void sort_short(Value* begin, Value* end, Less less)
{
    if (end - begin > 24) {
        std::sort(begin, end, less);
        return;
    }
    for (Value* p = begin; p < end; ++p) {
        const Value value = *p;
        Value* q = p;
        for (; q > begin && less(value, q[-1]); --q) {
            *q = q[-1];
        }
        *q = value;
    }
}

/// A ball's level and cell.
struct Place {
    int level;
    Cell cell[3];
    friend bool operator==(const Place&, const Place&) = default;
};

/// What a thread needs and finds.
struct Worker {
    std::size_t near_count = 0;
    std::vector<Index> near;      ///< what the balls of one cell may touch
    std::vector<Index> partners;  ///< of one ball
    std::vector<state::BodyPair> pairs;
    std::size_t tests = 0;
    bool out_of_memory = false;
    Census census;  ///< of the first pass
};

}  // namespace

struct HierarchicalGrid::Buffers {
    std::span<const shapes::Ball> balls;
    Index movable = 0;
    int threads = 1;
    LevelGrid grid;

    std::vector<Index> table;     ///< of cells: one past its last ball's place, after an entry of 0
    std::vector<Index> order;     ///< balls in the order of cells
    std::vector<Index> per_ball;  ///< entry of its cell, later where its pairs end
    std::vector<Worker> workers;

    void measure(const shapes::Periodic& box);
    void sort_into_cells();
    void gather(const Place& place, Index begin, Index end, Worker& worker) const;
    void sweep();
    void collect(std::vector<state::BodyPair>& pairs);

    template <class F> void for_chunks(const F& f)
    {
        exec::for_shares(exec::chunk_count(balls.size(), chunk_size), threads,
                         [&](std::size_t worker, std::size_t c, std::size_t last) {
                             for (; c < last; ++c) {
                                 f(c * chunk_size, std::min(balls.size(), (c + 1) * chunk_size),
                                   workers[worker]);
                             }
                         });
    }
    [[nodiscard]] Place place_of(const shapes::Ball& ball) const
    {
        Place place{grid.level_of(ball), {}};
        for (int axis = 0; axis < 3; ++axis) {
            place.cell[axis] =
                floor_to_cell(grid.level[place.level].in_cells(grid.wrapped(ball, axis), axis));
        }
        return place;
    }
};

/// Bounding box and numbers of balls by size, and the levels.
void HierarchicalGrid::Buffers::measure(const shapes::Periodic& box)
{
    for (Worker& worker : workers) {
        worker.tests = 0;
        worker.census = {};
        std::fill_n(worker.census.low, 3, infinity);
        std::fill_n(worker.census.high, 3, -infinity);
    }
    for_chunks([&](std::size_t begin, std::size_t end, Worker& worker) {
        Census& own = worker.census;
        for (const shapes::Ball& b : balls.subspan(begin, end - begin)) {
            for (int axis = 0; axis < 3; ++axis) {
                const double x = b.coordinate(axis);
                own.low[axis] = x < own.low[axis] ? x : own.low[axis];
                own.high[axis] = x > own.high[axis] ? x : own.high[axis];
            }
            const std::uint32_t c = radius_class(b.r);
            ++own.count[c];
            own.radius[c] = b.r > own.radius[c] ? b.r : own.radius[c];
        }
    });
    Census& all = workers[0].census;
    for (const Worker& worker : std::span(workers).subspan(1)) {
        for (int axis = 0; axis < 3; ++axis) {
            all.low[axis] = std::min(all.low[axis], worker.census.low[axis]);
            all.high[axis] = std::max(all.high[axis], worker.census.high[axis]);
        }
        for (int c = 0; c < radius_classes; ++c) {
            all.count[c] += worker.census.count[c];
            all.radius[c] = std::max(all.radius[c], worker.census.radius[c]);
        }
    }
    grid.make(all, box);
    table.assign(grid.entries + 1, 0);
}

/// Fills order and table.
void HierarchicalGrid::Buffers::sort_into_cells()
{
    per_ball.resize(balls.size());
    order.resize(balls.size() + 4);
    const bool shared = threads > 1;
    for_chunks([&](std::size_t begin, std::size_t end, Worker&) {
        for (std::size_t i = begin; i < end; ++i) {
            per_ball[i] = grid.entry_of(balls[i]) + 1;
            add(table[per_ball[i]], shared);
        }
    });
    std::exclusive_scan(table.begin(), table.end(), table.begin(), 0U);
    for_chunks([&](std::size_t begin, std::size_t end, Worker&) {
        for (std::size_t i = begin; i < end; ++i) {
            order[add(table[per_ball[i]], shared)] = static_cast<Index>(i);
        }
    });
    if (shared) {  // else they are in order already
        exec::for_each(table.size() - 1, threads, [&](std::size_t e) {
            sort_short(order.data() + table[e], order.data() + table[e + 1], std::less<>());
        });
    }
}

/// Balls that those at places begin … end − 1, which share a cell, may touch: themselves, those of
/// their level at later places, all of coarser levels.
void HierarchicalGrid::Buffers::gather(const Place& place, Index begin, Index end,
                                       Worker& worker) const
{
    double low[3] = {infinity, infinity, infinity};
    double high[3] = {-infinity, -infinity, -infinity};
    for (Index p = begin; p < end; ++p) {
        for (int axis = 0; axis < 3; ++axis) {
            const double x = grid.wrapped(balls[order[p]], axis);
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
    }
    // In fours, and beyond the end: ranges are short, and loops of unknown length cost more.
    worker.near_count = 0;
    const auto append = [&](Index from, Index to) {
        if (worker.near.size() < worker.near_count + (to - from) + 4) {
            worker.near.resize(2 * worker.near_count + (to - from) + 64);
        }
        for (Index p = from; p < to; p += 4) {
            std::memcpy(&worker.near[worker.near_count + (p - from)], &order[p], 4 * sizeof(Index));
        }
        worker.near_count += to - from;
    };
    append(begin, end);
    const double reach = grid.level[place.level].reach;
    for (int l = 0; l <= place.level; ++l) {
        Stretch stretch[3];
        for (int axis = 0; axis < 3; ++axis) {
            stretch[axis] = stretch_around(low[axis], high[axis], reach, grid.level[l], axis);
        }
        const Index first = l == place.level ? end : 0;
        for_ranges(grid.level[l], stretch, table.data(), 0,
                   [&](Index from, Index to, const CellRow&) {
                       from = std::max(from, first);
                       if (from < to) {
                           append(from, to);
                       }
                   });
    }
}

/// Finds the pairs. Of two balls of a level the one at the earlier place answers for the pair, of
/// others the smaller one.
void HierarchicalGrid::Buffers::sweep()
{
    for (Worker& worker : workers) {
        worker.pairs.clear();
        worker.out_of_memory = false;
    }
    const shapes::Periodic& box = grid.box;
    const bool periodic = box.length[0] > 0 || box.length[1] > 0 || box.length[2] > 0;
    const auto test = [&](Index i, std::span<const Index> near, Worker& worker) {
        const shapes::Ball a = balls[i];
        const Index limit = i < movable ? std::numeric_limits<Index>::max() : movable;
        worker.partners.resize(near.size() + 1);
        Index* end = worker.partners.data();
        for (const Index j : near) {
            const shapes::Ball& b = balls[j];
            const double dx = a.x - b.x;
            const double dy = a.y - b.y;
            const double dz = a.z - b.z;
            const double reach = a.r + b.r;
            const bool touch = periodic ? shapes::overlap(a, b, box)
                                        : dx * dx + dy * dy + dz * dz <= reach * reach;
            *end = j;
            end += unsigned(touch) & unsigned(j < limit);
        }
        worker.tests += near.size();
        if (grid.any_hashed) {
            // Two rows of cells may share entries of the table, and then their balls are seen
            // twice.
            sort_short(worker.partners.data(), end, std::less<>());
            end = std::unique(worker.partners.data(), end);
        }
        for (const Index* j = worker.partners.data(); j < end; ++j) {
            worker.pairs.push_back({std::min(i, *j), std::max(i, *j)});
        }
    };
    for_chunks([&](std::size_t begin, std::size_t end, Worker& worker) {
        if (worker.out_of_memory ||
            worker.pairs.size() > absurd_pairs_per_ball * balls.size() + 100'000) {
            return;
        }
        try {
            for (std::size_t p = begin; p < end;) {
                const Place place = place_of(balls[order[p]]);
                std::size_t next = p + 1;
                while (next < end && place_of(balls[order[next]]) == place) {
                    ++next;
                }
                gather(place, static_cast<Index>(p), static_cast<Index>(next), worker);
                for (std::size_t k = 1; p < next; ++p, ++k) {
                    test(order[p], std::span(worker.near).subspan(k, worker.near_count - k),
                         worker);
                }
            }
        } catch (const std::bad_alloc&) {
            worker.out_of_memory = true;
        }
    });
}

/// Brings the pairs into order.
void HierarchicalGrid::Buffers::collect(std::vector<state::BodyPair>& pairs)
{
    const std::size_t n = balls.size();
    const bool shared = threads > 1;
    std::uint64_t total = 0;
    for (const Worker& worker : workers) {
        if (worker.out_of_memory) {
            throw std::bad_alloc();
        }
        if (worker.pairs.size() > absurd_pairs_per_ball * n + 100'000) {
            throw Error(absurd_pairs);
        }
        total += worker.pairs.size();
    }
    if (total > std::numeric_limits<Index>::max()) {
        throw Error(too_many_pairs);
    }
    pairs.resize(total);
    std::fill(per_ball.begin(), per_ball.end(), 0U);
    const auto for_pairs = [&](const auto& f) {
        exec::for_chunks(workers.size(), 1, threads, [&](std::size_t w, std::size_t, std::size_t) {
            for (const state::BodyPair& pair : workers[w].pairs) {
                f(pair);
            }
        });
    };
    for_pairs([&](const state::BodyPair& pair) { add(per_ball[pair.first], shared); });
    std::exclusive_scan(per_ball.begin(), per_ball.end(), per_ball.begin(), 0U);
    for_pairs(
        [&](const state::BodyPair& pair) { pairs[add(per_ball[pair.first], shared)] = pair; });
    for_chunks([&](std::size_t begin, std::size_t end, Worker&) {
        for (std::size_t i = begin; i < end; ++i) {
            sort_short(pairs.data() + (i == 0 ? 0 : per_ball[i - 1]), pairs.data() + per_ball[i],
                       [](const state::BodyPair& a, const state::BodyPair& b) {
                           return a.second < b.second;
                       });
        }
    });
}

HierarchicalGrid::HierarchicalGrid() : buffers_(std::make_unique<Buffers>()) {}
HierarchicalGrid::~HierarchicalGrid() = default;
HierarchicalGrid::HierarchicalGrid(HierarchicalGrid&&) noexcept = default;
HierarchicalGrid& HierarchicalGrid::operator=(HierarchicalGrid&&) noexcept = default;

void HierarchicalGrid::find_pairs(std::span<const shapes::Ball> balls, std::size_t movable_count,
                                  const shapes::Periodic& box, std::vector<state::BodyPair>& pairs,
                                  int threads)
{
    const std::size_t n = balls.size();
    if (n > std::numeric_limits<std::int32_t>::max()) {
        throw Error(too_many_balls);
    }
    Buffers& b = *buffers_;
    b.balls = balls;
    b.movable = static_cast<Index>(std::min(movable_count, n));
    // A thread is not worth waking for less than a chunk.
    b.threads =
        std::clamp(threads, 1, static_cast<int>(std::min<std::size_t>(n / chunk_size + 1, 1024)));
    // Those that are not needed this time keep what they work in.
    b.workers.resize(std::max(b.workers.size(), static_cast<std::size_t>(b.threads)));
    b.measure(box);
    b.sort_into_cells();
    b.sweep();
    b.collect(pairs);
    // The lists are as large as the pairs: not kept.
    for (Worker& worker : b.workers) {
        std::vector<state::BodyPair>().swap(worker.pairs);
    }
}

std::size_t HierarchicalGrid::bytes() const
{
    const auto of = [](const auto& buffer) { return buffer.capacity() * sizeof(buffer[0]); };
    const Buffers& b = *buffers_;
    std::size_t sum = sizeof(Buffers) + of(b.table) + of(b.order) + of(b.per_ball) + of(b.workers);
    for (const Worker& worker : b.workers) {
        sum += of(worker.near) + of(worker.partners) + of(worker.pairs);
    }
    return sum;
}

std::size_t HierarchicalGrid::tests() const
{
    std::size_t sum = 0;
    for (const Worker& worker : buffers_->workers) {
        sum += worker.tests;
    }
    return sum;
}

std::size_t HierarchicalGrid::levels() const
{
    return static_cast<std::size_t>(buffers_->grid.levels);
}

}  // namespace scree::neighbours
