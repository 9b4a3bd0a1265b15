// Relaxation, bounces and the restitution guard on a device's rows, run by the host's loops,
// against the CPU's packs: all bits of rows, velocities and reports.
#include "stages/relax/device_relax.hpp"

#include "device/group_sweeper.hpp"
#include "device/pile.hpp"
#include "exec/serial_loops.hpp"
#include "scree/contact.hpp"
#include "stages/relax/bounce.hpp"
#include "stages/relax/host_restitution_guard.hpp"
#include "stages/velocities/integrate_velocity.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace scree::test {
namespace {

using exec::HostLoops;

template <class A, class B> bool same_bytes(const A& a, const B& b)
{
    return a.size() == b.size() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof *a.data()) == 0);
}

/// What a device holds of a pile.
struct DevicePile {
    exec::HostLoops loops;
    state::BodyColumns<exec::HostLoops> bodies;
    state::ListColumns<exec::HostLoops> list;
    exec::HostLoops::Buffer<state::Prototype> prototypes;
    exec::HostLoops::Buffer<ContactMaterial> surfaces;
    exec::HostLoops::Buffer<state::RoundRowsOf<double>> round;
    exec::HostLoops::Buffer<state::GeneralBlock> general;
    device::GroupSweeper sweeper;
    relax::DeviceRelaxation<exec::HostLoops, device::GroupSweeper, double> rows{loops, sweeper};

    explicit DevicePile(Pile& pile)
    {
        const auto load = [&](auto& to, const auto& from) {
            to.fit(from.size());
            loops.upload(from.data(), to.data(), from.size());
        };
        bodies.for_each_column(pile.bodies, load);
        bodies.dynamic_count = pile.bodies.dynamic_count;
        bodies.bounded_count = pile.bodies.bounded_count;
        bodies.count = pile.bodies.count();
        load(list.splits, pile.list.splits);
        list.copy_count = pile.list.copy_count;
        load(prototypes, pile.model.prototypes);
        load(surfaces, pile.model.surfaces);
        round.fit(pile.rows.round.size());  // more than enough
        loops.fill_bytes(round.data(), 0, round.size());
        for_rows(pile.rows.round, [](auto& here, const auto& there) { here = there; });
        load(general, pile.rows.general);
        sweeper.groups = pile.rows.groups;
        rows.refer_to({pile.model.settings, prototypes.data(), surfaces.data(),
                       pile.model.materials, pile.model.box},
                      bodies.view(), list,
                      {round.data(), pile.rows.round.size(), general.data(), general.size()});
    }
    /// f(number here, number there) for all numbers of round rows, which lie in wider blocks here.
    template <class F> void for_rows(const std::vector<state::RoundBlock>& blocks, const F& f)
    {
        for (std::size_t at = 0; at < blocks.size() * state::block_lanes; ++at) {
            const state::RoundPlace to(at);
            state::RoundRowsOf<double>& here = round.data()[to.block];
            const state::RoundBlock& there = blocks[at / state::block_lanes];
            const std::size_t lane = at % state::block_lanes;
            for (int k = 0; k < 3; ++k) {
                f(here.n[k][to.lane], there.n[k][lane]);
                f(here.impulse[k][to.lane], there.impulse[k][lane]);
            }
            for (int k = 0; k < 2; ++k) {
                f(here.lever[k][to.lane], there.lever[k][lane]);
                f(here.slot[k][to.lane], there.slot[k][lane]);
            }
            f(here.shift[to.lane], there.shift[lane]);
            f(here.mu[to.lane], there.mu[lane]);
            f(here.weight[to.lane], there.weight[lane]);
        }
    }
};

/// What happened, as far as tests have to know.
struct Course {
    relax::RelaxReport first, second;
    relax::ContactWork work;
    std::size_t bounces = 0;
    bool restitution_reduced = false;
};

/// All that a step does with rows, on both.
class Both {
public:
    explicit Both(Pile pile) : host_(std::move(pile)), device_(host_) {}

    Course run()
    {
        Course course;
        velocities::integrate_velocity(host_.model, host_.bodies);
        device_.rows.push();
        compare("push");
        course.first = relax();
        course.work = account();

        const double least = host_.model.settings.tolerance;
        std::vector<state::Bounce> bounces;
        relax::choose_bounces(host_.model, host_.bodies, host_.list, host_.count, host_.row_of,
                              least, host_.rows, bounces);
        course.bounces = bounces.size();
        EXPECT_EQ(device_.rows.choose_bounces(least), bounces.size());
        compare("bounces");
        guard_.keep_inelastic(host_.model, host_.rows);
        device_guard_.keep_inelastic(device_.rows);
        velocities::integrate_velocity(host_.model, host_.bodies);
        device_.rows.push();
        course.second = relax();
        course.restitution_reduced = guard_.run(host_.model, host_.bodies, host_.list, bounces,
                                                host_.rows, relaxation_, nullptr);
        EXPECT_EQ(device_guard_.run(device_.rows), course.restitution_reduced);
        compare("guard");
        account();
        const double residual =
            relaxation_.measure(host_.model, host_.bodies, host_.list, host_.rows, nullptr);
        EXPECT_EQ(device_.rows.measure(), residual);
        return course;
    }

private:
    relax::RelaxReport relax()
    {
        const double scale = 0.1;
        const relax::RelaxReport a =
            relaxation_.run(host_.model, host_.bodies, host_.list, host_.rows, scale, nullptr);
        const relax::RelaxReport b = relax::relax(device_.rows, host_.model.settings,
                                                  !host_.list.splits.empty(), scale, memory_);
        EXPECT_EQ(a.sweeps, b.sweeps);
        EXPECT_EQ(a.accelerated_sweeps, b.accelerated_sweeps);
        EXPECT_EQ(a.residual, b.residual);
        compare("relax");
        return a;
    }
    relax::ContactWork account()
    {
        const relax::ContactWork a =
            relaxation_.account(host_.model, host_.bodies, host_.list, host_.rows, nullptr);
        const relax::ContactWork b = device_.rows.account();
        EXPECT_EQ(a.normal, b.normal);
        EXPECT_EQ(a.friction, b.friction);
        EXPECT_EQ(a.wall, b.wall);
        EXPECT_EQ(a.correction, b.correction);
        EXPECT_EQ(a.gap, b.gap);
        EXPECT_EQ(a.restitution, b.restitution);
        EXPECT_EQ(a.active, b.active);
        compare("account");
        return a;
    }
    void compare(const char* after)
    {
        bool same_rows = true;
        device_.for_rows(host_.rows.round, [&](const auto& here, const auto& there) {
            same_rows = same_rows && std::memcmp(&here, &there, sizeof here) == 0;
        });
        EXPECT_TRUE(same_rows) << after;
        EXPECT_TRUE(same_bytes(host_.rows.general, device_.general)) << after;
        EXPECT_TRUE(same_bytes(host_.bodies.velocity, device_.bodies.velocity)) << after;
        EXPECT_TRUE(same_bytes(host_.bodies.velocity_before, device_.bodies.velocity_before))
            << after;
    }

    Pile host_;
    DevicePile device_;
    relax::Relaxation relaxation_;
    relax::RelaxMemory<exec::HostLoops> memory_;
    relax::RestitutionGuard guard_;
    relax::GuardControl<exec::HostLoops> device_guard_;
};

Settings settings_of(Law law)
{
    Settings s;
    s.time_step = 1e-3;
    s.law = law;
    s.sweeps = 40;
    s.tolerance = 1e-6;
    return s;
}

Course course_of(const Settings& settings, const PileKind& kind, int threads = 1)
{
    Pile pile(settings, kind);
    pile.model.isa = default_instruction_set();
    pile.model.threads = threads;
    return Both(std::move(pile)).run();
}

class AnyLaw : public testing::TestWithParam<Law> {};

TEST_P(AnyLaw, StalledPilesAreAcceleratedAlike)
{
    PileKind kind;
    kind.high = 12;
    const Course course = course_of(settings_of(GetParam()), kind);
    EXPECT_GT(course.first.sweeps, 10);
    EXPECT_GT(course.first.accelerated_sweeps, 0);
    EXPECT_GT(course.work.active, 100U);
}

TEST_P(AnyLaw, SplitBodiesAreBroughtTogetherAlike)
{
    PileKind kind;
    kind.across = 6;
    kind.boulder_mass = 20;
    const Course course = course_of(settings_of(GetParam()), kind);
    EXPECT_GT(course.first.accelerated_sweeps, 0);
    EXPECT_GT(course.work.active, 100U);
}

TEST_P(AnyLaw, BouncesAreGuardedAlike)
{
    int restitution_reduced = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        PileKind kind;
        kind.speed = 1;
        kind.restitution = 1;
        kind.across = 3;
        kind.boulder_mass = seed % 2 == 0 ? 5 : 0;
        kind.seed = seed;
        const Course course = course_of(settings_of(GetParam()), kind);
        EXPECT_GT(course.bounces, 20U);
        restitution_reduced += course.restitution_reduced ? 1 : 0;
    }
    EXPECT_GT(restitution_reduced, 0);
}

INSTANTIATE_TEST_SUITE_P(DeviceRelaxation, AnyLaw,
                         testing::Values(Law::max_dissipation, Law::coulomb, Law::frictionless,
                                         Law::projected),
                         [](const auto& test) {
                             std::string name(name_of(test.param));
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(DeviceRelaxation, FollowSettingsThatChangeTheCourse)
{
    PileKind kind;
    kind.across = 6;
    kind.boulder_mass = 20;
    Settings s = settings_of(Law::max_dissipation);
    s.tolerance = 0;
    EXPECT_EQ(course_of(s, kind).first.sweeps, s.sweeps);
    s = settings_of(Law::max_dissipation);
    s.accelerate = false;
    EXPECT_EQ(course_of(s, kind).first.accelerated_sweeps, 0);
    s = settings_of(Law::projected);
    s.relaxation = 0.8;
    EXPECT_GT(course_of(s, kind).first.accelerated_sweeps, 0);
    s = settings_of(Law::coulomb);
    s.warm_start = 0;
    s.sweeps = 23;
    EXPECT_EQ(course_of(s, kind).first.sweeps, 23);
    s = settings_of(Law::max_dissipation);
    s.sweeps = 60;
    const int sweeps = course_of(s, {.high = 1}).first.sweeps;  // ends at the goal
    EXPECT_GT(sweeps, 5);
    EXPECT_LT(sweeps, s.sweeps);
}

/// Enough rows for several chunks of sums and for several threads.
TEST(DeviceRelaxation, RelaxALargePileOnTwoThreads)
{
    PileKind kind;
    kind.across = 12;
    kind.high = 8;
    kind.boulder_mass = 50;
    kind.restitution = 0.9;
    kind.speed = 0.5;
    Settings s = settings_of(Law::max_dissipation);
    s.sweeps = 20;
    const Course course = course_of(s, kind, 2);
    EXPECT_GT(course.work.active, 1024U);
    EXPECT_GT(course.first.accelerated_sweeps, 0);
    EXPECT_GT(course.bounces, 100U);
}

}  // namespace
}  // namespace scree::test
