// The full draw of the narrow phase: a million random pairs (or as many as the first argument says)
// of every two kinds of shapes, against bounds that are proved from both sides and against FCL
// where that was found. Prints a table and fails if a contact is missed or an error beyond its
// limit. Further arguments choose kinds: `shapes_full 1000 box cylinder` draws pairs of these two
// alone. Part of `make test-full`.
#include "full/shape_draws.hpp"
#include "full/shape_proofs.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace scree;
using namespace scree::test;

struct Entry {
    ShapeKind a, b;
};

/// All pairs of the table of docs/shapes.md.
std::vector<Entry> entries(int count, char** names)
{
    constexpr ShapeKind bodies[8]{ShapeKind::sphere,     ShapeKind::box,       ShapeKind::capsule,
                                  ShapeKind::cylinder,   ShapeKind::ellipsoid, ShapeKind::profile,
                                  ShapeKind::polyhedron, ShapeKind::clump};
    constexpr ShapeKind walls[4]{ShapeKind::half_space, ShapeKind::cylinder_wall,
                                 ShapeKind::sphere_wall, ShapeKind::mesh};
    std::vector<Entry> all;
    const auto wanted = [&](ShapeKind kind) {
        return count == 0 || std::any_of(names, names + count,
                                         [&](const char* name) { return name_of(kind) == name; });
    };
    const auto add = [&](ShapeKind a, ShapeKind b) {
        if (wanted(a) && wanted(b)) {
            all.push_back({a, b});
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
    return all;
}

struct Row {
    std::vector<float> gap, point, normal;
    long missed = 0, undecided = 0, wrong = 0;
    double deep = 0;
    long fcl = 0, fcl_failed = 0, fcl_off = 0;
    std::vector<float> fcl_gap;
    std::string worst;
    double worst_error = 0;
};

Row measure(const Entry& entry, long draws, const ShapePools& pools)
{
    Row row;
    // Of points whose gaps agree within 1e-9 clumps and meshes take any. Two polyhedra may pass
    // each other beyond corners as sharp as a thousandth.
    const bool parts =
        entry.a == ShapeKind::clump || entry.b == ShapeKind::clump || entry.b == ShapeKind::mesh;
    const bool sharp = entry.a == ShapeKind::polyhedron && entry.b == ShapeKind::polyhedron;
    const double limit = parts ? 2e-9 : (sharp ? 1e-7 : 1e-9);
    Random random(1000003U * static_cast<unsigned>(entry.a) + static_cast<unsigned>(entry.b));
    for (long i = 0; i < draws; ++i) {
        DrawnPair pair = draw_any_pair(random, pools, entry.a, entry.b);
        pair.ask_fcl = i % 10 == 0;
        const Proof proof = prove(pair);
        row.missed += proof.missed;
        row.undecided += proof.undecided;
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
        const bool wrong = proof.missed || proof.gap_error > (pair.deep ? 1e-4 : limit);
        row.wrong += wrong;
        const double error = proof.missed ? 1e9 : proof.gap_error * (pair.deep ? 1e-5 : 1);
        if (error > row.worst_error) {
            row.worst_error = error;
            row.worst = "draw " + std::to_string(i) + ": " + proof.note;
        }
    }
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

}  // namespace

int main(int argc, char** argv)
{
    const long draws = argc > 1 ? std::atol(argv[1]) : 1000000;
    const std::vector<Entry> all = entries(std::max(0, argc - 2), argv + 2);
    const ShapePools pools(static_cast<std::size_t>(std::clamp(draws, 1L, 3000L)));
    std::printf("%ld pairs of each two kinds, with meshes %ld%s\n", draws,
                std::max(draws / 20, 20L), fcl_is_here() ? "" : ", without FCL");
    std::printf("%-25s %8s %8s %8s %8s %8s %8s %8s %7s %9s | %8s %8s %8s %7s\n", "", "gap",
                "99.9 %", "deep", "point", "99.9 %", "normal", "99.9 %", "missed", "undecided",
                "fcl 50 %", "99 %", ">1e-5", "failed");
    std::atomic<std::size_t> next = 0;
    std::mutex printing;
    bool good = true;
    const auto work = [&] {
        for (;;) {
            const std::size_t k = next++;
            if (k >= all.size()) {
                return;
            }
            // A body is near many triangles, each of which is looked at from both sides.
            const long count = all[k].b == ShapeKind::mesh ? std::max(draws / 20, 20L) : draws;
            Row row = measure(all[k], count, pools);
            const std::scoped_lock lock(printing);
            const std::string name =
                std::string(name_of(all[k].a)) + "-" + std::string(name_of(all[k].b));
            std::printf("%-25s %8.1e %8.1e %8.1e %8.1e %8.1e %8.1e %8.1e %7ld %9ld |", name.c_str(),
                        percentile(row.gap, 1), percentile(row.gap, 0.999), row.deep,
                        percentile(row.point, 1), percentile(row.point, 0.999),
                        percentile(row.normal, 1), percentile(row.normal, 0.999), row.missed,
                        row.undecided);
            if (row.fcl > 0) {
                std::printf(" %8.1e %8.1e %8ld %7ld", percentile(row.fcl_gap, 0.5),
                            percentile(row.fcl_gap, 0.99), row.fcl_off, row.fcl_failed);
            }
            std::printf("%s%s\n", row.wrong > 0 ? "  <-- beyond its limit, worst " : "",
                        row.wrong > 0 ? row.worst.c_str() : "");
            std::fflush(stdout);
            // Corners through a ridge of a mesh may have no contact (docs/shapes.md).
            good = good && (row.wrong == 0 || all[k].b == ShapeKind::mesh);
        }
    };
    std::thread other(work);
    work();
    other.join();
    return good ? 0 : 1;
}
