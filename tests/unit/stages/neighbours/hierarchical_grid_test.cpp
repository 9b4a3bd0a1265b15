// The broad phase against the comparison of all with all: the same pairs in the same order, for
// clouds of every kind, on any number of threads; and with an amount of work that grows no faster
// than the number of balls.
#include "collide/hierarchical_grid.hpp"
#include "collide/spatial_order.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace {

using scree::collide::Ball;
using scree::collide::BodyPair;
using scree::collide::HierarchicalGrid;
using scree::collide::Periodic;
using scree::collide::spatial_order;
using scree::test::Random;

std::vector<BodyPair> all_with_all(const std::vector<Ball>& balls, std::size_t movable,
                                   const Periodic& box)
{
    std::vector<BodyPair> pairs;
    for (std::size_t i = 0; i < std::min(movable, balls.size()); ++i) {
        for (std::size_t j = i + 1; j < balls.size(); ++j) {
            if (overlap(balls[i], balls[j], box)) {
                pairs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
            }
        }
    }
    return pairs;
}

std::string text(const std::vector<BodyPair>& pairs, const std::vector<BodyPair>& reference)
{
    std::string out =
        std::to_string(pairs.size()) + " pairs instead of " + std::to_string(reference.size());
    for (std::size_t k = 0; k < std::min(pairs.size(), reference.size()); ++k) {
        if (!(pairs[k] == reference[k])) {
            out += "; at " + std::to_string(k) + ": " + std::to_string(pairs[k].first) + "-" +
                   std::to_string(pairs[k].second) + " instead of " +
                   std::to_string(reference[k].first) + "-" + std::to_string(reference[k].second);
            break;
        }
    }
    return out;
}

/// Compares on several numbers of threads, with a grid that has seen other problems; returns the
/// number of pairs.
std::size_t check(const std::vector<Ball>& balls, std::size_t movable, const Periodic& box = {})
{
    static HierarchicalGrid grid;
    static std::vector<BodyPair> pairs;
    const std::vector<BodyPair> reference = all_with_all(balls, movable, box);
    std::size_t tests = 0;
    for (const int threads : {1, 3}) {
        grid.find_pairs(balls, movable, box, pairs, threads);
        EXPECT_TRUE(pairs == reference) << threads << " threads: " << text(pairs, reference);
        if (threads > 1) {
            EXPECT_EQ(grid.tests(), tests) << threads << " threads";
        }
        tests = grid.tests();
    }
    return reference.size();
}

double coordinate(Random& random, double size) { return random.uniform(-0.5 * size, 0.5 * size); }

Ball random_ball(Random& random, double size, double r)
{
    const double x = coordinate(random, size);
    const double y = coordinate(random, size);
    const double z = coordinate(random, size);
    return {x, y, z, r};
}

std::vector<Ball> cloud(Random& random, std::size_t n, double size, double r)
{
    std::vector<Ball> balls;
    for (std::size_t i = 0; i < n; ++i) {
        balls.push_back(random_ball(random, size, r));
    }
    return balls;
}

/// Radii between 10^from and 10^to.
std::vector<Ball> mixture(Random& random, std::size_t n, double size, double from, double to)
{
    std::vector<Ball> balls;
    for (std::size_t i = 0; i < n; ++i) {
        const double r = random.decades(from, to);
        balls.push_back(random_ball(random, size, r));
    }
    return balls;
}

/// About as many balls of each size as fill the same space: n of the smallest.
std::vector<Ball> fractal(Random& random, std::size_t n, double ratio)
{
    std::vector<Ball> balls;
    const double r = 0.5;
    const double size = std::cbrt(static_cast<double>(n)) * 1.5;
    double number = static_cast<double>(n);
    for (double q = 1; q <= ratio; q *= 2, number /= 8) {
        for (std::size_t k = 0; k < static_cast<std::size_t>(number) + 1; ++k) {
            const double own = r * q * random.uniform(0.8, 1.2);
            balls.push_back(random_ball(random, size, own));
        }
    }
    for (std::size_t k = balls.size() - 1; k > 0; --k) {
        std::swap(balls[k], balls[random.bits() % (k + 1)]);
    }
    return balls;
}

TEST(Grid, FindsPairsOfNoneAndFew)
{
    EXPECT_EQ(check({}, 0), 0u);
    EXPECT_EQ(check({{1, 2, 3, 4}}, 1), 0u);
    EXPECT_EQ(check({{0, 0, 0, 1}, {0, 0, 2, 1}}, 2), 1u);  // touching counts
    EXPECT_EQ(check({{0, 0, 0, 1}, {0, 0, 2.0000001, 1}}, 2), 0u);
    EXPECT_EQ(check({{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}}, 3), 1u);
    EXPECT_EQ(check({{0, 0, 0, 1}, {0, 0, 1, 1}}, 99), 1u);
}

TEST(Grid, FindsPairsOfEqualBalls)
{
    Random random(1);
    for (const double size : {3.0, 12.0, 40.0, 1000.0}) {
        check(cloud(random, 1500, size, 0.5), 1500);
    }
    EXPECT_GT(check(cloud(random, 1200, 12, 0.55), 1200), 2000u);
}

TEST(Grid, IsTheSameForAnyNumberOfThreads)
{
    Random random(15);
    HierarchicalGrid grid;
    std::vector<BodyPair> reference;
    std::vector<BodyPair> pairs;
    const Periodic box{{20, 0, 20}, {0, 0, 0}};
    for (const std::vector<Ball>& balls :
         {cloud(random, 6000, 20, 0.5), cloud(random, 6000, 200, 0.5),
          mixture(random, 6000, 20, -2, 0.4)}) {
        grid.find_pairs(balls, 5000, box, reference, 1);
        EXPECT_GT(reference.size(), 5u);
        const std::size_t tests = grid.tests();
        for (const int threads : {2, 3, 8, 1000, 0, -1}) {
            grid.find_pairs(balls, 5000, box, pairs, threads);
            EXPECT_TRUE(pairs == reference) << threads << ": " << text(pairs, reference);
            EXPECT_EQ(grid.tests(), tests) << threads;
        }
    }
}

TEST(Grid, FindsPairsInFlatAndLongClouds)
{
    Random random(2);
    for (int kind = 0; kind < 6; ++kind) {
        std::vector<Ball> balls = cloud(random, 800, 1, 0.5);
        const double flat[3] = {kind % 3 == 0 ? 400.0 : 1.0, kind % 3 == 1 ? 400.0 : 1.0,
                                kind % 3 == 2 ? 400.0 : 1.0};
        for (Ball& b : balls) {
            b.x *= kind < 3 ? flat[0] : 40 / flat[0];
            b.y *= kind < 3 ? flat[1] : 40 / flat[1];
            b.z *= kind < 3 ? flat[2] : 40 / flat[2];
        }
        EXPECT_GT(check(balls, 800), 100u);
    }
}

TEST(Grid, FindsPairsAtASizeRatioOfThousand)
{
    Random random(3);
    for (const double size : {10.0, 60.0, 500.0}) {
        EXPECT_GT(check(mixture(random, 1200, size, -1.5, 1.5), 1200), 20u) << size;
    }
    check(fractal(random, 1000, 1000), 1e9);
    std::vector<Ball> drum = cloud(random, 1000, 20, 0.3);
    drum[500] = {0, 0, 0, 300};
    EXPECT_GT(check(drum, 1000), 999u);
}

TEST(Grid, FindsPairsAtExtremeSizeRatios)
{
    Random random(4);
    check(mixture(random, 600, 1, -25, 0), 600);
    check(mixture(random, 600, 1e12, -12, 12), 600);
    check(mixture(random, 600, 1e-15, -24, -15), 600);
    std::vector<Ball> points = cloud(random, 500, 1, 0);
    points.insert(points.end(), points.begin(), points.begin() + 250);
    EXPECT_EQ(check(points, 750), 250u);
    points[3].r = 0.1;
    check(points, 750);
}

TEST(Grid, FindsAllPairsInOnePoint)
{
    EXPECT_EQ(check(std::vector<Ball>(300, Ball{-3, 7, 1e6, 0.1}), 300), 300u * 299 / 2);
    EXPECT_EQ(check(std::vector<Ball>(300, Ball{0, 0, 0, 0}), 300), 300u * 299 / 2);
}

TEST(Grid, FindsPairsOnTheBordersOfCells)
{
    // Cells are a little wider than 1; of equal balls of diameter 1 on a lattice each touches six.
    for (const double shift : {0.0, -6.0, 1e6, -123456.0}) {
        for (const double spacing : {1.0, 1 + 0x1p-20, 1 - 0x1p-20, 0.5}) {
            std::vector<Ball> balls;
            for (int k = 0; k < 1000; ++k) {
                balls.push_back({shift + spacing * (k % 10), shift - spacing * (k / 10 % 10),
                                 spacing * (k / 100), 0.5});
            }
            const std::size_t pairs = check(balls, 1000);
            if (spacing == 1) {
                EXPECT_EQ(pairs, 2700u);
            }
        }
    }
}

TEST(Grid, FindsPairsFarAway)
{
    Random random(5);
    std::vector<Ball> balls = cloud(random, 1000, 10, 0.5);
    for (std::size_t k = 0; k < 20; ++k) {
        balls[50 * k] = random_ball(random, 2e9, 0.5);
    }
    balls[7] = {1e9, -1e9, 1e9, 0.5};
    balls[8] = {1e9, -1e9, 1e9 + 1, 0.5};
    balls[9] = {1e17, 0, -1e17, 0.5};
    balls[10] = {1e17, 0, -1e17, 0.5};
    EXPECT_GT(check(balls, 1000), 500u);
    HierarchicalGrid grid;
    std::vector<BodyPair> pairs;
    grid.find_pairs(balls, 1000, {}, pairs, 1);
    EXPECT_LT(grid.bytes(), 400'000u);
    // The work is not spoiled: no more than a few times what it is without them.
    EXPECT_LT(grid.tests(), 100'000u);
    // Everything far away.
    for (Ball& b : balls) {
        b.x += 1e9;
        b.z -= 1e9;
    }
    EXPECT_GT(check(balls, 1000), 500u);
    // Small balls, whose cells are hardly resolved at such a distance.
    std::vector<Ball> small = cloud(random, 500, 1e-5, 1e-6);
    for (Ball& b : small) {
        b.x += 1e9;
    }
    check(small, 500);
}

TEST(Grid, LeavesOutPairsOfImmovableBalls)
{
    Random random(6);
    for (const std::size_t movable : {0u, 1u, 300u, 699u, 700u}) {
        check(cloud(random, 700, 8, 0.5), movable);
        check(mixture(random, 700, 8, -1.5, 0.5), movable);
        check(mixture(random, 700, 8, -1.5, 0.3), movable, {{8, 0, 8}, {-4, 0, -4}});
    }
}

TEST(Grid, FindsPairsOfPeriodicImages)
{
    Random random(7);
    for (int axes = 1; axes < 8; ++axes) {
        // Lengths from one cell and a bit to many, mostly not a multiple of the cell.
        for (const double length : {2.0, 2.2, 3.0, 4.7, 9.99, 13.0}) {
            Periodic box;
            for (int axis = 0; axis < 3; ++axis) {
                box.length[axis] = (axes >> axis & 1) != 0 ? length + 0.3 * axis : 0;
                box.origin[axis] = random.uniform(-5, 5);
            }
            // Half of them out of the box.
            check(cloud(random, 400, 1.5 * length, 0.5), 400, box);
            check(mixture(random, 400, 3 * length, -2, -0.31), 400, box);
        }
    }
}

TEST(Grid, FindsPairsAcrossPeriodicBorders)
{
    const Periodic box{{10, 0, 10}, {-2, 0, 5}};
    EXPECT_EQ(check({{-2, 0, 5, 0.5}, {7.5, 0, 5, 0.5}}, 2, box), 1u);
    EXPECT_EQ(check({{-2, 0, 5, 0.5}, {7.5, 0, 14.5, 0.5}}, 2, box), 1u);
    EXPECT_EQ(check({{-2, 0, 5, 0.5}, {7.5, 9.5, 5, 0.5}}, 2, box), 0u);
    EXPECT_EQ(check({{-2, 0, 5, 0.5}, {108, 0, -995, 0.5}}, 2, box), 1u);
    // A lattice that fits the period.
    std::vector<Ball> balls;
    for (int k = 0; k < 1000; ++k) {
        balls.push_back({k % 10 - 2.0, k / 10 % 10 + 0.0, k / 100 + 5.0, 0.5});
    }
    EXPECT_EQ(check(balls, 1000, box), 2900u);
}

TEST(Grid, BearsBallsTooLargeForThePeriod)
{
    Random random(8);
    check(cloud(random, 50, 4, 1.2), 50, {{2, 2, 2}, {0, 0, 0}});
    check(cloud(random, 50, 4, 30), 50, {{2, 2, 0}, {0, 0, 0}});
    check(mixture(random, 100, 4, -2, 2), 100, {{1, 2, 3}, {0, 0, 0}});
}

TEST(Grid, BearsAHugePeriod)
{
    Random random(9);
    std::vector<Ball> balls = cloud(random, 1000, 12, 0.5);
    const Periodic box{{1e9, 1e9, 1e12}, {0, -3, 0}};
    EXPECT_GT(check(balls, 1000, box), 1000u);
    HierarchicalGrid grid;
    std::vector<BodyPair> pairs;
    grid.find_pairs(balls, 1000, box, pairs, 1);
    EXPECT_LT(grid.bytes(), 400'000u);
}

TEST(Grid, KeepsOtherPairsIfABallIsNotFinite)
{
    // The caller's error: any answer about the ball itself, and the right one about the others.
    Random random(10);
    std::vector<Ball> balls = cloud(random, 1000, 12, 0.5);
    const std::vector<BodyPair> reference = all_with_all(balls, 1000, {});
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
    for (std::size_t k = 0; k < 16; ++k) {
        std::vector<Ball> broken = balls;
        double* const field[] = {&broken[500].x, &broken[500].y, &broken[500].z, &broken[500].r};
        *field[k % 4] = bad[k / 4];
        HierarchicalGrid grid;
        std::vector<BodyPair> pairs;
        for (const Periodic& box : {Periodic{}, Periodic{{1000, 0, 1000}, {-500, 0, -500}}}) {
            grid.find_pairs(broken, 1000, box, pairs, 2);
            std::vector<BodyPair> expected = reference;
            const auto concerned = [](const BodyPair& p) {
                return p.first == 500 || p.second == 500;
            };
            std::erase_if(expected, concerned);
            std::erase_if(pairs, concerned);
            EXPECT_TRUE(pairs == expected) << k;
        }
    }
}

TEST(Grid, WorkGrowsWithTheNumber)
{
    Random random(11);
    HierarchicalGrid grid;
    std::vector<BodyPair> pairs;
    const auto work = [&](const std::vector<Ball>& balls, const Periodic& box = {}) {
        grid.find_pairs(balls, balls.size(), box, pairs, 2);
        return static_cast<double>(grid.tests()) / static_cast<double>(balls.size());
    };
    // 1.9 balls per cell, 27 cells.
    for (const std::size_t n : {2000u, 16000u}) {
        const double size = std::cbrt(static_cast<double>(n));
        EXPECT_LT(work(cloud(random, n, 0.8 * size, 0.5)), 27 * 2.0);
        EXPECT_LT(work(cloud(random, n, 0.8 * size, 0.5), {{0.8 * size, 0.8 * size, 0}, {0, 0, 0}}),
                  27 * 2.2);
        // Sparse: a hundredth of the space, and a sheet and a line in a cube.
        EXPECT_LT(work(cloud(random, n, 5 * size, 0.5)), 30);
        std::vector<Ball> sheet = cloud(random, n, std::sqrt(static_cast<double>(n)), 0.5);
        for (Ball& b : sheet) {
            b.z = b.x + 0.5 * b.y;
        }
        EXPECT_LT(work(sheet), 60);
        // Stacks on a wide lattice.
        std::vector<Ball> stacks;
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t stack = k / 10;
            stacks.push_back({64.0 * static_cast<double>(stack % 32),
                              64.0 * static_cast<double>(stack / 32), static_cast<double>(k % 10),
                              0.5});
        }
        EXPECT_LT(work(stacks), 50);
    }
    // Sizes over three decades: per ball no more than a share of each level.
    const double few = work(fractal(random, 2000, 1000));
    const double many = work(fractal(random, 16000, 1000));
    EXPECT_LT(few, 500);
    EXPECT_LT(many, 1.5 * few);
}

TEST(Grid, EqualSizesShareALevel)
{
    Random random(12);
    HierarchicalGrid grid;
    std::vector<BodyPair> pairs;
    std::vector<Ball> balls = mixture(random, 500, 10, -0.05, 0.05);
    grid.find_pairs(balls, 500, {}, pairs, 1);
    EXPECT_EQ(grid.levels(), 1u);
    balls[0].r = 1000;
    grid.find_pairs(balls, 500, {}, pairs, 1);
    EXPECT_EQ(grid.levels(), 2u);
    balls = mixture(random, 5000, 10, -1.5, 1.5);
    grid.find_pairs(balls, 500, {}, pairs, 1);
    EXPECT_LE(grid.levels(), 10u);
}

TEST(Grid, MemoryIsKept)
{
    Random random(13);
    HierarchicalGrid grid;
    std::vector<BodyPair> pairs;
    std::vector<Ball> balls = cloud(random, 10000, 22, 0.5);
    grid.find_pairs(balls, 10000, {}, pairs, 1);
    const std::size_t bytes = grid.bytes();
    for (int k = 0; k < 3; ++k) {
        for (Ball& b : balls) {
            b.x += 0.001 * random.uniform();
        }
        grid.find_pairs(balls, 10000, {}, pairs, 1);
    }
    EXPECT_EQ(grid.bytes(), bytes);
}

TEST(Grid, OrdersNeighboursNearEachOther)
{
    Random random(14);
    for (const std::size_t n : {0u, 1u, 2u, 3000u, 20000u}) {
        std::vector<Ball> balls = cloud(random, n, 30, 0.5);
        if (n > 2) {
            balls[n / 2].x = 1e9;
        }
        const auto number = static_cast<double>(n);
        std::vector<std::uint32_t> order;
        std::vector<std::uint32_t> first;
        for (const int threads : {1, 2, 3, 8}) {
            spatial_order(balls, {}, order, threads);
            if (threads == 1) {
                first = order;
            }
            EXPECT_TRUE(order == first) << threads;
        }
        std::vector<std::uint32_t> identity(n);
        std::iota(identity.begin(), identity.end(), 0u);
        std::vector<std::uint32_t> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_TRUE(sorted == identity);
        // Neighbours in memory are a few spacings apart.
        double way = 0;
        for (std::size_t k = 1; k < n; ++k) {
            const Ball& a = balls[order[k - 1]];
            const Ball& b = balls[order[k]];
            if (std::fabs(a.x - b.x) < 1e6) {
                way += std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
            }
        }
        EXPECT_LE(way, 2.5 * 30 * std::cbrt(number) * std::cbrt(number)) << n;
    }
}

TEST(Grid, OrdersBallsInOnePoint)
{
    std::vector<std::uint32_t> order;
    spatial_order(std::vector<Ball>(100, Ball{5, 5, 5, 1}), {}, order, 2);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    spatial_order(std::vector<Ball>(100, Ball{NAN, INFINITY, 5, 1}), {{1, 1, 0}, {}}, order, 2);
    EXPECT_EQ(order.size(), 100u);
}

}  // namespace
