#include "contact/setup.hpp"

#include "collide/support.hpp"
#include "exec/parallel.hpp"
#include "law/reduced.hpp"
#include "math/rigid.hpp"

#include <algorithm>
#include <cmath>

namespace scree::contact {

namespace {

using Vec = Vec3<double>;
using collide::BodyPair;

/// Touching: within this part of the smaller body's radius.
constexpr double touching_gap = 2e-5;

struct Velocities {
    Vec a, b;  ///< of the contact point as part of either body
};

/// The gap term of one contact.
struct Shift {
    double plane, objective;
    bool bounces;
};

/// g = ε min(0, ξ/δt) + max(0, ξ/δt); a contact that bounces leaves with −e v_n⁻ instead, whatever
/// its gap, in the step in which it would close.
Shift shift_of(const Settings& s, double gap, double restitution, double approach, double fall)
{
    const double h = s.time_step;
    const double speed = -approach;
    if (restitution > 0 && speed > s.restitution_threshold && gap + h * (approach + fall) <= 0) {
        return {-restitution * speed, 0, true};
    }
    const double rate = gap / h;
    const double g = rate < 0 ? s.error_reduction * rate : rate;
    return {g, s.gap_form == GapForm::shifted ? g : 0, false};
}

/// A = Σ over both bodies of 1/m + (r × d_i)ᵀ I⁻¹ (r × d_j), d = n, t, o.
void add_block(const Vec& lever, const Vec (&d)[3], double inverse_mass,
               const Sym3<double>& inertia, DelassusBlock<double>& A)
{
    Vec c[3], Ic[3];
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

void count_gap(SetupReport& report, const Settings& s, double gap, double radius, std::size_t pair)
{
    report.touching += gap <= touching_gap * radius ? 1 : 0;
    if (gap < 0) {
        ++report.penetrating;
        report.penetration_sum -= gap;
        report.max_penetration = std::max(report.max_penetration, -gap);
        if (-gap > s.deep_penetration * radius) {
            ++report.deep;
            report.first_deep = std::min(report.first_deep, pair);
        }
    }
}

}  // namespace

/// Gives every group its blocks, every chunk its places in each group, and fills unused lanes.
void Setup::place(const PairList& list, const collide::Candidates& candidates,
                  std::size_t idle_slot, ContactRows& rows)
{
    const std::size_t chunks = exec::chunk_count(list.pair.size(), pair_chunk);
    const auto groups = static_cast<std::size_t>(candidates.groups);
    const auto colours = static_cast<std::size_t>(list.colours);
    offset_.resize(chunks * groups);
    chunk_first_.resize(chunks);
    std::uint32_t contact = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        chunk_first_[c] = contact;
        contact += candidates.chunks[c].contacts;
    }
    row_of_.resize(contact);
    feature_.resize(contact);

    rows.groups.clear();
    std::uint32_t blocks[2] = {0, 0};
    for (std::size_t g = 0; g < groups; ++g) {
        const bool round = g < colours;
        std::uint32_t& next_block = blocks[round ? 0 : 1];
        std::uint32_t place = next_block * block_lanes;
        for (std::size_t c = 0; c < chunks; ++c) {
            offset_[c * groups + g] = place;
            place += candidates.group_count[c * groups + g];
        }
        const std::uint32_t end = (place + block_lanes - 1) / block_lanes;
        if (end > next_block) {
            rows.groups.push_back({next_block, end, round});
        }
        next_block = end;
    }
    rows.round.resize(blocks[0]);
    rows.general.resize(blocks[1]);

    // Unused lanes: a contact far from closing between two idle lines.
    for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t last = (chunks - 1) * groups + g;
        const std::uint32_t used = chunks == 0 ? 0 : offset_[last] + candidates.group_count[last];
        for (std::uint32_t k = used; k % block_lanes != 0; ++k) {
            const std::uint32_t lane = k % block_lanes;
            const auto idle = static_cast<std::uint32_t>(idle_slot + lane);
            const auto fill = [&](auto& block) {
                for (int i = 0; i < 3; ++i) {
                    block.n[i][lane] = i == 0 ? 1 : 0;
                    block.impulse[i][lane] = 0;
                }
                block.shift[lane] = 1;
                block.mu[lane] = 0;
                block.weight[lane] = 1;
                block.slot[0][lane] = idle;
                block.slot[1][lane] = idle;
            };
            if (g < colours) {
                RoundBlock& block = rows.round[k / block_lanes];
                fill(block);
                block.lever[0][lane] = 0;
                block.lever[1][lane] = 0;
            } else {
                GeneralBlock& block = rows.general[k / block_lanes];
                fill(block);
                block.objective_shift[lane] = 1;
                for (int i = 0; i < 3; ++i) {
                    block.t[i][lane] = i == 1 ? 1 : 0;
                    block.lever[i][lane] = 0;
                    block.lever[i + 3][lane] = 0;
                }
                const double identity[6] = {1, 0, 0, 1, 0, 1};
                for (int i = 0; i < 6; ++i) {
                    block.A[i][lane] = identity[i];
                }
            }
        }
    }
}

SetupReport Setup::run(const Model& model, const Bodies& bodies, const PairList& list,
                       const collide::Candidates& candidates, const StoredImpulses& stored,
                       ContactRows& rows)
{
    const std::size_t n = list.pair.size();
    const std::size_t chunks = exec::chunk_count(n, pair_chunk);
    const auto groups = static_cast<std::size_t>(candidates.groups);
    const auto colours = static_cast<std::size_t>(list.colours);
    place(list, candidates, bodies.count() + list.copy_count, rows);
    chunk_reports_.assign(chunks, SetupReport{});
    const Settings& s = model.settings;
    const bool frictionless = s.law == Law::frictionless;

    exec::for_chunks(
        n, pair_chunk, model.threads, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            SetupReport& report = chunk_reports_[chunk];
            std::uint32_t* next = &offset_[chunk * groups];
            std::uint32_t contact = chunk_first_[chunk];
            const collide::ContactPoint* point = candidates.chunks[chunk].points.data();
            std::uint32_t old = stored.count.size() == n ? stored.chunk_first[chunk] : 0;
            double speed2 = 0;
            for (std::size_t p = begin; p < end; ++p) {
                const std::uint32_t old_count = stored.count.size() == n ? stored.count[p] : 0;
                const std::uint32_t old_first = old;
                old += old_count;
                const std::uint32_t count = candidates.count[p];
                if (count == 0) {
                    continue;
                }
                const BodyPair pair = list.pair[p];
                const BodyPair slot = list.slot.empty() ? pair : list.slot[p];
                const Ball& ball_a = bodies.ball[pair.first];
                const Ball& ball_b = bodies.ball[pair.second];
                const VelocityLine& va = bodies.velocity_before[pair.first];
                const VelocityLine& vb = bodies.velocity_before[pair.second];
                const Prototype& kind_a = model.prototypes[bodies.prototype[pair.first]];
                const Prototype& kind_b = model.prototypes[bodies.prototype[pair.second]];
                const Surface& surface = model.surface(kind_a.material, kind_b.material);
                const bool spheres =
                    (bodies.flags[pair.first] & bodies.flags[pair.second] & flag_round) != 0;
                const bool wall = (bodies.flags[pair.second] & flag_wall) != 0;
                const bool round = collide::has_round_rows(model, bodies, pair);
                const double mu = frictionless ? 0 : surface.friction;
                const double radius =
                    pair.second < bodies.bounded_count ? std::min(ball_a.r, ball_b.r) : ball_a.r;
                const double copies_a = list.copies_of.empty() ? 1 : list.copies_of[pair.first];
                const double copies_b = list.copies_of.empty() ? 1 : list.copies_of[pair.second];
                const Vec between =
                    wall ? Vec{ball_a.x - ball_b.x, ball_a.y - ball_b.y, ball_a.z - ball_b.z}
                         : image_difference(ball_a, ball_b, model.box);
                const bool b_falls = pair.second < bodies.dynamic_count;

                for (std::uint32_t f = 0; f < count; ++f, ++contact) {
                    Vec normal, lever_a, lever_b;
                    double gap = 0;
                    std::uint32_t feature = 0;
                    if (spheres) {
                        const collide::RoundContact c =
                            collide::round_contact(between, ball_a.r, ball_b.r);
                        normal = c.normal;
                        gap = c.gap;
                        lever_a = -(ball_a.r + gap / 2) * normal;
                        lever_b = (ball_b.r + gap / 2) * normal;
                    } else {
                        normal = point->normal;
                        gap = point->gap;
                        feature = point->feature;
                        lever_a = point->point - Vec{ball_a.x, ball_a.y, ball_a.z};
                        lever_b = lever_a + between;
                        ++point;
                    }
                    count_gap(report, s, gap, radius, p);
                    const Vec dv = (va.v + cross(va.w, lever_a)) - (vb.v + cross(vb.w, lever_b));
                    speed2 = std::max(speed2, dot(dv, dv));
                    const double fall = b_falls ? 0 : s.time_step * dot(normal, s.gravity);
                    const Shift shift =
                        shift_of(s, gap, surface.restitution, dot(normal, dv), fall);
                    report.bouncing += shift.bounces ? 1 : 0;

                    Vec start{0, 0, 0};
                    if (!shift.bounces) {
                        for (std::uint32_t k = 0; k < old_count; ++k) {
                            if (stored.feature[old_first + k] == feature) {
                                start = s.warm_start * stored.impulse[old_first + k];
                            }
                        }
                        if (!(dot(normal, start) > 0)) {
                            start = {0, 0, 0};
                        }
                    }
                    feature_[contact] = feature;
                    const auto fill = [&](auto& block, std::uint32_t lane, double weight) {
                        block.n[0][lane] = normal.x;
                        block.n[1][lane] = normal.y;
                        block.n[2][lane] = normal.z;
                        block.shift[lane] = shift.plane;
                        block.mu[lane] = mu;
                        block.weight[lane] = shift.bounces ? -weight : weight;
                        block.slot[0][lane] = slot.first;
                        block.slot[1][lane] = slot.second;
                    };
                    if (round) {
                        const std::uint32_t at = next[list.colour[p]]++;
                        RoundBlock& block = rows.round[at / block_lanes];
                        const std::uint32_t lane = at % block_lanes;
                        row_of_[contact] = at;
                        const double A_a = va.inverse_mass;
                        const double A_b = vb.inverse_mass;
                        fill(block, lane,
                             s.relaxation * (A_a + A_b) / (copies_a * A_a + copies_b * A_b));
                        block.impulse[0][lane] = start.x;
                        block.impulse[1][lane] = start.y;
                        block.impulse[2][lane] = start.z;
                        block.lever[0][lane] = ball_a.r + gap / 2;
                        block.lever[1][lane] = spheres ? ball_b.r + gap / 2 : 0;
                    } else {
                        const std::uint32_t at = next[colours * (1 + f) + list.colour[p]]++;
                        GeneralBlock& block = rows.general[at / block_lanes];
                        const std::uint32_t lane = at % block_lanes;
                        row_of_[contact] = at | general_bit;
                        const Vec tangent = collide::across(normal);
                        const Vec frame[3] = {normal, tangent, cross(normal, tangent)};
                        DelassusBlock<double> A{0, 0, 0, 0, 0, 0};
                        add_block(lever_a, frame, va.inverse_mass,
                                  bodies.inertia[pair.first].inverse, A);
                        const double A_a = A.nn;
                        add_block(lever_b, frame, vb.inverse_mass,
                                  bodies.inertia[pair.second].inverse, A);
                        const double A_b = A.nn - A_a;
                        const ContactProblem<double> problem{A, {0, 0, 0}, 0, mu};
                        if (!law::valid(problem, law::reduce(A))) {
                            ++report.degenerate;
                            report.first_degenerate = std::min(report.first_degenerate, p);
                            A = {1, 0, 0, 1, 0, 1};
                            start = {0, 0, 0};
                        }
                        fill(block, lane,
                             s.relaxation * (A_a + A_b) / (copies_a * A_a + copies_b * A_b));
                        block.objective_shift[lane] = shift.objective;
                        block.t[0][lane] = tangent.x;
                        block.t[1][lane] = tangent.y;
                        block.t[2][lane] = tangent.z;
                        const double levers[6] = {lever_a.x, lever_a.y, lever_a.z,
                                                  lever_b.x, lever_b.y, lever_b.z};
                        const double entries[6] = {A.nn, A.nt, A.no, A.tt, A.to, A.oo};
                        for (int k = 0; k < 6; ++k) {
                            block.lever[k][lane] = levers[k];
                            block.A[k][lane] = entries[k];
                        }
                        for (int k = 0; k < 3; ++k) {
                            block.impulse[k][lane] = dot(frame[k], start);
                        }
                    }
                }
            }
            report.relative_speed = std::sqrt(speed2);
        });

    SetupReport all;
    for (const SetupReport& r : chunk_reports_) {
        all.touching += r.touching;
        all.max_penetration = std::max(all.max_penetration, r.max_penetration);
        all.penetration_sum += r.penetration_sum;
        all.penetrating += r.penetrating;
        all.deep += r.deep;
        all.degenerate += r.degenerate;
        all.bouncing += r.bouncing;
        all.first_deep = std::min(all.first_deep, r.first_deep);
        all.first_degenerate = std::min(all.first_degenerate, r.first_degenerate);
        all.relative_speed = std::max(all.relative_speed, r.relative_speed);
    }
    return all;
}

std::size_t Setup::bytes() const
{
    return (row_of_.capacity() + feature_.capacity() + chunk_first_.capacity() +
            offset_.capacity()) *
               sizeof(std::uint32_t) +
           chunk_reports_.capacity() * sizeof(SetupReport);
}

void store_impulses(const Model& model, const ContactRows& rows, const Setup& setup,
                    const collide::Candidates& candidates, StoredImpulses& stored)
{
    const std::vector<std::uint32_t>& row_of = setup.row_of();
    stored.count = candidates.count;
    stored.chunk_first = setup.chunk_first();
    stored.feature = setup.feature();
    stored.impulse.resize(row_of.size());
    exec::for_each(row_of.size(), model.threads, [&](std::size_t i) {
        const std::uint32_t at = row_of[i] & ~Setup::general_bit;
        const std::uint32_t lane = at % block_lanes;
        if ((row_of[i] & Setup::general_bit) == 0) {
            const RoundBlock& c = rows.round[at / block_lanes];
            stored.impulse[i] = {c.impulse[0][lane], c.impulse[1][lane], c.impulse[2][lane]};
        } else {
            const GeneralBlock& c = rows.general[at / block_lanes];
            const Vec normal{c.n[0][lane], c.n[1][lane], c.n[2][lane]};
            const Vec tangent{c.t[0][lane], c.t[1][lane], c.t[2][lane]};
            stored.impulse[i] = c.impulse[0][lane] * normal + c.impulse[1][lane] * tangent +
                                c.impulse[2][lane] * cross(normal, tangent);
        }
    });
}

}  // namespace scree::contact
