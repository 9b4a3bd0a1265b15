// The stage narrow_phase of a device, run by the host's loops, against the CPU's; and the one point
// of a sphere against the manifold that it would be in.
#include "device/narrow_phase.hpp"

#include "exec/serial_loops.hpp"
#include "stages/candidates/pair_points.hpp"

namespace scree::test {
namespace {

TEST(DeviceNarrowPhase, FindsThePointsOfEveryTwoKinds)
{
    compare_all_kinds<exec::HostLoops>(400, 40);
}

constexpr ShapeKind closed_forms[]{
    ShapeKind::box,        ShapeKind::capsule,       ShapeKind::cylinder,   ShapeKind::profile,
    ShapeKind::half_space, ShapeKind::cylinder_wall, ShapeKind::sphere_wall};

TEST(DeviceNarrowPhase, FindsSpheresOnWhatIsPrescribed)
{
    for (const ShapeKind kind : closed_forms) {
        DrawnPairs drawn = draw_pairs({{ShapeKind::sphere, kind}}, 400);
        for (const state::BodyPair& pair : drawn.list.pair) {
            drawn.bodies.flags[pair.second] |= state::flag_prescribed;
        }
        EXPECT_GT(6 * compare_narrow_phases<exec::HostLoops>(drawn).points, 400U);
    }
}

/// Bodies of a periodic box may be an image away from what they touch, and at −0.
DrawnPairs draw_in_box(const TwoKinds& kinds, std::size_t count)
{
    DrawnPairs drawn = draw_pairs({kinds}, count);
    const double length = 100;
    for (std::size_t p = 0; p < count; ++p) {
        const state::BodyPair pair = drawn.list.pair[p];
        shapes::Ball& ball = drawn.bodies.ball[pair.first];
        if (p % 5 == 0) {
            ball.x = -0.0;
        }
        if (p % 3 == 0 && !is_wall(kinds.b)) {
            ball.y += ball.y < 0 ? length : -length;
        }
    }
    if (!is_wall(kinds.b)) {
        drawn.model.box.length[1] = length;
    }
    return drawn;
}

TEST(NarrowPhase, TheOnePointOfASphereIsItsManifold)
{
    constexpr std::size_t count = 4000;
    for (const ShapeKind kind : closed_forms) {
        ASSERT_EQ(shapes::method_of(ShapeKind::sphere, kind), shapes::Method::distance);
        DrawnPairs drawn = draw_in_box({ShapeKind::sphere, kind}, count);
        const state::ModelView model = view(drawn.model);
        const state::BodyView bodies = view(drawn.bodies);
        const state::PairView list = view(drawn.list);
        std::size_t touching = 0, apart = 0;
        for (std::size_t p = 0; p < count; ++p) {
            const state::BodyPair pair = drawn.list.pair[p];
            if (!candidates::touches_once(model, bodies, pair)) {
                continue;
            }
            const double reach = candidates::candidate_margin(model, bodies, pair, drawn.spare);
            shapes::Manifold all;
            candidates::find_points(model, bodies, list, p, reach, all);
            shapes::ContactPoint x;
            ASSERT_EQ(all.count, candidates::find_point(model, bodies, pair, reach, x) ? 1 : 0)
                << name_of(kind) << ", pair " << p;
            (all.count > 0 ? touching : apart) += 1;
            if (all.count > 0) {
                const shapes::ContactPoint& y = all.points[0];
                EXPECT_TRUE(std::memcmp(&x.point, &y.point, sizeof x.point) == 0 &&
                            std::memcmp(&x.normal, &y.normal, sizeof x.normal) == 0 &&
                            std::memcmp(&x.gap, &y.gap, sizeof x.gap) == 0 &&
                            x.feature == y.feature)
                    << name_of(kind) << ", pair " << p;
            }
        }
        EXPECT_GT(touching, 100U) << name_of(kind);
        EXPECT_GT(apart, 100U) << name_of(kind);
    }
}

TEST(NarrowPhase, TheSamePointsWhicheverBodyIsListedFirst)
{
    constexpr std::size_t count = 400;
    for (const TwoKinds& kinds : all_two_kinds()) {
        if (is_wall(kinds.b)) {
            continue;
        }
        DrawnPairs drawn = draw_in_box(kinds, count);
        const state::ModelView model = view(drawn.model);
        const state::BodyView bodies = view(drawn.bodies);
        std::size_t compared = 0;
        for (const state::BodyPair& pair : drawn.list.pair) {
            if ((bodies.flags[pair.first] & bodies.flags[pair.second] & state::flag_round) != 0) {
                continue;  // which has no points yet
            }
            const state::BodyPair turned{pair.second, pair.first};
            shapes::Manifold one, other;
            candidates::find_candidate_points(model, bodies, {&pair, 1}, 0, drawn.spare, one);
            candidates::find_candidate_points(model, bodies, {&turned, 1}, 0, drawn.spare, other);
            ASSERT_EQ(one.count, other.count) << name_of(kinds) << ", pair " << pair.first;
            // The points, seen from the two bodies' own images.
            const shapes::Ball &a = bodies.ball[pair.first], &b = bodies.ball[pair.second];
            const Vec3<double> between = image_difference(a, b, drawn.model.box);
            const Vec3<double> shift = (Vec3<double>{a.x - b.x, a.y - b.y, a.z - b.z}) - between;
            for (int k = 0; k < one.count; ++k, ++compared) {
                const shapes::ContactPoint &x = one.points[k], &y = other.points[k];
                const double size = norm(x.point) + norm(shift) + a.r + b.r;
                EXPECT_TRUE(x.gap == y.gap && x.feature == y.feature &&
                            norm(x.normal + y.normal) == 0 &&
                            norm(x.point - y.point - shift) <= 1e-15 * size)
                    << name_of(kinds) << ", pair " << pair.first;
            }
        }
        EXPECT_GT(compared, kinds.b == ShapeKind::sphere ? 10U : count / 6) << name_of(kinds);
    }
}

}  // namespace
}  // namespace scree::test
