// The full draw of the narrow phase: a million random pairs (or as many as the first argument says)
// of every two kinds of shapes, against bounds that are proved from both sides and against FCL
// where that was found. Prints a table, a line for every two kinds as soon as it is done, and fails
// if a contact is missed or an error is beyond its limit, but for the pairs that are known to be
// wrong. Further arguments choose lines: `shapes_full 1000 mesh box-cylinder` draws all pairs with
// meshes, and boxes with cylinders. Every pair is a function of its kinds and its number alone, so
// that all cores share the work and give the same table, and `shapes_full 6872:6873 box-box` looks
// at one pair again. Part of `make test-full`.
#include "full/shape_draws.hpp"
#include "full/shape_proofs.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace scree;
using namespace scree::test;

/// A pair that is wrong.
struct Fault {
    long pair;
    double error;
    std::string note;
};

/// What was found of some pairs of two kinds.
struct Row {
    std::vector<float> gap, point, normal;
    long skipped = 0, missed = 0, undecided = 0;
    double deep = 0;
    long fcl = 0, fcl_failed = 0, fcl_off = 0;
    std::vector<float> fcl_gap;
    std::vector<Fault> faults;  ///< wrong pairs
    double seconds = 0;         ///< of threads

    void add(const Row& other)
    {
        const auto append = [](std::vector<float>& to, const std::vector<float>& from) {
            to.insert(to.end(), from.begin(), from.end());
        };
        append(gap, other.gap);
        append(point, other.point);
        append(normal, other.normal);
        append(fcl_gap, other.fcl_gap);
        skipped += other.skipped;
        missed += other.missed;
        undecided += other.undecided;
        deep = std::max(deep, other.deep);
        fcl += other.fcl;
        fcl_failed += other.fcl_failed;
        fcl_off += other.fcl_off;
        seconds += other.seconds;
        faults.insert(faults.end(), other.faults.begin(), other.faults.end());
    }
};

/// Two kinds, and what is known of them so far.
struct Entry {
    ShapeKind a, b;
    long left = 0;  ///< pieces of work
    Row row;

    [[nodiscard]] std::string name() const
    {
        return std::string(name_of(a)) + "-" + std::string(name_of(b));
    }
};

/// Wrong pairs that are known (docs/shapes.md), of the first million. Any other one is a failure.
struct KnownFault {
    std::string_view entry;
    long pair;
};
constexpr KnownFault known_faults[]{
    {"box-box", 209723},       {"cylinder-ellipsoid", 689203}, {"cylinder-clump", 861881},
    {"cylinder-mesh", 206458}, {"cylinder-mesh", 229722},      {"cylinder-mesh", 425074},
    {"cylinder-mesh", 541844}, {"cylinder-mesh", 589306},      {"ellipsoid-mesh", 368031},
};
bool is_known(const Entry& entry, long pair)
{
    return std::any_of(std::begin(known_faults), std::end(known_faults), [&](const KnownFault& k) {
        return k.pair == pair && k.entry == entry.name();
    });
}

/// All pairs of the table of docs/shapes.md, or those with one of the names.
std::vector<Entry> entries(const std::vector<std::string>& names)
{
    constexpr ShapeKind bodies[8]{ShapeKind::sphere,     ShapeKind::box,       ShapeKind::capsule,
                                  ShapeKind::cylinder,   ShapeKind::ellipsoid, ShapeKind::profile,
                                  ShapeKind::polyhedron, ShapeKind::clump};
    constexpr ShapeKind walls[3]{ShapeKind::half_space, ShapeKind::cylinder_wall,
                                 ShapeKind::sphere_wall};
    std::vector<Entry> all;
    const auto add = [&](ShapeKind a, ShapeKind b) {
        const Entry entry{a, b, 0, {}};
        if (names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                return name == name_of(a) || name == name_of(b) || name == entry.name();
            })) {
            all.push_back(entry);
        }
    };
    for (int i = 0; i < 8; ++i) {
        for (int j = i; j < 8; ++j) {
            add(bodies[i], bodies[j]);
        }
        for (const ShapeKind wall : walls) {
            add(bodies[i], wall);
        }
    }
    for (const ShapeKind body : bodies) {
        add(body, ShapeKind::mesh);
    }
    return all;
}

double seconds_of_thread()
{
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Draws pairs of two kinds, from a number up to another.
Row measure(ShapeKind a, ShapeKind b, long from, long to, const ShapePools& pools)
{
    Row row;
    // Of points whose gaps agree within 1e-9 clumps and meshes take any.
    const bool parts = a == ShapeKind::clump || b == ShapeKind::clump || b == ShapeKind::mesh;
    const double limit = parts ? 2e-9 : 1e-9;
    const double start = seconds_of_thread();
    for (long i = from; i < to; ++i) {
        DrawnPair pair = draw_numbered_pair(pools, a, b, i);
        pair.ask_fcl = i % 10 == 0;
        const Proof proof = prove(pair);
        row.missed += proof.missed;
        row.undecided += proof.undecided;
        row.skipped += proof.skipped;
        if (proof.skipped) {
            continue;
        }
        if (pair.deep) {
            row.deep = std::max(row.deep, proof.gap_error);
        } else if (!proof.undecided) {
            row.gap.push_back(static_cast<float>(proof.gap_error));
        }
        row.point.push_back(static_cast<float>(proof.point_error));
        if (proof.normal_error >= 0) {
            row.normal.push_back(static_cast<float>(proof.normal_error));
        }
        if (proof.fcl_known) {
            ++row.fcl;
            row.fcl_failed += proof.fcl_failed;
            row.fcl_off += proof.fcl_error > 1e-5;
            row.fcl_gap.push_back(static_cast<float>(proof.fcl_error));
        }
        if (proof.missed || proof.gap_error > (pair.deep ? 1e-4 : limit)) {
            row.faults.push_back({i, proof.gap_error, proof.note});
        }
    }
    row.seconds = seconds_of_thread() - start;
    return row;
}

/// The value that a share of all are not above.
double percentile(std::vector<float>& values, double share)
{
    if (values.empty()) {
        return 0;
    }
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return values[at];
}

void print(Entry& entry, long draws)
{
    Row& row = entry.row;
    std::printf("%-25s %8ld %8ld %8.1e %8.1e %8.1e %8.1e %8.1e %8.1e %8.1e %6ld %9ld %5zu %8.1f |",
                entry.name().c_str(), draws, row.skipped, percentile(row.gap, 1),
                percentile(row.gap, 0.999), row.deep, percentile(row.point, 1),
                percentile(row.point, 0.999), percentile(row.normal, 1),
                percentile(row.normal, 0.999), row.missed, row.undecided, row.faults.size(),
                row.seconds);
    if (row.fcl > 0) {
        std::printf(" %8ld %8.1e %8.1e %7ld %6ld", row.fcl, percentile(row.fcl_gap, 0.5),
                    percentile(row.fcl_gap, 0.99), row.fcl_off, row.fcl_failed);
    }
    std::printf("\n");
    std::sort(row.faults.begin(), row.faults.end(),
              [](const Fault& a, const Fault& b) { return a.pair < b.pair; });
    for (std::size_t i = 0; i < std::min<std::size_t>(row.faults.size(), 20); ++i) {
        const Fault& fault = row.faults[i];
        std::printf("  beyond its limit: pair %ld, gap off by %.1e%s\n", fault.pair, fault.error,
                    fault.note.c_str());
    }
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv)
{
    const std::string range = argc > 1 ? argv[1] : "1000000";
    const std::size_t colon = range.find(':');
    const bool from_zero = colon == std::string::npos;
    const long first = from_zero ? 0 : std::atol(range.c_str());
    const long last = std::atol(range.c_str() + (from_zero ? 0 : colon + 1));
    std::vector<Entry> all = entries({argv + std::min(argc, 2), argv + argc});
    const ShapePools pools(3000);
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    struct Piece {
        Entry* entry;
        long from, to;
    };
    std::vector<Piece> pieces;
    for (Entry& entry : all) {
        for (long from = first; from < last; from += 1000) {
            pieces.push_back({&entry, from, std::min(from + 1000, last)});
            ++entry.left;
        }
    }
    std::printf("%s, %u threads\n%-25s %8s %8s %8s %8s %8s %8s %8s %8s %8s %6s %9s %5s %8s | %8s "
                "%8s %8s %7s %6s\n",
                fcl_is_here() ? "with FCL" : "without FCL", threads, "", "pairs", "skipped", "gap",
                "99.9 %", "deep", "point", "99.9 %", "normal", "99.9 %", "missed", "undecided",
                "wrong", "core s", "FCL", "50 %", "99 %", ">1e-5", "failed");
    std::atomic<std::size_t> next = 0;
    std::mutex adding;
    bool good = true;
    const auto work = [&] {
        for (;;) {
            const std::size_t k = next++;
            if (k >= pieces.size()) {
                return;
            }
            Entry& entry = *pieces[k].entry;
            const Row row = measure(entry.a, entry.b, pieces[k].from, pieces[k].to, pools);
            const std::scoped_lock lock(adding);
            entry.row.add(row);
            if (--entry.left == 0) {
                print(entry, last - first);
                good = good && entry.row.missed == 0 &&
                       std::all_of(entry.row.faults.begin(), entry.row.faults.end(),
                                   [&](const Fault& f) { return is_known(entry, f.pair); });
                entry.row = {};
            }
        }
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) {
        others.emplace_back(work);
    }
    work();
    for (std::thread& other : others) {
        other.join();
    }
    return good ? 0 : 1;
}
