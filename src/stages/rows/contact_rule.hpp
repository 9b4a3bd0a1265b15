// The rules of this stage on one contact, for host and device alike: from two bodies
// and a contact point to a row.
#pragma once

#include "law/reduced.hpp"
#include "math/tensor.hpp"
#include "shapes/sphere_pairs.hpp"
#include "shapes/support.hpp"
#include "stages/rows/round_row_rule.hpp"
#include "stages/rows/row_access.hpp"
#include "state/rows.hpp"
#include "state/views.hpp"

namespace scree::rows {

/// A = Σ over both bodies of 1/m + (r × d_i)ᵀ I⁻¹ (r × d_j), d = n, t, o.
SCREE_HD void add_block(const Vec3<double>& lever, const Vec3<double> (&d)[3], double inverse_mass,
                        const Sym3<double>& inertia, DelassusBlock<double>& A)
{
    Vec3<double> c[3], Ic[3];
    for (int i = 0; i < 3; ++i) {
        c[i] = cross(lever, d[i]);
        Ic[i] = inertia * c[i];
    }
    A.nn += inverse_mass + dot(c[0], Ic[0]);
    A.nt += dot(c[0], Ic[1]);
    A.no += dot(c[0], Ic[2]);
    A.tt += inverse_mass + dot(c[1], Ic[1]);
    A.to += dot(c[1], Ic[2]);
    A.oo += inverse_mass + dot(c[2], Ic[2]);
}

/// How much of a block's change is applied where a split body's copies, lighter than the body, take
/// it: the block is that of the body, so that the law is, and the copies' velocities are theirs.
SCREE_HD double share(double copies_a, double A_a, double copies_b, double A_b)
{
    return copies_a == 1 && copies_b == 1 ? 1 : (A_a + A_b) / (copies_a * A_a + copies_b * A_b);
}

/// What a pair's contacts have in common.
struct PairFacts {
    state::BodyPair pair;
    const ContactMaterial* surface;
    double mu, copies_a, copies_b;
    bool prescribed, wall;  ///< the second body
    Vec3<double> between;  ///< from the second body's centre of mass to the first's, nearest images
};

SCREE_HD double friction_of(const Settings& s, const ContactMaterial& surface)
{
    return s.law == Law::frictionless ? 0 : surface.friction;
}

SCREE_HD PairFacts facts_of(const state::ModelView& model, const state::BodyView& bodies,
                            state::BodyPair pair, const std::uint32_t* copies_of)
{
    const shapes::Ball& a = bodies.ball[pair.first];
    const shapes::Ball& b = bodies.ball[pair.second];
    PairFacts f;
    f.pair = pair;
    f.surface = model.materials == 1
                    ? model.surfaces
                    : &model.surface(model.prototypes[bodies.prototype[pair.first]].material,
                                     model.prototypes[bodies.prototype[pair.second]].material);
    f.mu = friction_of(model.settings, *f.surface);
    f.copies_a = copies_of != nullptr ? copies_of[pair.first] : 1;
    f.copies_b = copies_of != nullptr ? copies_of[pair.second] : 1;
    f.prescribed = pair.second >= bodies.dynamic_count;
    f.wall = pair.second >= bodies.bounded_count;
    f.between =
        f.wall ? Vec3<double>{a.x - b.x, a.y - b.y, a.z - b.z} : image_difference(a, b, model.box);
    return f;
}

/// The parts of a round row, which `prepare` makes whole. A sphere that touches something
/// else than a sphere has the row of a ball that touches in the same place with the same gap, and
/// is as large as that body if it is the smaller one. `point` is null for two spheres.
SCREE_HD RoundRow<double> round_parts(const state::ModelView& model, const state::BodyView& bodies,
                                      const PairFacts& f, const shapes::ContactPoint* point,
                                      const Vec3<double>& old_impulse)
{
    const Settings& s = model.settings;
    const double radius_a = bodies.ball[f.pair.first].r;
    double radius_b = bodies.ball[f.pair.second].r;
    Vec3<double> to_first = f.between;
    if (point != nullptr) {
        const bool smaller = radius_of_gap(radius_a, radius_b) < radius_a;
        radius_b = smaller ? radius_b : 4 * radius_a + math::larger(0.0, -point->gap);
        to_first = (radius_a + radius_b + point->gap) * point->normal;
    }
    return {to_first,    s.warm_start * old_impulse, radius_a,
            radius_b,    f.surface->restitution,     f.mu,
            s.relaxation};
}

/// The point of two spheres that do not have a round row.
SCREE_HD shapes::ContactPoint point_of_spheres(const state::BodyView& bodies, const PairFacts& f)
{
    const shapes::Ball& a = bodies.ball[f.pair.first];
    const shapes::Ball& b = bodies.ball[f.pair.second];
    const auto [normal, gap] = shapes::round_contact(f.between, a.r, b.r);
    return {Vec3<double>{a.x, a.y, a.z} - (a.r + gap / 2) * normal, normal, gap, 0};
}

/// What set-up learns of a contact with a general row.
struct GeneralPrepared {
    double gap, radius, speed2;
    bool bounces, degenerate;
};

/// Makes a general row. `start` is what the contact had in the last step.
SCREE_LONG GeneralPrepared prepare(const state::ModelView& model, const state::BodyView& bodies,
                                   const PairFacts& f, const shapes::ContactPoint& point,
                                   Vec3<double> start, GeneralRow<double>& row)
{
    using Vec = Vec3<double>;
    const Settings& s = model.settings;
    const shapes::Ball& a = bodies.ball[f.pair.first];
    const shapes::Ball& b = bodies.ball[f.pair.second];
    const state::VelocityLine& va = bodies.velocity_before[f.pair.first];
    const state::VelocityLine& vb = bodies.velocity_before[f.pair.second];
    GeneralPrepared out;
    out.gap = point.gap;
    out.radius = radius_of_gap(a.r, b.r);
    const Vec normal = point.normal;
    row.lever_a = point.point - Vec{a.x, a.y, a.z};
    row.lever_b = row.lever_a + f.between;
    const Vec dv =
        point_velocity(va.v, va.w, row.lever_a) - point_velocity(vb.v, vb.w, row.lever_b);
    out.speed2 = dot(dv, dv);
    const double fall = f.prescribed ? s.time_step * dot(normal, s.gravity) : 0;
    row.shift = rows::gap_term(constants_of(s), out.gap, out.radius, f.surface->restitution,
                               dot(normal, dv), fall, out.bounces);
    start = dot(normal, start) > 0 && !out.bounces ? s.warm_start * start : Vec{0, 0, 0};
    const Vec tangent = shapes::across(normal);
    const Vec frame[3] = {normal, tangent, cross(normal, tangent)};
    DelassusBlock<double> A{0, 0, 0, 0, 0, 0};
    add_block(row.lever_a, frame, va.inverse_mass, bodies.inertia[f.pair.first].inverse, A);
    const double A_a = A.nn;
    add_block(row.lever_b, frame, vb.inverse_mass, bodies.inertia[f.pair.second].inverse, A);
    const double A_b = A.nn - A_a;
    const ContactProblem<double> problem{A, {0, 0, 0}, 0, f.mu};
    out.degenerate = !law::valid(problem, law::reduce(A));
    if (out.degenerate) {
        start = {0, 0, 0};
    }
    const double weight = s.relaxation * share(f.copies_a, A_a, f.copies_b, A_b);
    row.n = normal;
    row.t = tangent;
    row.A = A;
    row.impulse = {dot(frame[0], start), dot(frame[1], start), dot(frame[2], start)};
    row.objective_shift = s.gap_form == GapForm::plane_only ? 0 : row.shift;
    row.mu = f.mu;
    row.weight = out.bounces ? -weight : weight;
    return out;
}

/// Of a round row what does not follow from the bodies: which they are, and the impulse to start
/// from.
template <class T, int lanes>
SCREE_HD void store_start(const Vec3<double>& impulse, state::BodyPair slot,
                          state::RoundBlockOf<T, lanes>& block, std::uint32_t lane)
{
    block.impulse[0][lane] = static_cast<T>(impulse.x);
    block.impulse[1][lane] = static_cast<T>(impulse.y);
    block.impulse[2][lane] = static_cast<T>(impulse.z);
    block.slot[0][lane] = slot.first;
    block.slot[1][lane] = slot.second;
}
template <class T, int lanes>
SCREE_HD void store(const RoundRow<double>& row, state::BodyPair slot,
                    state::RoundBlockOf<T, lanes>& block, std::uint32_t lane)
{
    state::for_each_round_field(block, row, StoreField{lane});
    block.slot[0][lane] = slot.first;
    block.slot[1][lane] = slot.second;
}

SCREE_HD void store(const GeneralRow<double>& row, state::BodyPair slot, state::GeneralBlock& block,
                    std::uint32_t lane)
{
    state::for_each_general_field(block, row, StoreField{lane});
    block.slot[0][lane] = slot.first;
    block.slot[1][lane] = slot.second;
}

/// Rows of lanes that are not used: contacts far from closing between idle lines.
template <class T, int lanes>
SCREE_HD void store_idle_round(state::BodyPair slot, state::RoundBlockOf<T, lanes>& block,
                               std::uint32_t lane)
{
    store(RoundRow<double>{{1, 0, 0}, {0, 0, 0}, 0, 0, 1, 0, 1}, slot, block, lane);
}
SCREE_HD void store_idle_general(state::BodyPair slot, state::GeneralBlock& block,
                                 std::uint32_t lane)
{
    store(
        GeneralRow<double>{
            {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0, 1, 0, 1}, {0, 0, 0}, 1, 1, 0, 1},
        slot, block, lane);
}

/// The impulse of a row in the world frame, on its first body.
template <class T, int lanes>
SCREE_HD Vec3<double> impulse_of(const state::RoundBlockOf<T, lanes>& c, std::uint32_t lane)
{
    return {c.impulse[0][lane], c.impulse[1][lane], c.impulse[2][lane]};
}
SCREE_HD Vec3<double> impulse_of(const state::GeneralBlock& c, std::uint32_t lane)
{
    const Vec3<double> normal{c.n[0][lane], c.n[1][lane], c.n[2][lane]};
    const Vec3<double> tangent{c.t[0][lane], c.t[1][lane], c.t[2][lane]};
    return c.impulse[0][lane] * normal + c.impulse[1][lane] * tangent +
           c.impulse[2][lane] * cross(normal, tangent);
}

}  // namespace scree::rows
