// The hierarchical grid. One call makes these passes, each shared by the threads: bounding box and
// sizes; cell of each ball and how many a cell holds; balls into the order of cells; per ball its
// partners; pairs into the order of balls.
#include "collide/hierarchical_grid.hpp"

#include "collide/grid_level.hpp"
#include "exec/parallel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>

namespace scree::collide {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t max_levels = 32;
/// Balls that a thread takes at a time.
constexpr std::size_t chunk_size = 512;
/// More neighbours than this on average are no packing but a mistake.
constexpr std::size_t absurd_pairs_per_ball = 512;

// Radii are classed by the bits of the number: 8 classes per octave between 2⁻⁶⁴ and 2⁶⁴.
constexpr int classes = 1024;
std::size_t radius_class(double r)
{
    const auto high = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(r) >> 49);
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(high - ((1023 - 64) << 3), 0, classes - 1));
}

double coordinate(const Ball& ball, int axis)
{
    return axis == 0 ? ball.x : axis == 1 ? ball.y : ball.z;
}

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
    std::size_t level;
    Cell cell[3];
    friend bool operator==(const Place&, const Place&) = default;
};

/// What a thread needs and finds.
struct Worker {
    std::size_t near_count = 0;
    std::vector<Index> near;      ///< what the balls of one cell may touch
    std::vector<Index> partners;  ///< of one ball
    std::vector<BodyPair> pairs;
    std::size_t tests = 0;
    bool out_of_memory = false;
    // Of the first pass.
    std::array<Index, classes> class_count{};
    std::array<double, classes> class_radius{};
    double low[3]{}, high[3]{};
};

}  // namespace

struct HierarchicalGrid::Buffers {
    std::span<const Ball> balls;
    Index movable = 0;
    Periodic box;
    int threads = 1;

    std::vector<Index> table;     ///< of cells: one past its last ball's place, after an entry of 0
    std::vector<Index> order;     ///< balls in the order of cells
    std::vector<Index> per_ball;  ///< entry of its cell, later where its pairs end
    std::vector<Worker> workers;
    std::vector<Level> levels;
    bool any_hashed = false;
    std::array<std::uint8_t, classes> level_of_class{};

    void measure();
    void make_levels(const Worker& all);
    void sort_into_cells();
    void gather(const Place& place, Index begin, Index end, Worker& worker) const;
    void sweep();
    void collect(std::vector<BodyPair>& pairs);

    template <class F> void for_chunks(const F& f)
    {
        exec::for_chunks(balls.size(), chunk_size, threads,
                         [&](std::size_t, std::size_t begin, std::size_t end) {
                             f(begin, end,
                               workers[static_cast<std::size_t>(exec::thread_number())]);
                         });
    }
    [[nodiscard]] double wrapped(const Ball& ball, int axis) const
    {
        const double x = coordinate(ball, axis);
        const double L = box.length[axis];
        const double d = x - box.origin[axis];
        return L > 0 && (d < 0 || d >= L) ? x - L * std::floor(d / L) : x;
    }
    [[nodiscard]] Place place_of(const Ball& ball) const
    {
        Place place{level_of_class[radius_class(ball.r)], {}};
        for (int axis = 0; axis < 3; ++axis) {
            place.cell[axis] =
                floor_to_cell(levels[place.level].in_cells(wrapped(ball, axis), axis));
        }
        return place;
    }
};

/// Bounding box and numbers of balls by size, and the levels.
void HierarchicalGrid::Buffers::measure()
{
    for (Worker& worker : workers) {
        worker.tests = 0;
        worker.class_count.fill(0);
        worker.class_radius.fill(0);
        std::fill_n(worker.low, 3, infinity);
        std::fill_n(worker.high, 3, -infinity);
    }
    for_chunks([&](std::size_t begin, std::size_t end, Worker& worker) {
        for (const Ball& b : balls.subspan(begin, end - begin)) {
            for (int axis = 0; axis < 3; ++axis) {
                const double x = coordinate(b, axis);
                worker.low[axis] = x < worker.low[axis] ? x : worker.low[axis];
                worker.high[axis] = x > worker.high[axis] ? x : worker.high[axis];
            }
            const std::size_t c = radius_class(b.r);
            ++worker.class_count[c];
            worker.class_radius[c] = b.r > worker.class_radius[c] ? b.r : worker.class_radius[c];
        }
    });
    Worker& all = workers[0];
    for (const Worker& worker : std::span(workers).subspan(1)) {
        for (int axis = 0; axis < 3; ++axis) {
            all.low[axis] = std::min(all.low[axis], worker.low[axis]);
            all.high[axis] = std::max(all.high[axis], worker.high[axis]);
        }
        for (std::size_t c = 0; c < classes; ++c) {
            all.class_count[c] += worker.class_count[c];
            all.class_radius[c] = std::max(all.class_radius[c], worker.class_radius[c]);
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (!(all.low[axis] <= all.high[axis])) {  // no ball is anywhere
            all.low[axis] = all.high[axis] = 0;
        }
    }
    make_levels(all);
}

void HierarchicalGrid::Buffers::make_levels(const Worker& all)
{
    // From the largest down: a level takes the classes down to half of its largest radius.
    levels.clear();
    std::size_t lowest = classes;
    for (std::size_t c = classes; c-- > 0;) {
        if (all.class_count[c] == 0) {
            continue;
        }
        if (levels.empty() || (c < lowest && levels.size() < max_levels)) {
            levels.emplace_back();
            lowest = c > 7 ? c - 7 : 0;
            levels.back().reach = all.class_radius[c];
        }
        levels.back().count += all.class_count[c];
        level_of_class[c] = static_cast<std::uint8_t>(levels.size() - 1);
    }
    std::uint64_t entries = 0;
    any_hashed = false;
    for (Level& level : levels) {
        const double width = std::max(2 * level.reach * (1 + 0x1p-20), 0x1p-500);
        double cells = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const double L = box.length[axis];
            const double far = std::max(std::fabs(all.low[axis]), std::fabs(all.high[axis]));
            level.wraps[axis] = L > 0;
            level.slack[axis] = 0x1p-40;
            if (L > 0) {
                const double number = std::clamp(std::floor(L / width), 1.0, 0x1p40);
                level.origin[axis] = box.origin[axis];
                level.inverse[axis] = number / L;
                level.slack[axis] += 0x1p-49 * (number + level.inverse[axis] * far);
                level.high[axis] = static_cast<Cell>(number) - 1;
            } else {
                level.inverse[axis] = 1 / width;
                level.low[axis] = floor_to_cell(all.low[axis] * level.inverse[axis]);
                level.high[axis] = floor_to_cell(all.high[axis] * level.inverse[axis]);
            }
            cells *= static_cast<double>(level.high[axis] - level.low[axis] + 1);
        }
        level.base = static_cast<Index>(entries);
        level.dense = cells <= 2.0 * level.count + 64;
        const Index rows = std::bit_ceil((level.count >> row_bits) + 1);
        level.mask = rows - 1;
        entries +=
            level.dense ? static_cast<std::uint64_t>(cells) : std::uint64_t(rows) << row_bits;
        any_hashed = any_hashed || !level.dense;
    }
    table.assign(entries + 1, 0);
}

/// Fills order and table.
void HierarchicalGrid::Buffers::sort_into_cells()
{
    per_ball.resize(balls.size());
    order.resize(balls.size() + 4);
    const bool shared = threads > 1;
    for_chunks([&](std::size_t begin, std::size_t end, Worker&) {
        for (std::size_t i = begin; i < end; ++i) {
            const Place place = place_of(balls[i]);
            const Level& level = levels[place.level];
            Cell c[3];
            for (int axis = 0; axis < 3; ++axis) {
                c[axis] = std::clamp(place.cell[axis], level.low[axis], level.high[axis]);
            }
            per_ball[i] = level.entry(c[0], c[1], c[2]) + 1;
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
            const double x = wrapped(balls[order[p]], axis);
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
    for (std::size_t l = 0; l <= place.level; ++l) {
        Stretch stretch[3];
        for (int axis = 0; axis < 3; ++axis) {
            stretch[axis] =
                stretch_around(low[axis], high[axis], levels[place.level].reach, levels[l], axis);
        }
        const Index first = l == place.level ? end : 0;
        for_ranges(levels[l], stretch, table, [&](Index from, Index to) {
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
    const bool periodic = box.length[0] > 0 || box.length[1] > 0 || box.length[2] > 0;
    const auto test = [&](Index i, std::span<const Index> near, Worker& worker) {
        const Ball a = balls[i];
        const Index limit = i < movable ? std::numeric_limits<Index>::max() : movable;
        worker.partners.resize(near.size() + 1);
        Index* end = worker.partners.data();
        for (const Index j : near) {
            const Ball& b = balls[j];
            const double dx = a.x - b.x;
            const double dy = a.y - b.y;
            const double dz = a.z - b.z;
            const double reach = a.r + b.r;
            const bool touch =
                periodic ? overlap(a, b, box) : dx * dx + dy * dy + dz * dz <= reach * reach;
            *end = j;
            end += unsigned(touch) & unsigned(j < limit);
        }
        worker.tests += near.size();
        if (any_hashed) {
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
void HierarchicalGrid::Buffers::collect(std::vector<BodyPair>& pairs)
{
    const std::size_t n = balls.size();
    const bool shared = threads > 1;
    std::uint64_t total = 0;
    for (const Worker& worker : workers) {
        if (worker.out_of_memory) {
            throw std::bad_alloc();
        }
        if (worker.pairs.size() > absurd_pairs_per_ball * n + 100'000) {
            throw std::length_error(
                "hundreds of overlapping neighbours for every body: the bodies lie "
                "inside each other, or their margins are too large");
        }
        total += worker.pairs.size();
    }
    if (total > std::numeric_limits<Index>::max()) {
        throw std::length_error("more than 2^32 - 1 pairs of overlapping bounding spheres: the "
                                "bodies lie inside each other, or their margins are too large");
    }
    pairs.resize(total);
    std::fill(per_ball.begin(), per_ball.end(), 0U);
    const auto for_pairs = [&](const auto& f) {
        exec::for_chunks(workers.size(), 1, threads, [&](std::size_t w, std::size_t, std::size_t) {
            for (const BodyPair& pair : workers[w].pairs) {
                f(pair);
            }
        });
    };
    for_pairs([&](const BodyPair& pair) { add(per_ball[pair.first], shared); });
    std::exclusive_scan(per_ball.begin(), per_ball.end(), per_ball.begin(), 0U);
    for_pairs([&](const BodyPair& pair) { pairs[add(per_ball[pair.first], shared)] = pair; });
    for_chunks([&](std::size_t begin, std::size_t end, Worker&) {
        for (std::size_t i = begin; i < end; ++i) {
            sort_short(pairs.data() + (i == 0 ? 0 : per_ball[i - 1]), pairs.data() + per_ball[i],
                       [](const BodyPair& a, const BodyPair& b) { return a.second < b.second; });
        }
    });
}

HierarchicalGrid::HierarchicalGrid() : buffers_(std::make_unique<Buffers>()) {}
HierarchicalGrid::~HierarchicalGrid() = default;
HierarchicalGrid::HierarchicalGrid(HierarchicalGrid&&) noexcept = default;
HierarchicalGrid& HierarchicalGrid::operator=(HierarchicalGrid&&) noexcept = default;

void HierarchicalGrid::find_pairs(std::span<const Ball> balls, std::size_t movable_count,
                                  const Periodic& box, std::vector<BodyPair>& pairs, int threads)
{
    const std::size_t n = balls.size();
    if (n > std::numeric_limits<std::int32_t>::max()) {
        throw std::length_error("more than 2^31 - 1 bounding spheres");
    }
    Buffers& b = *buffers_;
    b.balls = balls;
    b.movable = static_cast<Index>(std::min(movable_count, n));
    b.box = box;
    // A thread is not worth waking for less than a chunk.
    b.threads =
        std::clamp(threads, 1, static_cast<int>(std::min<std::size_t>(n / chunk_size + 1, 1024)));
    b.workers.resize(static_cast<std::size_t>(b.threads));
    b.measure();
    b.sort_into_cells();
    b.sweep();
    b.collect(pairs);
    // The lists are as large as the pairs: not kept.
    for (Worker& worker : b.workers) {
        std::vector<BodyPair>().swap(worker.pairs);
    }
}

std::size_t HierarchicalGrid::bytes() const
{
    const auto of = [](const auto& buffer) { return buffer.capacity() * sizeof(buffer[0]); };
    const Buffers& b = *buffers_;
    std::size_t sum =
        sizeof(Buffers) + of(b.table) + of(b.order) + of(b.per_ball) + of(b.workers) + of(b.levels);
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

std::size_t HierarchicalGrid::levels() const { return buffers_->levels.size(); }

}  // namespace scree::collide
