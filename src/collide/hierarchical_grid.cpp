// The hierarchical grid. One call makes these passes, each shared by the threads: bounding box and
// sizes; cell of each ball and how many a cell holds; balls into the order of cells; per ball its
// partners; lists into the order of balls. Distances are tested four at a time in single precision
// on radii enlarged by the rounding error, and what passes is tested in double precision.
#include "collide/hierarchical_grid.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>

namespace scree::collide {

namespace {

using Index = std::uint32_t;
using Cell = std::int64_t;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int max_levels = 32;
/// Cell coordinates are kept within ±2⁴⁴, where a double still resolves 1/256 of a cell; what lies
/// further out shares the outermost cell.
constexpr double outermost = 0x1p44;
/// Balls that a thread takes at a time.
constexpr std::size_t chunk_size = 512;
/// Cells in a row that a hashed level keeps together: 2^row_bits.
constexpr int row_bits = 2;

// Radii are classed by the bits of the number: 8 classes per octave between 2⁻⁶⁴ and 2⁶⁴.
constexpr int classes = 1024;
int radius_class(double r)
{
    const auto high = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(r) >> 49);
    const std::int64_t c = high - ((1023 - 64) << 3);
    return static_cast<int>(c < 0 ? 0 : c >= classes ? classes - 1 : c);
}

Cell floor_to_cell(double t)
{
    t = t > -outermost ? t : -outermost;
    t = t < outermost ? t : outermost;
    const Cell cell = static_cast<Cell>(t);
    return cell - (t < static_cast<double>(cell) ? 1 : 0);
}

/// Calls work(t) for t in [0, threads), at the same time where the compiler has OpenMP.
template <class Work> void on_threads(int threads, const Work& work)
{
    if (threads == 1) {
        work(0);
        return;
    }
#if defined(_OPENMP)
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
    for (int t = 0; t < threads; ++t) {
        work(t);
    }
}

/// Thread t's even share of [0, n).
struct Share {
    std::size_t begin, end;
    Share(std::size_t n, int t, int threads)
        : begin(n * static_cast<std::size_t>(t) / static_cast<std::size_t>(threads)),
          end(n * static_cast<std::size_t>(t + 1) / static_cast<std::size_t>(threads))
    {
    }
};

Index add(Index& to, Index amount, bool shared)
{
    if (shared) {
        return std::atomic_ref<Index>(to).fetch_add(amount, std::memory_order_relaxed);
    }
    const Index before = to;
    to += amount;
    return before;
}

/// Replaces each number by the sum of those before it; returns the sum of all.
std::uint64_t exclusive_scan(std::vector<Index>& a, std::size_t n, int threads,
                             std::vector<std::uint64_t>& sums)
{
    sums.assign(static_cast<std::size_t>(threads), 0);
    if (threads > 1) {
        on_threads(threads, [&](int t) {
            const Share share(n, t, threads);
            std::uint64_t sum = 0;
            for (std::size_t k = share.begin; k < share.end; ++k) {
                sum += a[k];
            }
            sums[static_cast<std::size_t>(t)] = sum;
        });
        std::uint64_t before = 0;
        for (std::uint64_t& sum : sums) {
            const std::uint64_t own = sum;
            sum = before;
            before += own;
        }
    }
    on_threads(threads, [&](int t) {
        const Share share(n, t, threads);
        std::uint64_t before = sums[static_cast<std::size_t>(t)];
        for (std::size_t k = share.begin; k < share.end; ++k) {
            const Index own = a[k];
            a[k] = static_cast<Index>(before);
            before += own;
        }
        sums[static_cast<std::size_t>(t)] = before;
    });
    return sums.back();
}

void sort_short(Index* begin, Index* end)
{
    if (end - begin > 24) {
        std::sort(begin, end);
        return;
    }
    for (Index* p = begin + 1; p < end; ++p) {
        const Index value = *p;
        Index* q = p;
        for (; q > begin && q[-1] > value; --q) {
            *q = q[-1];
        }
        *q = value;
    }
}

// Four numbers at a time, by the compiler's vectors: the machine's own where it has them.
using Four = float __attribute__((vector_size(16)));
using FourInts = std::int32_t __attribute__((vector_size(16)));

/// Bit k: lane k is true.
[[gnu::always_inline]] inline unsigned bits_of(FourInts mask)
{
#if defined(__SSE2__)
    return static_cast<unsigned>(__builtin_ia32_movmskps(reinterpret_cast<Four>(mask)));
#else
    return (mask[0] & 1u) | (mask[1] & 2u) | (mask[2] & 4u) | (mask[3] & 8u);
#endif
}
[[gnu::always_inline]] inline Four four(float a) { return Four{a, a, a, a}; }
[[gnu::always_inline]] inline Four absolute(Four a)
{
    return reinterpret_cast<Four>(reinterpret_cast<FourInts>(a) & 0x7fffffff);
}

/// Four balls in the order of cells.
/// Plain arrays, since several threads fill a block: a compiler may write a whole vector to change
/// one lane.
struct alignas(16) Block {
    float x[4], y[4], z[4], r[4];
    std::int32_t index[4];
};

template <class Vector, class Value>
[[gnu::always_inline]] inline Vector vector_of(const Value* from)
{
    Vector v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

struct Level {
    double reach = 0;          ///< largest radius
    double width[3]{};         ///< of a cell
    double inverse[3]{};       ///< 1/width
    double slack[3]{};         ///< what rounding may add to a cell coordinate, beside 2⁻⁴⁹|t|
    Cell low[3]{}, high[3]{};  ///< cells that exist; periodic axes: 0 … number of cells − 1
    bool dense = true;
    Cell nx = 1, ny = 1;
    Index base = 0;  ///< first entry in the table
    Index mask = 0;  ///< of hashed levels: number of rows − 1
    Index count = 0;

    Index row_of(Cell block, Cell y, Cell z) const
    {
        std::uint64_t h = static_cast<std::uint64_t>(block) * 0x9e3779b97f4a7c15u;
        h = (h ^ (h >> 32)) + static_cast<std::uint64_t>(y);
        h *= 0xd6e8feb86659fd93u;
        h = (h ^ (h >> 32)) + static_cast<std::uint64_t>(z);
        h *= 0xbf58476d1ce4e5b9u;
        return static_cast<Index>(h >> 32) & mask;
    }
    Index entry(Cell x, Cell y, Cell z) const
    {
        if (dense) {
            return base +
                   static_cast<Index>(((z - low[2]) * ny + (y - low[1])) * nx + (x - low[0]));
        }
        return base + (row_of(x >> row_bits, y, z) << row_bits) +
               static_cast<Index>(x & ((1 << row_bits) - 1));
    }
};

/// overlap(), without the questions about periods where there are none.
template <bool periodic>
[[gnu::always_inline]] inline bool touch(const Ball& a, const Ball& b, const Periodic& box)
{
    if constexpr (periodic) {
        return overlap(a, b, box);
    }
    const double dx = a.x - b.x;
    const double dy = a.y - b.y;
    const double dz = a.z - b.z;
    const double reach = a.r + b.r;
    return dx * dx + dy * dy + dz * dz <= reach * reach;
}

/// Cells from … to along an axis, in two parts where they pass the end of the period.
struct Stretch {
    int parts = 1;
    Cell from[2]{}, to[2]{};
};

/// Blocks to be tested against a ball, with the lanes that are meant. Collected first and tested in
/// one go: loops of a few turns each cost more in branches than in arithmetic. Balls in the same
/// cell, which follow each other, mostly have the same.
struct Candidates {
    static constexpr Index capacity = 256;
    Index block[capacity];
    Index lanes[capacity];
    Index own_count = 0;  ///< those of the ball's own level come first
    Index count = 0;
    std::size_t own_tests = 0;
    std::size_t tests = 0;
    bool reusable = false;
    int level = 0;  ///< what they were collected for
    Cell cell[3]{};
};

/// More neighbours than this on average are no packing but a mistake.
constexpr std::size_t absurd_pairs_per_ball = 512;

struct Worker {
    Candidates candidates;
    std::vector<Index> runs;  ///< per ball: number of partners, partners
    std::size_t used = 0;
    std::vector<BodyPair> turned;  ///< pairs whose first ball is the partner
    std::size_t tests = 0;
    bool out_of_memory = false;
    bool too_many = false;
    // Of the first pass.
    std::array<Index, classes> class_count{};
    std::array<double, classes> class_radius{};
    double low[3]{}, high[3]{};
};

/// Where a chunk's lists are.
struct Chunk {
    std::size_t at;
    int worker;
};

struct Problem {
    std::span<const Ball> balls;
    Index movable;
    Periodic box;
    double centre[3];
    double box_error;    ///< of single-precision distances: from the periods, and of underflow
    double least_width;  ///< of cells, where balls are much smaller than the space they are in
};

}  // namespace

struct HierarchicalGrid::Buffers {
    std::vector<Index> table;     ///< of cells: one past its last ball's place, after an entry of 0
    std::vector<Index> per_ball;  ///< entry of its cell, later where its list begins
    std::vector<Block> blocks;
    std::vector<Chunk> chunks;
    std::vector<Worker> workers;
    std::vector<std::uint64_t> sums;
    std::vector<Level> levels;
    bool any_hashed = false;
    std::array<std::uint8_t, classes> level_of_class{};

    Index measure(const Problem& problem, int threads);
    void sort_into_cells(const Problem& problem, int threads, Index entries);
    template <bool periodic> void sweep(const Problem& problem, int threads);
    template <bool periodic>
    Index partners_of(const Problem& problem, Index i, Worker& worker) const;
    void collect(std::size_t n, int threads, std::vector<BodyPair>& pairs);

    std::uint8_t level_of(double r) const
    {
        return level_of_class[static_cast<std::size_t>(radius_class(r))];
    }
};

namespace {

double coordinate(const Ball& ball, int axis)
{
    return axis == 0 ? ball.x : axis == 1 ? ball.y : ball.z;
}

/// The image inside the box.
double wrapped(double x, const Periodic& box, int axis)
{
    const double L = box.length[axis];
    if (L > 0) {
        const double d = x - box.origin[axis];
        if (d < 0 || d >= L) {
            return x - L * std::floor(d / L);
        }
    }
    return x;
}

/// Coordinate in units of cells, before rounding down.
template <bool periodic>
double in_cells(double x, const Level& level, const Periodic& box, int axis)
{
    return periodic && box.length[axis] > 0 ? (x - box.origin[axis]) * level.inverse[axis]
                                            : x * level.inverse[axis];
}

Cell clamped(Cell c, const Level& level, int axis)
{
    return std::clamp(c, level.low[axis], level.high[axis]);
}

/// Where most of the balls are along an axis, whatever a few far away do.
struct Midst {
    double low, centre, high;
};
Midst midst_of(std::span<const Ball> balls, const Periodic& box, int axis)
{
    const double L = box.length[axis];
    if (L > 0) {
        const double from = box.origin[axis];
        return {from, from + 0.5 * L, from + L};
    }
    constexpr std::size_t samples = 127;
    double values[samples];
    for (std::size_t k = 0; k < samples; ++k) {
        const double x = coordinate(balls[balls.size() * k / samples], axis);
        values[k] = x == x ? x : 0;  // removed balls are nowhere, and have no place in an order
    }
    std::sort(values, values + samples);
    return {values[samples / 16], values[samples / 2], values[samples - 1 - samples / 16]};
}

/// A ball in single precision, relative to the centre, with a radius enlarged by what rounding may
/// do to distances from it: of coordinates, by wrapping, and in the test.
struct Rounded {
    float x, y, z, r;
};
[[gnu::always_inline]] inline Rounded rounded(const Problem& problem, const Ball& b, double x,
                                              double y, double z)
{
    x -= problem.centre[0];
    y -= problem.centre[1];
    z -= problem.centre[2];
    const double error = 0x1p-21 * (std::fabs(x) + std::fabs(y) + std::fabs(z)) +
                         0x1p-48 * (std::fabs(b.x) + std::fabs(b.y) + std::fabs(b.z)) +
                         0x1p-20 * b.r + problem.box_error;
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z),
            static_cast<float>(b.r + error)};
}

}  // namespace

/// Bounding box and sizes, and from them the levels; returns how many entries the table needs.
Index HierarchicalGrid::Buffers::measure(const Problem& problem, int threads)
{
    const std::span<const Ball> balls = problem.balls;
    const std::size_t n = balls.size();
    on_threads(threads, [&](int t) {
        Worker& worker = workers[static_cast<std::size_t>(t)];
        worker.class_count.fill(0);
        worker.class_radius.fill(0);
        double lx = infinity, ly = infinity, lz = infinity;
        double hx = -infinity, hy = -infinity, hz = -infinity;
        const Share share(n, t, threads);
        for (std::size_t i = share.begin; i < share.end; ++i) {
            const Ball& b = balls[i];
            lx = b.x < lx ? b.x : lx;
            ly = b.y < ly ? b.y : ly;
            lz = b.z < lz ? b.z : lz;
            hx = b.x > hx ? b.x : hx;
            hy = b.y > hy ? b.y : hy;
            hz = b.z > hz ? b.z : hz;
            const auto c = static_cast<std::size_t>(radius_class(b.r));
            ++worker.class_count[c];
            worker.class_radius[c] = b.r > worker.class_radius[c] ? b.r : worker.class_radius[c];
        }
        const double low[3] = {lx, ly, lz};
        const double high[3] = {hx, hy, hz};
        std::copy(low, low + 3, worker.low);
        std::copy(high, high + 3, worker.high);
    });
    Worker& all = workers[0];
    for (int t = 1; t < threads; ++t) {
        const Worker& worker = workers[static_cast<std::size_t>(t)];
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

    // From the largest down: a level takes the classes down to half of its largest radius.
    levels.clear();
    for (int c = classes - 1, lowest = 0; c >= 0; --c) {
        const auto k = static_cast<std::size_t>(c);
        if (all.class_count[k] == 0) {
            continue;
        }
        if (levels.empty() || (c < lowest && levels.size() < max_levels)) {
            levels.emplace_back();
            lowest = c - 7;
            levels.back().reach = all.class_radius[k];
        }
        levels.back().count += all.class_count[k];
        level_of_class[k] = static_cast<std::uint8_t>(levels.size() - 1);
    }

    std::uint64_t entries = 0;
    any_hashed = false;
    for (Level& level : levels) {
        const double width = std::max(2 * level.reach * (1 + 0x1p-20), problem.least_width);
        double cells = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const double L = problem.box.length[axis];
            if (L > 0) {
                const double number = std::clamp(std::floor(L / width), 1.0, 0x1p40);
                level.width[axis] = L / number;
                level.inverse[axis] = number / L;
                level.slack[axis] =
                    0x1p-40 + 0x1p-49 * number +
                    0x1p-49 * level.inverse[axis] *
                        std::max(std::fabs(all.low[axis]), std::fabs(all.high[axis]));
                level.low[axis] = 0;
                level.high[axis] = static_cast<Cell>(number) - 1;
            } else {
                level.width[axis] = width;
                level.inverse[axis] = 1 / width;
                level.slack[axis] = 0x1p-40;
                level.low[axis] = floor_to_cell(all.low[axis] * level.inverse[axis]);
                level.high[axis] = floor_to_cell(all.high[axis] * level.inverse[axis]);
            }
            cells *= static_cast<double>(level.high[axis] - level.low[axis] + 1);
        }
        level.base = static_cast<Index>(entries);
        level.nx = level.high[0] - level.low[0] + 1;
        level.ny = level.high[1] - level.low[1] + 1;
        level.dense = cells <= 2.0 * level.count + 64;
        if (level.dense) {
            entries += static_cast<std::uint64_t>(cells);
        } else {
            const Index rows = std::bit_ceil((level.count >> row_bits) + 1);
            level.mask = rows - 1;
            entries += std::uint64_t(rows) << row_bits;
            any_hashed = true;
        }
    }
    return static_cast<Index>(entries);
}

/// Fills blocks and table.
void HierarchicalGrid::Buffers::sort_into_cells(const Problem& problem, int threads, Index entries)
{
    const std::span<const Ball> balls = problem.balls;
    const std::size_t n = balls.size();
    const Periodic& box = problem.box;
    const bool shared = threads > 1;
    table.resize(std::size_t(entries) + 1);
    per_ball.resize(n);
    blocks.resize((n + 3) / 4);
    on_threads(threads, [&](int t) {
        const Share share(table.size(), t, threads);
        std::fill(table.begin() + static_cast<std::ptrdiff_t>(share.begin),
                  table.begin() + static_cast<std::ptrdiff_t>(share.end), 0u);
    });
    on_threads(threads, [&](int t) {
        const Share share(n, t, threads);
        for (std::size_t i = share.begin; i < share.end; ++i) {
            const Ball& b = balls[i];
            const Level& level = levels[level_of(b.r)];
            Cell cell[3];
            for (int axis = 0; axis < 3; ++axis) {
                const double x = wrapped(coordinate(b, axis), box, axis);
                cell[axis] =
                    clamped(floor_to_cell(in_cells<true>(x, level, box, axis)), level, axis);
            }
            const Index entry = level.entry(cell[0], cell[1], cell[2]) + 1;
            per_ball[i] = entry;
            add(table[entry], 1, shared);
        }
    });
    exclusive_scan(table, table.size(), threads, sums);
    // With several threads the order inside a cell is any; the lists are sorted later.
    on_threads(threads, [&](int t) {
        const Share share(n, t, threads);
        for (std::size_t i = share.begin; i < share.end; ++i) {
            const Ball& b = balls[i];
            const std::size_t place = add(table[per_ball[i]], 1, shared);
            const Rounded q = rounded(problem, b, wrapped(b.x, box, 0), wrapped(b.y, box, 1),
                                      wrapped(b.z, box, 2));
            Block& block = blocks[place / 4];
            const std::size_t lane = place % 4;
            block.x[lane] = q.x;
            block.y[lane] = q.y;
            block.z[lane] = q.z;
            block.r[lane] = q.r;
            block.index[lane] = static_cast<std::int32_t>(i);
        }
    });
}

namespace {

/// The cells in which balls of a level may lie that touch a ball between x and y with a radius of
/// at most r.
template <bool periodic>
Stretch stretch_around(double x, double y, double r, const Level& level, const Periodic& box,
                       int axis)
{
    const bool wraps = periodic && box.length[axis] > 0;
    const Cell low = level.low[axis];
    const Cell high = level.high[axis];
    const double least = wraps ? 0.0 : -outermost;
    const double most = wraps ? static_cast<double>(high + 1) : outermost;
    double t = in_cells<periodic>(x, level, box, axis);
    t = t > least ? t : least;
    t = t < most ? t : most;
    double u = in_cells<periodic>(y, level, box, axis);
    u = u > t ? u : t;
    u = u < most ? u : most;
    // At most 1 and a little; larger only for what is not a ball.
    double s = (r + level.reach) * level.inverse[axis] + level.slack[axis] +
               0x1p-49 * std::max(std::fabs(t), std::fabs(u));
    s = s < 1.5 ? s : 1.5;
    const Cell from = floor_to_cell(t - s);
    const Cell to = floor_to_cell(std::min(u, t + 1.5) + s);
    if (wraps && to - from >= high) {
        return {1, {0, 0}, {high, 0}};
    }
    if (wraps && (from < 0 || to > high)) {
        const Cell number = high + 1;
        return {2, {0, from < 0 ? from + number : from}, {to > high ? to - number : to, high}};
    }
    return {1, {std::max(from, low), 0}, {std::min(to, high), 0}};
}

/// f(from, to) for the ranges of places that these cells' balls take.
template <class F>
void for_ranges(const Level& level, const Stretch (&stretch)[3], const Index* entries, const F& f)
{
    const Stretch& sx = stretch[0];
    const Stretch& sy = stretch[1];
    const Stretch& sz = stretch[2];
    const auto row = [&](Cell from, Cell to, Cell y, Cell z) {
        const Index entry = level.entry(from, y, z);
        f(entries[entry], entries[entry + static_cast<Index>(to - from) + 1]);
    };
    const auto line = [&](Cell y, Cell z) {
        for (int part = 0; part < sx.parts; ++part) {
            const Cell to = sx.to[part];
            if (level.dense) {
                if (sx.from[part] <= to) {
                    row(sx.from[part], to, y, z);
                }
                continue;
            }
            for (Cell c = sx.from[part]; c <= to;) {
                const Cell stop = std::min(to, c | ((1 << row_bits) - 1));
                row(c, stop, y, z);
                c = stop + 1;
            }
        }
    };
    for (int pz = 0; pz < sz.parts; ++pz) {
        for (Cell z = sz.from[pz]; z <= sz.to[pz]; ++z) {
            for (int py = 0; py < sy.parts; ++py) {
                for (Cell y = sy.from[py]; y <= sy.to[py]; ++y) {
                    line(y, z);
                }
            }
        }
    }
}

}  // namespace

/// Appends to the worker's runs the sorted list of partners of ball i that ball i answers for: on
/// its own level those of higher index, on coarser levels all.
template <bool periodic>
Index HierarchicalGrid::Buffers::partners_of(const Problem& problem, Index i, Worker& worker) const
{
    const Ball ball = problem.balls[i];
    const Periodic& box = problem.box;
    const int own_level = level_of(ball.r);
    const bool moves = i < problem.movable;
    double x[3];
    for (int axis = 0; axis < 3; ++axis) {
        x[axis] = periodic ? wrapped(coordinate(ball, axis), box, axis) : coordinate(ball, axis);
    }
    const Rounded q = rounded(problem, ball, x[0], x[1], x[2]);
    const Four bx = four(q.x);
    const Four by = four(q.y);
    const Four bz = four(q.z);
    const Four br = four(q.r);
    Four period[3];
    if constexpr (periodic) {
        for (int axis = 0; axis < 3; ++axis) {
            const double L = box.length[axis];
            period[axis] = four(L > 0 ? static_cast<float>(L) : static_cast<float>(infinity));
        }
    }

    const std::size_t head = worker.used;
    std::size_t end = head + 1;

    Candidates& candidates = worker.candidates;
    const Index* const entries = table.data();
    const Block* const all_blocks = blocks.data();
    // Tests candidates first_one … last_one − 1, and lists those that touch.
    const auto test = [&](Index first_one, Index last_one, std::int32_t above) {
        const std::size_t number = last_one - first_one;
        if (worker.runs.size() < end + 4 * number + 1) {
            worker.runs.resize(2 * worker.runs.size() + 4 * number + 1024);
        }
        Index* const list = worker.runs.data();
        const FourInts floor{above, above, above, above};
        for (std::size_t first = 0; first < number; first += 16) {
            const std::size_t turns = std::min<std::size_t>(16, number - first);
            const Index* const block_index = candidates.block + first_one + first;
            const Index* const lanes = candidates.lanes + first_one + first;
            std::uint64_t hits = 0;
            for (std::size_t k = 0; k < turns; ++k) {
                const Block& block = all_blocks[block_index[k]];
                Four dx = vector_of<Four>(block.x) - bx;
                Four dy = vector_of<Four>(block.y) - by;
                Four dz = vector_of<Four>(block.z) - bz;
                if constexpr (periodic) {
                    dx = absolute(dx);
                    dy = absolute(dy);
                    dz = absolute(dz);
                    const Four ox = period[0] - dx;
                    const Four oy = period[1] - dy;
                    const Four oz = period[2] - dz;
                    dx = dx < ox ? dx : ox;
                    dy = dy < oy ? dy : oy;
                    dz = dz < oz ? dz : oz;
                }
                const Four reach = vector_of<Four>(block.r) + br;
                const FourInts near = dx * dx + dy * dy + dz * dz <= reach * reach;
                const unsigned bits =
                    bits_of(near & (vector_of<FourInts>(block.index) > floor)) & lanes[k];
                hits |= std::uint64_t(bits) << (4 * k);
            }
            while (hits != 0) {
                const auto hit = static_cast<unsigned>(std::countr_zero(hits));
                hits &= hits - 1;
                const auto j = static_cast<Index>(all_blocks[block_index[hit / 4]].index[hit % 4]);
                list[end] = j;
                const bool meant = moves || j < problem.movable;
                const bool touching = touch<periodic>(ball, problem.balls[j], box);
                end += meant && touching ? 1 : 0;
            }
        }
    };

    const Level& own = levels[static_cast<std::size_t>(own_level)];
    Cell cell[3];
    for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = floor_to_cell(in_cells<periodic>(x[axis], own, box, axis));
    }
    const bool same = candidates.reusable && candidates.level == own_level &&
                      ((candidates.cell[0] ^ cell[0]) | (candidates.cell[1] ^ cell[1]) |
                       (candidates.cell[2] ^ cell[2])) == 0;
    if (!same) {
        candidates.level = own_level;
        candidates.reusable = true;
        // Where balls of this cell may be; what is in the outermost cells may be anywhere.
        double low[3];
        double high[3];
        for (int axis = 0; axis < 3; ++axis) {
            candidates.cell[axis] = cell[axis];
            const auto c = static_cast<double>(cell[axis]);
            const double from = periodic && box.length[axis] > 0 ? box.origin[axis] : 0.0;
            low[axis] = std::min(x[axis], from + c * own.width[axis]);
            high[axis] = std::max(x[axis], from + (c + 1) * own.width[axis]);
            if (std::fabs(c) >= 0.5 * outermost) {
                candidates.reusable = false;
                low[axis] = high[axis] = x[axis];
            }
        }
        std::size_t tests = 0;
        Index count = 0;
        std::int32_t above = static_cast<std::int32_t>(i);
        bool meant = moves;
        // No room for more: these are tested now.
        const auto make_room = [&] {
            if (meant) {
                test(candidates.own_count, count, above);
            }
            candidates.reusable = false;
            count = candidates.own_count;
        };
        // Balls at places from … to − 1 of the order of cells.
        const auto add_range = [&](Index from, Index to) {
            if (from == to) {
                return;
            }
            tests += to - from;
            const Index first = from / 4;
            const Index last = (to - 1) / 4;
            const Index head_lanes = 0xfu << from % 4 & 0xfu;
            const Index tail_lanes = 0xfu >> (3 - (to - 1) % 4);
            if (count + 4 > Candidates::capacity) {
                make_room();
            }
            if (last - first < 4) {
                // Four in any case: cheaper than a loop of unknown length.
                Index* const block = candidates.block + count;
                Index* const lanes = candidates.lanes + count;
                for (Index k = 0; k < 4; ++k) {
                    block[k] = first + k;
                    lanes[k] = 0xf;
                }
                lanes[last - first] = tail_lanes;
                lanes[0] = first == last ? head_lanes & tail_lanes : head_lanes;
                count += last - first + 1;
                return;
            }
            for (Index k = first; k <= last; ++k) {
                if (count == Candidates::capacity) {
                    make_room();
                }
                candidates.block[count] = k;
                candidates.lanes[count] = k == first ? head_lanes : k == last ? tail_lanes : 0xfu;
                ++count;
            }
        };
        candidates.own_count = 0;
        for (int l = own_level; l >= 0; --l) {
            const Level& level = levels[static_cast<std::size_t>(l)];
            Stretch stretch[3];
            for (int axis = 0; axis < 3; ++axis) {
                stretch[axis] =
                    stretch_around<periodic>(low[axis], high[axis], own.reach, level, box, axis);
            }
            for_ranges(level, stretch, entries, add_range);
            if (l == own_level) {
                if (!candidates.reusable || 2 * count > Candidates::capacity) {
                    make_room();
                }
                candidates.own_count = count;
                candidates.own_tests = tests;
                above = -1;
                meant = true;
            }
        }
        candidates.count = count;
        candidates.tests = tests;
    }
    if (moves) {
        test(0, candidates.own_count, static_cast<std::int32_t>(i));
    }
    test(candidates.own_count, candidates.count, -1);
    worker.tests += candidates.tests - (moves ? 0 : candidates.own_tests);

    Index* const list = worker.runs.data() + head + 1;
    Index* const list_end = worker.runs.data() + end;
    sort_short(list, list_end);
    // Two rows of cells may share an entry of the table, and then their balls are seen twice.
    Index* const stop = any_hashed ? std::unique(list, list_end) : list_end;
    Index* higher = list;
    for (; higher < stop && *higher < i; ++higher) {
        worker.turned.push_back({*higher, i});
    }
    if (higher != list) {
        std::copy(higher, stop, list);
    }
    const auto length = static_cast<std::size_t>(stop - higher);
    worker.runs[head] = static_cast<Index>(length);
    worker.used = head + 1 + length;
    return static_cast<Index>(length);
}

/// Finds every ball's partners, in the order of cells.
template <bool periodic> void HierarchicalGrid::Buffers::sweep(const Problem& problem, int threads)
{
    const std::size_t n = problem.balls.size();
    chunks.resize((n + chunk_size - 1) / chunk_size);
    std::atomic<std::size_t> next{0};
    on_threads(threads, [&](int t) {
        Worker& worker = workers[static_cast<std::size_t>(t)];
        worker.runs.resize(worker.used + worker.used / 8 + 1024);  // as much as last time
        worker.used = 0;
        worker.turned.clear();
        worker.tests = 0;
        worker.out_of_memory = false;
        worker.too_many = false;
        worker.candidates.reusable = false;
        try {
            for (;;) {
                const std::size_t c = next.fetch_add(1, std::memory_order_relaxed);
                if (c >= chunks.size()) {
                    break;
                }
                chunks[c] = {worker.used, t};
                const std::size_t stop = std::min(n, (c + 1) * chunk_size);
                for (std::size_t p = c * chunk_size; p < stop; ++p) {
                    const auto i = static_cast<Index>(blocks[p / 4].index[p % 4]);
                    if (p + 8 < n) {
                        __builtin_prefetch(
                            &problem
                                 .balls[static_cast<std::size_t>(blocks[p / 4 + 2].index[p % 4])]);
                    }
                    per_ball[i] = partners_of<periodic>(problem, i, worker);
                }
                if (worker.used > absurd_pairs_per_ball * n + 100'000) {
                    worker.too_many = true;
                    break;
                }
            }
        } catch (const std::bad_alloc&) {
            worker.out_of_memory = true;
        }
    });
}

/// Brings the lists into the order of balls.
void HierarchicalGrid::Buffers::collect(std::size_t n, int threads, std::vector<BodyPair>& pairs)
{
    const bool shared = threads > 1;
    bool turned = false;
    for (int t = 0; t < threads; ++t) {
        const Worker& worker = workers[static_cast<std::size_t>(t)];
        if (worker.out_of_memory) {
            throw std::bad_alloc();
        }
        if (worker.too_many) {
            throw std::length_error(
                "hundreds of overlapping neighbours for every body: the bodies lie "
                "inside each other, or their margins are too large");
        }
        turned = turned || !worker.turned.empty();
    }
    if (turned) {
        on_threads(threads, [&](int t) {
            for (const BodyPair& pair : workers[static_cast<std::size_t>(t)].turned) {
                add(per_ball[pair.first], 1, shared);
            }
        });
    }
    const std::uint64_t total = exclusive_scan(per_ball, n, threads, sums);
    if (total > std::numeric_limits<Index>::max()) {
        throw std::length_error("more than 2^32 - 1 pairs of overlapping bounding spheres: the "
                                "bodies lie inside each other, or their margins are too large");
    }
    pairs.resize(total);
    std::atomic<std::size_t> next{0};
    on_threads(threads, [&](int) {
        for (;;) {
            const std::size_t c = next.fetch_add(1, std::memory_order_relaxed);
            if (c >= chunks.size()) {
                break;
            }
            const Index* run =
                workers[static_cast<std::size_t>(chunks[c].worker)].runs.data() + chunks[c].at;
            const std::size_t stop = std::min(n, (c + 1) * chunk_size);
            for (std::size_t p = c * chunk_size; p < stop; ++p) {
                const auto i = static_cast<Index>(blocks[p / 4].index[p % 4]);
                const Index length = *run++;
                BodyPair* const to = pairs.data() + per_ball[i];
                for (Index k = 0; k < length; ++k) {
                    to[k] = {i, run[k]};
                }
                run += length;
                per_ball[i] += length;
            }
        }
    });
    if (!turned) {
        return;
    }
    on_threads(threads, [&](int t) {
        for (const BodyPair& pair : workers[static_cast<std::size_t>(t)].turned) {
            pairs[add(per_ball[pair.first], 1, shared)] = pair;
        }
    });
    // per_ball[i] is now where the list of i ends.
    std::atomic<std::size_t> next_list{0};
    on_threads(threads, [&](int) {
        const auto less = [](const BodyPair& a, const BodyPair& b) { return a.second < b.second; };
        for (;;) {
            const std::size_t from = next_list.fetch_add(chunk_size, std::memory_order_relaxed);
            if (from >= n) {
                break;
            }
            for (std::size_t i = from; i < std::min(n, from + chunk_size); ++i) {
                BodyPair* const begin = pairs.data() + (i == 0 ? 0 : per_ball[i - 1]);
                BodyPair* const end = pairs.data() + per_ball[i];
                if (!std::is_sorted(begin, end, less)) {
                    std::sort(begin, end, less);
                }
            }
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
    if (n == 0 || movable_count == 0) {
        pairs.clear();
        b.levels.clear();
        for (Worker& worker : b.workers) {
            worker.tests = 0;
        }
        return;
    }
    // A thread is not worth waking for less than a chunk.
    const int useful = static_cast<int>(std::min<std::size_t>(n / chunk_size + 1, 1024));
    threads = std::clamp(threads, 1, useful);
    if (b.workers.size() < static_cast<std::size_t>(threads)) {
        b.workers.resize(static_cast<std::size_t>(threads));
    }
    for (Worker& worker : b.workers) {
        worker.tests = 0;
    }
    Problem problem{balls,   static_cast<Index>(std::min(movable_count, n)), box, {}, 1e-18,
                    0x1p-500};
    for (int axis = 0; axis < 3; ++axis) {
        const Midst midst = midst_of(balls, box, axis);
        problem.centre[axis] = midst.centre;
        problem.least_width = std::max(problem.least_width, 0x1p-30 * (midst.high - midst.low));
        problem.box_error += box.length[axis] > 0 ? 0x1p-20 * box.length[axis] : 0.0;
    }
    const Index entries = b.measure(problem, threads);
    b.sort_into_cells(problem, threads, entries);
    if (box.length[0] > 0 || box.length[1] > 0 || box.length[2] > 0) {
        b.sweep<true>(problem, threads);
    } else {
        b.sweep<false>(problem, threads);
    }
    b.collect(n, threads, pairs);
    // The lists are as large as the pairs: not kept.
    for (Worker& worker : b.workers) {
        std::vector<Index>().swap(worker.runs);
    }
}

void HierarchicalGrid::spatial_order(std::span<const Ball> balls, const Periodic& box,
                                     std::vector<std::uint32_t>& order, int threads)
{
    const std::size_t n = balls.size();
    if (n > std::numeric_limits<std::int32_t>::max()) {
        throw std::length_error("more than 2^31 - 1 bounding spheres");
    }
    order.resize(n);
    if (n == 0) {
        return;
    }
    threads = std::clamp(threads, 1, static_cast<int>(std::min<std::size_t>(n / 4096 + 1, 256)));

    // Cubes, about 64 per ball over the space where most balls are, and as much space again around.
    int bits = 2;
    while (bits < 9 && (std::size_t(1) << 3 * (bits - 2)) < n) {
        ++bits;
    }
    const double limit = static_cast<double>((2 << bits) - 1);
    double from[3];
    double side = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const Midst midst = midst_of(balls, box, axis);
        side = std::max(side, 1.25 * (midst.high - midst.low));
        from[axis] = 0.5 * midst.low + 0.5 * midst.high;
    }
    side = std::max(side, 0x1p-500);
    const double inverse = static_cast<double>(1 << bits) / side;
    for (double& x : from) {
        x -= side;
    }

    std::vector<Index>& keys = buffers_->per_ball;
    std::vector<Index>& other = buffers_->table;
    keys.resize(n);
    other.resize(n);
    on_threads(threads, [&](int t) {
        const Share share(n, t, threads);
        for (std::size_t i = share.begin; i < share.end; ++i) {
            Index key = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const double x = wrapped(coordinate(balls[i], axis), box, axis);
                double q = (x - from[axis]) * inverse;
                q = q > 0 ? q : 0.0;
                q = q < limit ? q : limit;
                // Every third bit.
                Index b = static_cast<Index>(q);
                b = (b | b << 16) & 0x030000ffu;
                b = (b | b << 8) & 0x0300f00fu;
                b = (b | b << 4) & 0x030c30c3u;
                b = (b | b << 2) & 0x09249249u;
                key |= b << axis;
            }
            keys[i] = key;
            order[i] = static_cast<Index>(i);
        }
    });

    // A radix sort, lowest digit first: stable, so balls of equal keys stay in the order of
    // indices.
    constexpr int digit_bits = 10;
    constexpr std::size_t digits = std::size_t(1) << digit_bits;
    const auto rows = static_cast<std::size_t>(threads);
    std::vector<Index> begin(rows * digits);
    for (int shift = 0; shift < 3 * (bits + 1); shift += digit_bits) {
        const auto digit = [&](Index i) { return keys[i] >> shift & (digits - 1); };
        std::fill(begin.begin(), begin.end(), 0u);
        on_threads(threads, [&](int t) {
            Index* const count = begin.data() + static_cast<std::size_t>(t) * digits;
            const Share share(n, t, threads);
            for (std::size_t k = share.begin; k < share.end; ++k) {
                ++count[digit(order[k])];
            }
        });
        Index before = 0;
        for (std::size_t d = 0; d < digits; ++d) {
            for (std::size_t row = 0; row < rows; ++row) {
                const Index own = begin[row * digits + d];
                begin[row * digits + d] = before;
                before += own;
            }
        }
        on_threads(threads, [&](int t) {
            Index* const place = begin.data() + static_cast<std::size_t>(t) * digits;
            const Share share(n, t, threads);
            for (std::size_t k = share.begin; k < share.end; ++k) {
                other[place[digit(order[k])]++] = order[k];
            }
        });
        std::swap(order, other);
    }
}

std::size_t HierarchicalGrid::bytes() const
{
    const auto of = [](const auto& buffer) { return buffer.capacity() * sizeof(buffer[0]); };
    const Buffers& b = *buffers_;
    std::size_t sum = sizeof(Buffers) + of(b.table) + of(b.per_ball) + of(b.blocks) + of(b.chunks) +
                      of(b.workers) + of(b.sums) + of(b.levels);
    for (const Worker& worker : b.workers) {
        sum += of(worker.runs) + of(worker.turned);
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
