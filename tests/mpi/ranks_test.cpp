// Worlds of several ranks, against the same world of one process and against conservation laws. Run
// by mpirun with any number of ranks: every rank runs every test. With the argument `cuda` they are
// on a GPU that ranks share; with `emulated` they are stepped on the host by what steps them there.
#include "math/random.hpp"
#include "mpi/rank_worlds.hpp"
#include "scree/contact.hpp"
#include "scree/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string_view>

using namespace scree;
using namespace scree::test;

namespace {

TEST(Ranks, TheSameContactsAtTheFirstStep)
{
    for (const double period : {0.0, 0.18}) {
        Settings s = one_thread({});
        s.time_step = 2e-3;
        s.period.x = period;
        World alone = heap(s, 10, 4, 4, 1, 0.018);
        World spread = heap(s, 10, 4, 4, 1, 0.018);
        spread.distribute(all());
        const StepReport& a = alone.step();
        const StepReport& b = spread.step();
        EXPECT_EQ(a.passes, b.passes);
        EXPECT_EQ(a.candidates, b.candidates);
        EXPECT_EQ(a.contacts, b.contacts);
        EXPECT_EQ(a.bodies, b.bodies);
        EXPECT_EQ(a.max_penetration, b.max_penetration);
        const WholeFrame whole(spread.frame());
        const Frame serial = alone.frame();
        const std::vector<Body> bodies = spread.bodies(serial.ids);
        for (std::size_t i = 0; i < serial.dynamic_count; ++i) {
            EXPECT_EQ(*bodies[i].id, serial.ids[i]);
            EXPECT_EQ(volume(bodies[i].shape), volume(serial.shapes[i]));
        }
        EXPECT_EQ(volume(spread.body(serial.ids[7]).shape), volume(serial.shapes[7]));
        EXPECT_THROW((void)spread.bodies(std::array{serial.ids[7], BodyId(123456)}), Error);
        const double wanted_volume = WholeFrame::volume_of(serial);
        EXPECT_NEAR(whole.volume, wanted_volume, 1e-12 * wanted_volume);
        const std::vector<Contact> found = contacts_of(whole);
        const std::vector<Contact> wanted = contacts_of(serial);
        EXPECT_GT(wanted.size(), 100U);
        expect_same_contacts(found, wanted, s.period, 1e-15);
    }
}

TEST(Ranks, TheSameContactsOfBodiesDeepInEachOther)
{
    const std::vector<Body> bodies = jumble(12, 6, 6);
    for (const double period : {0.0, 0.12}) {
        Settings s = one_thread({});
        s.period.x = period;
        World alone = world_of(s, bodies), spread = world_of(s, bodies);
        spread.distribute(all());
        alone.step();
        spread.step();
        const std::vector<Contact> wanted = contacts_of(alone.frame());
        EXPECT_GT(wanted.size(), 4000U);
        EXPECT_GT(alone.report().max_penetration, 0.005);
        EXPECT_EQ(spread.report().candidates, wanted.size());
        EXPECT_EQ(spread.report().contacts, alone.report().contacts);
        expect_same_contacts(contacts_of(WholeFrame(spread.frame())), wanted, s.period, 0);
    }
}

/// Two spheres that meet where two ranks do: at rest afterwards, not moving off together.
TEST(Ranks, AHeadOnPairOnABorderKeepsItsMomentum)
{
    const double n = all()->size();
    for (const double relaxation : {1.0, 0.7, 0.3}) {
        Settings s = one_thread(exact(1e-3, {0, 0, 0}));
        s.relaxation = relaxation;
        World world(s);
        world.distribute(all(), {{all()->size(), 1, 1}, {0, 0, 0}, {n, 1, 1}});
        // The border of the first two ranks is at 1.
        const BodyId a = world.add(sphere(0.1, {0.8995, 0.5, 0.5}, {1, 0, 0}));
        const BodyId b = world.add(sphere(0.1, {1.1005, 0.5, 0.5}, {-1, 0, 0}));
        run(world, 5);
        const double mass = world.body(a).mass->mass;
        EXPECT_LT(std::abs(world.momentum().linear.x), 1e-15 * mass) << relaxation;
        EXPECT_NEAR(world.body(a).velocity.x, 0, 1e-12) << relaxation;
        EXPECT_NEAR(world.body(b).velocity.x, 0, 1e-12) << relaxation;
    }
}

/// Boxes at odd angles that fly at each other around the corner where ranks meet: of two, or of
/// three, where one cut ends at another, or of four and more.
TEST(Ranks, RotatedBoxesAtACornerKeepAllMomenta)
{
    const int n = all()->size();
    const std::array<int, 3> boxes = n % 4 == 0 ? std::array{2, 2, n / 4}
                                     : n == 2   ? std::array{2, 1, 1}
                                                : std::array{0, 0, 0};
    for (const double relaxation : {1.0, 0.6, 0.1}) {
        Settings s = one_thread(exact(1e-3, {0, 0, 0}));
        s.sweeps = 30;  // conservation does not ask for convergence
        s.relaxation = relaxation;
        World world(s);
        world.distribute(all(), {boxes, {-1, -1, -1}, {1, 1, 1}});
        Random random(7);
        double scale = 0;
        for (int k = 0; k < 27; ++k) {
            Vec axis;
            axis.x = random.uniform(-1, 1);
            axis.y = random.uniform(-1, 1);
            axis.z = random.uniform(-1, 1);
            const Vec at{0.125 * (k % 3 - 1), 0.125 * (k / 3 % 3 - 1), 0.125 * (k / 9 - 1)};
            Body body = block({0.1, 0.08, 0.06}, at, orientation_of_z(axis));
            body.velocity = -2.0 * at + 0.3 * axis;
            body.angular_velocity = 5.0 * axis;
            world.add(body);
            scale += norm(body.velocity) * 0.1 * 0.08 * 0.06 * 1000;
        }
        const World::Momentum before = world.momentum();
        int shared = 0;
        std::size_t active = 0;
        for (int step = 0; step < 50; ++step) {
            const StepReport& r = world.step();
            shared = std::max(shared, r.bodies_on_several_ranks);
            active += r.loaded_contacts;
            EXPECT_EQ(r[Condition::energy_unbalanced].count, 0U);
        }
        const World::Momentum after = world.momentum();
        EXPECT_GT(active, 30U) << "hardly anything touched";
        EXPECT_LT(norm(after.linear - before.linear), 1e-13 * scale) << relaxation;
        EXPECT_LT(norm(after.angular - before.angular), 1e-13 * scale) << relaxation;
        EXPECT_GE(shared, n > 1 ? 4 : 0) << "too few bodies had contacts on several ranks";
    }
}

TEST(Ranks, ADenseHeapConvergesAndItsLedgerCloses)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.sweeps = 500;
    s.tolerance = 1e-3;
    World alone = heap(s, 8, 4, 5, 3, 0.02, 0);
    World spread = heap(s, 8, 4, 5, 3, 0.02, 0);
    spread.distribute(all());
    const int steps = 60 / shorter;
    std::uint64_t unconverged = 0, usual = 0;
    for (int i = 0; i < steps; ++i) {
        usual += alone.step()[Condition::unconverged].count;
        const StepReport& r = spread.step();
        ASSERT_EQ(r[Condition::energy_unbalanced].count, 0U) << i;
        ASSERT_EQ(r[Condition::not_finite].count, 0U) << i;
        unconverged += r[Condition::unconverged].count;
    }
    // A few steps of such a heap do not converge for one process either.
    EXPECT_LE(unconverged, usual + std::uint64_t(steps) / 10);
    EXPECT_EQ(spread.body_count(), alone.body_count());
    EXPECT_NEAR(spread.solid_volume(), alone.solid_volume(), 1e-12 * alone.solid_volume());
    // As much energy was lost in contacts.
    const auto energy = [](const World& w) { return w.energy().kinetic + w.energy().potential; };
    const double lost = alone.energy().inserted - energy(alone);
    EXPECT_GT(lost, 0.1 * alone.energy().inserted / shorter);
    EXPECT_NEAR(energy(spread), energy(alone), 0.02 * lost);
}

// From the same state ranks need as many sweeps as one process, but for those between two looks at
// the residual: bodies that several of them hold are relaxed one contact after the other as well.
TEST(Ranks, SweepsConvergeAsOnOneProcess)
{
    for (const double boxes : {0.0, 0.3}) {
        int sweeps = 0, usual = 0, shared = 0;
        const int heaps = 10;
        for (int seed = 1; seed <= heaps; ++seed) {
            Settings s = one_thread({});
            s.time_step = 1e-3;
            s.tolerance = 1e-6;
            s.sweeps = 3000;
            s.accelerate = false;
            const auto make = [&] {
                return heap(s, 8, 4, 5, static_cast<std::uint64_t>(seed), 0.0199, boxes);
            };
            World alone = make(), spread = make();
            spread.distribute(all());
            usual += alone.step().sweeps;
            sweeps += spread.step().sweeps;
            shared += spread.report().bodies_on_several_ranks;
        }
        EXPECT_GT(usual, 10 * heaps);  // or this shows nothing
        EXPECT_LE(sweeps, 1.1 * usual + 2 * heaps) << boxes;
        EXPECT_GE(shared, all()->size() > 1 ? 15 * heaps : 0);
    }
}

/// The state of a heap after so many steps by these ranks.
std::uint64_t hash_of_heap(const std::shared_ptr<Ranks>& ranks, int steps)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.period.x = 0.12;
    World world = heap(s, 6, 4, 4, 5);
    world.distribute(ranks);
    run(world, steps);
    return world.state_hash();
}

TEST(Ranks, TheSameBitsForTheSameNumberOfRanks)
{
    EXPECT_EQ(hash_of_heap(all(), 40), hash_of_heap(all(), 40));
}

// Two groups with a world each, which know nothing of each other.
/// Enough contacts for threads to share sweeps inside each of two ranks, with and without parts.
TEST(Ranks, ThreadsInsideThemChangeNoBits)
{
    if (all()->size() != 2) {
        GTEST_SKIP() << "more ranks with threads would only wait for cores";
    }
    for (const int region_pairs : {0, 512}) {
        std::uint64_t hash = 0;
        for (const int threads : {1, 2, 3}) {
            Settings s = one_thread({});
            s.threads = threads;
            s.time_step = 1e-3;
            s.tolerance = 1e-3;
            s.sweeps = 30;
            s.period.x = 0.33;
            s.region_pairs = region_pairs;
            World world = heap(s, 20, 8, 8, 5, 0.0165);
            world.distribute(all());
            run(world, 8);
            ASSERT_GT(world.report().candidates, 3000U);  // or one thread sweeps alone
            hash = threads == 1 ? world.state_hash() : hash;
            EXPECT_EQ(world.state_hash(), hash) << threads << " threads, " << region_pairs;
        }
    }
}

TEST(Ranks, AreThoseOfACommunicator)
{
    const int size = all()->size(), me = all()->rank();
    const bool odd = me % 2 == 1;
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, odd ? 1 : 0, -me, &half);
    const std::shared_ptr<Ranks> group = mpi_ranks(half);
    MPI_Comm_free(&half);
    const int members = (size + (odd ? 0 : 1)) / 2;
    ASSERT_EQ(group->size(), members);
    EXPECT_EQ(group->rank(), members - 1 - me / 2);
    if (odd) {
        hash_of_heap(group, 10);  // so that groups are not in step
    }
    const std::uint64_t here[]{static_cast<std::uint64_t>(members), hash_of_heap(group, 10)};
    EXPECT_EQ(members == size, here[1] == hash_of_heap(all(), 10));
    const std::vector<std::uint64_t> there = of_all(std::span<const std::uint64_t>(here));
    for (std::size_t i = 0; i < there.size(); i += 2) {
        EXPECT_EQ(there[i] == here[0], there[i + 1] == here[1]) << "rank " << i / 2;
    }
}

/// A thousand spheres, each of which meets another now and then.
World gas()
{
    Settings s = one_thread(exact(1e-3, {0, 0, 0}));
    s.period = {1, 1, 1};
    World world(s);
    Random random(11);
    for (int z = 0; z < 10; ++z) {
        for (int y = 0; y < 10; ++y) {
            for (int x = 0; x < 10; ++x) {
                Vec at;
                at.x = 0.1 * (x + 0.5) + random.uniform(-0.02, 0.02);
                at.y = 0.1 * (y + 0.5) + random.uniform(-0.02, 0.02);
                at.z = 0.1 * (z + 0.5) + random.uniform(-0.02, 0.02);
                Vec v;
                v.x = random.uniform(-1, 1);
                v.y = random.uniform(-1, 1);
                v.z = random.uniform(-1, 1);
                world.add(sphere(0.025, at, v));
            }
        }
    }
    return world;
}

TEST(Ranks, ADiluteGasAgreesWithOneProcess)
{
    World alone = gas();
    World spread = gas();
    spread.distribute(all());
    std::size_t met = 0;
    for (int step = 0; step < 100; ++step) {
        met += alone.step().loaded_contacts;
        spread.step();
    }
    EXPECT_GT(met, 200U);
    const std::map<BodyId, Vec> found = positions_of(WholeFrame(spread.frame()));
    const std::map<BodyId, Vec> wanted = positions_of(alone.frame());
    EXPECT_EQ(found.size(), 1000U);
    for (const auto& [id, x] : wanted) {
        EXPECT_NEAR(norm(found.at(id) - x), 0, 1e-8) << id;
    }
    EXPECT_NEAR(spread.energy().kinetic, alone.energy().kinetic, 1e-9 * alone.energy().kinetic);
}

/// Bodies of very different sizes, the largest as large as the period allows, whose ranks are
/// neighbours of many: from the state that ranks have come to, one process finds the same contacts.
TEST(Ranks, TheSameContactsOfSmallAndHugeBodies)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.period = {0.5, 0.5, 0};
    World spread(s);
    spread.distribute(all());
    Random random(29);
    spread.add(obstacle(Shape::half_space()));
    for (int i = 0; i < 900; ++i) {
        Vec at;
        at.x = 0.5 / 30 * (i % 30) + random.uniform(-0.0005, 0.0005);
        at.y = 0.5 / 30 * (i / 30) + random.uniform(-0.0005, 0.0005);
        at.z = i % 7 == 0 ? 0.008 : 0.005;
        spread.add(sphere(at.z, at));
    }
    const BodyId plate = spread.add(block({0.15, 0.15, 0.02}, {0.49, 0.01, 0.026}));
    spread.add(sphere(0.04, {0.25, 0.45, 0.056}));
    spread.add(block({0.2, 0.02, 0.02}, {0.2, 0.25, 0.026}));
    int shared = 0;
    for (int round = 0; round < 3; ++round) {
        run(spread, 15);
        World alone = joined(shares_of(spread));
        alone.step();
        shared = std::max(shared, spread.step().bodies_on_several_ranks);
        EXPECT_EQ(spread.report().candidates, alone.report().candidates);
        EXPECT_EQ(spread.report().contacts, alone.report().contacts);
        const std::vector<Contact> found = contacts_of(WholeFrame(spread.frame()));
        const std::vector<Contact> wanted = contacts_of(alone.frame());
        EXPECT_GT(wanted.size(), 500U);
        EXPECT_GT(
            std::count_if(wanted.begin(), wanted.end(),
                          [&](const Contact& c) { return c.first == plate || c.second == plate; }),
            3)
            << round;
        expect_same_contacts(found, wanted, s.period, 1e-15);
    }
    EXPECT_GE(shared, all()->size() > 1 ? 2 * all()->size() : 0) << "hardly anything is shared";
}

/// Grains that meet in twos, also where ranks do, pose the problems that they pose in one process.
TEST(Ranks, ContactsPoseTheSameProblems)
{
    const int n = all()->size();
    const auto collisions = [&](World& world) {
        Random random(23);
        for (int k = 0; k < 24; ++k) {
            // Borders of ranks are at 1, 2, ….
            const Vec at{n > 1 ? 1.0 + k % (n - 1) : 0.5, 0.2 * (k % 5) + 0.1, 0.2 * (k / 5) + 0.1};
            for (const double side : {-1.0, 1.0}) {
                Vec axis;
                axis.x = random.uniform(-1, 1);
                axis.y = random.uniform(-1, 1);
                axis.z = random.uniform(-1, 1);
                Body body = sphere(random.uniform(0.03, 0.04), at);
                if (k % 3 > 0) {
                    body.shape = Shape::ellipsoid(0.05, 0.03, random.uniform(0.03, 0.04));
                    body.orientation = orientation_of_z(axis);
                }
                body.position.x += 0.0501 * side;
                body.velocity = {-3 * side, 0.7 * axis.y, 0.7 * axis.z};
                body.angular_velocity = 20.0 * axis;
                world.add(body);
            }
        }
    };
    World alone(one_thread(exact(2e-3, {0, 0, 0})));
    World spread(one_thread(exact(2e-3, {0, 0, 0})));
    spread.distribute(all(), {{n, 1, 1}, {0, 0, 0}, {double(n), 1, 1}});
    collisions(alone);
    collisions(spread);
    int shared = 0;
    std::size_t compared = 0;
    for (int step = 0; step < 15; ++step) {
        alone.step();
        shared = std::max(shared, spread.step().bodies_on_several_ranks);
        std::vector<StepContact> found = spread.contact_problems(),
                                 wanted = alone.contact_problems();
        if (!is_first()) {
            EXPECT_TRUE(found.empty());
            continue;
        }
        ASSERT_EQ(found.size(), wanted.size());
        for (auto* some : {&found, &wanted}) {
            std::sort(some->begin(), some->end(), [](const StepContact& a, const StepContact& b) {
                return a.problem.A.nn < b.problem.A.nn;
            });
        }
        // Which body comes first decides where tangents point: what does not depend on them.
        const auto facts = [](const StepContact& c) {
            const auto& [A, b, beta, mu] = c.problem;
            const auto most = solve_contact(c.problem, Law::max_dissipation);
            return std::array{A.nn,
                              A.tt + A.oo,
                              std::hypot(A.nt, A.no),
                              b.n,
                              std::hypot(b.t, b.o),
                              beta,
                              mu,
                              c.impulse.n,
                              std::hypot(c.impulse.t, c.impulse.o),
                              most.x.n,
                              solve_contact(c.problem, Law::coulomb).certificate.energy};
        };
        for (std::size_t i = 0; i < wanted.size(); ++i, ++compared) {
            const auto here = facts(found[i]), there = facts(wanted[i]);
            for (std::size_t k = 0; k < here.size(); ++k) {
                EXPECT_NEAR(here[k], there[k], 1e-8 * std::abs(there[k]) + 1e-10) << i << ' ' << k;
            }
        }
    }
    EXPECT_GT(shared, n > 1 ? 20 : -1) << "hardly any pair was on a border";
    EXPECT_TRUE(compared > 15 || !is_first()) << compared;
}

TEST(Ranks, BodiesComeAndGo)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.period.x = 0.2;
    World world = heap(s, 10, 3, 2, 13);
    world.distribute(all());
    std::size_t removed = 0, inserted = 0;
    for (int step = 0; step < 60; ++step) {
        if (step % 10 == 5) {
            Body body = sphere(0.008, {0.02 + 0.003 * step, 0.03, 0.2}, {0.5, 0, -1});
            body.id = 1000 + std::uint64_t(step);
            world.add(body);
            EXPECT_THROW(world.add(body), Error);
            ++inserted;
            EXPECT_EQ(world.body(*body.id).position.x, body.position.x);
        }
        removed += world.remove_inside({{0.05, -1, -1}, {0.0525, 1, 1}}).count;
        ASSERT_EQ(world.step()[Condition::energy_unbalanced].count, 0U) << step;
    }
    EXPECT_GT(removed, 3U);
    EXPECT_EQ(world.dynamic_count(), 60 + inserted - removed);
    EXPECT_TRUE(world.bodies_in({{0.05, -1, -1}, {0.0525, 1, 1}}).size() > 0);
    const BodyId some = world.bodies_in({{0.1, 0, 0}, {0.2, 0.06, 0.1}}).back();
    EXPECT_TRUE(world.contains(some));
    world.remove(some);
    EXPECT_FALSE(world.contains(some));
    EXPECT_THROW(world.remove(some), Error);
    const Frame frame = world.frame();
    std::vector<BodyId> ids = WholeFrame(frame).ids;
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
    EXPECT_EQ(ids.size(), world.dynamic_count());
    EXPECT_EQ(frame.ids.size() - frame.dynamic_count, world.body_count() - world.dynamic_count());
}

/// A boulder that touches bodies of all ranks rests on them.
TEST(Ranks, AHugeBodyIsSharedByAll)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.sweeps = 100;
    World world(s);
    world.distribute(all());
    world.add(obstacle(Shape::half_space(), {0, 0, 0}));
    for (int x = 0; x < 12; ++x) {
        for (int y = 0; y < 3; ++y) {
            world.add(sphere(0.01, {0.02 * x, 0.02 * y, 0.01}));
        }
    }
    const BodyId plate = world.add(block({0.26, 0.06, 0.02}, {0.11, 0.02, 0.0305}));
    for (int step = 0; step < 50; ++step) {
        ASSERT_EQ(world.step()[Condition::energy_unbalanced].count, 0U);
    }
    EXPECT_NEAR(world.body(plate).position.z, 0.03, 1e-4);
    EXPECT_LT(norm(world.body(plate).velocity), 1e-3);
    EXPECT_GE(world.report().split_copies, 2);  // of the plate: it has 36 spheres below it
    if (all()->size() > 1) {
        EXPECT_GE(world.report().bodies_on_several_ranks, all()->size());
    }
}

/// How much more than the mean the slowest rank has to do with a heap n spheres long, half of which
/// stays while the other half goes through and beyond it.
double imbalance_of_a_drifting_heap(int n)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.gravity = {0, 0, 0};
    s.sweeps = 50;
    s.tolerance = 0;
    World world(s);
    world.distribute(all());
    for (int z = 0; z < 8; ++z) {
        for (int y = 0; y < 8; ++y) {
            for (int x = 0; x < n; ++x) {
                const Vec at{0.02 * x, 0.02 * y, 0.02 * z + (x < n / 2 ? 0 : 0.01)};
                world.add(sphere(0.01, at, {x < n / 2 ? 0.0 : 5.0, 0, 0}));
            }
        }
    }
    double mean = 0;
    const int steps = 60;
    for (int step = 0; step < steps; ++step) {
        const double now = world.step().load_imbalance;
        EXPECT_GE(now, 1);
        mean += now / steps;
    }
    return mean;
}

// A heap that drifts through space is shared out anew by and by. It has as many spheres for each
// rank, whatever their number: where it flies through whole pieces from list to list, new cuts
// would cost more than waiting does.
TEST(Ranks, WorkStaysBalanced)
{
    const int ranks = all()->size();
    if (ranks <= 8) {  // more cross a good part of their pieces from list to list
        EXPECT_LT(imbalance_of_a_drifting_heap(14), 1.2);
    }
    EXPECT_LT(imbalance_of_a_drifting_heap(7 * std::max(ranks, 2)), 1.2);
}

/// A heap of 768 spheres for each rank that drifts over a floor. Returns the largest imbalance of
/// its steps, and what it was in the last.
std::pair<double, double> imbalance_of_a_heap_on_its_way(const Partition& partition)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.sweeps = 20;
    s.tolerance = 0;
    World world(s);
    world.distribute(all(), partition);
    world.set_surface(0, 0, {0.3, 0});
    world.add(obstacle(Shape::half_space()));
    const int n = 12 * all()->size();
    for (int i = 0; i < 64 * n; ++i) {
        const auto spread = [&](std::uint64_t axis) {
            return math::uniform(3, static_cast<std::uint64_t>(i), axis, -1e-4, 1e-4);
        };
        world.add(sphere(0.01,
                         {0.0203 * (i % n) + spread(0), 0.0203 * (i / n % 8) + spread(1),
                          0.0102 + 0.0203 * (i / n / 8) + spread(2)},
                         {1, 0, 0}));
    }
    double most = 1, last = 1;
    for (int step = 0; step < 150; ++step) {
        last = world.step().load_imbalance;
        most = std::max(most, last);
    }
    return {most, last};
}

// A heap that drifts across space by more than half of a rank's piece keeps the slowest rank within
// 1.2 times the mean, in every step. Pieces that stay where they are do not.
TEST(Ranks, WorkOfADriftingHeapStaysBalanced)
{
    EXPECT_LT(imbalance_of_a_heap_on_its_way({}).first, 1.2);
    const int n = all()->size();
    const Partition even{{n, 1, 1}, {-0.01, -1, -1}, {0.2436 * n - 0.01, 1, 1}};
    EXPECT_GT(imbalance_of_a_heap_on_its_way(even).second, n > 1 ? 1.3 : 0.9);
}

// A heap on a floor, half of which slides into the other: in hardly any step has the slowest rank a
// fifth more to do than the mean.
TEST(Ranks, WorkOfASlidingHeapStaysBalanced)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.sweeps = 50;
    s.tolerance = 0;
    World world(s);
    world.distribute(all());
    world.set_surface(0, 0, {0.1, 0});
    world.add(obstacle(Shape::half_space()));
    const int n = 5 * std::max(all()->size(), 2);
    for (int i = 0; i < 48 * n; ++i) {
        const auto spread = [&](std::uint64_t axis) {
            return math::uniform(3, static_cast<std::uint64_t>(i), axis, -1e-4, 1e-4);
        };
        const int x = i % n;
        world.add(sphere(0.01,
                         {0.0203 * x + spread(0), 0.0203 * (i / n % 8) + spread(1),
                          0.0102 + 0.0203 * (i / n / 8) + spread(2)},
                         {x < n / 2 ? 1.0 : 0.0, 0, 0}));
    }
    const int steps = 100;
    double mean = 0;
    int uneven = 0;
    for (int step = 0; step < steps; ++step) {
        const double now = world.step().load_imbalance;
        mean += now / steps;
        uneven += now > 1.2 ? 1 : 0;
    }
    EXPECT_LT(mean, 1.15);
    EXPECT_LE(uneven, steps / 12);
}

// The first cuts know no contacts, and at rest nothing asks for a new list: but for the ranks that
// wait. Where cuts cannot help there are none.
TEST(Ranks, WorkIsSharedOutAnewAtRest)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.sweeps = 30;
    s.tolerance = 0;
    for (const int rows : {1, 40}) {
        World world(s);
        world.distribute(all());
        world.add(obstacle(Shape::half_space()));
        for (int x = 0; x < rows; ++x) {
            for (int y = 0; y < 5; ++y) {
                world.add(block({0.019, 0.019, 0.02}, {0.02 * x, 0.02 * y, 0.01}));
                world.add(sphere(0.01, {2 + 0.021 * x, 0.021 * y, 0.01}));
            }
        }
        std::size_t lists = 0;
        for (int step = 0; step < 100; ++step) {
            lists += world.step().list_rebuilt ? 1 : 0;
        }
        if (rows > 1) {
            EXPECT_LT(world.report().load_imbalance, 1.12);
        }
        EXPECT_LE(lists, 3U);
    }
}

TEST(Ranks, APartitionThatDoesNotFitIsRefused)
{
    World world;
    EXPECT_THROW(world.distribute(all(), {{all()->size() + 1, 1, 1}, {}, {}}), Error);
    EXPECT_THROW(world.distribute(all(), {{0, 1, 1}, {}, {}}), Error);
}

}  // namespace

int main(int argc, char** argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    const std::string_view name = argc > 1 ? argv[1] : "";
    test::device = name == "emulated" ? emulated_gpu : name == "cuda" ? 0 : no_gpu;
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    if (ranks->rank() > 0) {
        // The first rank speaks; failures are printed by all.
        auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
        class Failures : public ::testing::EmptyTestEventListener {
            void OnTestPartResult(const ::testing::TestPartResult& result) override
            {
                if (result.failed()) {
                    std::fprintf(stderr, "rank %d: %s:%d: %s\n", mpi_ranks()->rank(),
                                 result.file_name(), result.line_number(), result.message());
                }
            }
        };
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new Failures);
    }
    return RUN_ALL_TESTS();
}
