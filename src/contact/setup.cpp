#include "contact/setup.hpp"

#include "collide/support.hpp"
#include "exec/parallel.hpp"
#include "law/reduced.hpp"
#include "math/rigid.hpp"
#include "solve/relax_contact.hpp"
#include "state/memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::contact {

namespace {

using Vec = Vec3<double>;
using collide::BodyPair;

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
    // Contacts at rest are open or closed by chance: no branches on that.
    report.touching += gap <= exec::touching_gap * radius ? 1 : 0;
    const double depth = std::max(0.0, -gap);
    report.penetrating += gap < 0 ? 1 : 0;
    report.penetration_sum += depth;
    report.max_penetration = std::max(report.max_penetration, depth);
    if (depth > s.deep_penetration * radius) {
        ++report.deep;
        report.first_deep = std::min(report.first_deep, pair);
    }
}

}  // namespace

namespace {

/// Unused lanes from a place to the end of its block: contacts far from closing between idle lines.
void fill_idle_lanes(ContactRows& rows, bool round, std::uint32_t from, std::size_t idle_slot)
{
    for (std::uint32_t k = from; k % block_lanes != 0; ++k) {
        const std::uint32_t lane = k % block_lanes;
        const auto fill = [&](auto& block) {
            for (int i = 0; i < 3; ++i) {
                block.n[i][lane] = i == 0 ? 1 : 0;
                block.impulse[i][lane] = 0;
            }
            block.shift[lane] = 1;
            block.mu[lane] = 0;
            block.weight[lane] = 1;
            block.slot[0][lane] = static_cast<std::uint32_t>(idle_slot + lane);
            block.slot[1][lane] = static_cast<std::uint32_t>(idle_slot + lane);
        };
        if (round) {
            RoundBlock& block = rows.round[k / block_lanes];
            fill(block);
            block.lever[0][lane] = 0;
            block.lever[1][lane] = 0;
        } else {
            GeneralBlock& block = rows.general[k / block_lanes];
            fill(block);
            block.objective_shift[lane] = 1;
            const double identity[6] = {1, 0, 0, 1, 0, 1};
            for (int i = 0; i < 6; ++i) {
                block.A[i][lane] = identity[i];
                block.lever[i][lane] = 0;
            }
            for (int i = 0; i < 3; ++i) {
                block.t[i][lane] = i == 1 ? 1 : 0;
            }
        }
    }
}

}  // namespace

/// Gives every group of every region its blocks, every chunk its places in each group, and fills
/// unused lanes.
void Setup::place(const PairList& list, const collide::Candidates& candidates,
                  std::size_t region_pairs, std::size_t idle_slot, ContactRows& rows)
{
    const std::size_t chunks = exec::chunk_count(list.pair.size(), pair_chunk);
    const auto groups = static_cast<std::size_t>(candidates.groups);
    const auto colours = static_cast<std::size_t>(list.colours);
    fit(offset_, chunks * groups);
    fit(chunk_first_, chunks);
    std::uint32_t contact = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        chunk_first_[c] = contact;
        contact += candidates.chunks[c].contacts;
    }
    fit(row_of_, contact);

    rows.groups.clear();
    std::uint32_t blocks[2] = {0, 0};
    const std::size_t region =
        region_pairs == 0 ? chunks : (region_pairs + pair_chunk - 1) / pair_chunk;
    for (std::size_t first = 0; first < chunks; first += region) {
        const std::size_t last = std::min(chunks, first + region);
        for (std::size_t g = 0; g < groups; ++g) {
            const bool round = g < 2 * colours;
            std::uint32_t& next_block = blocks[round ? 0 : 1];
            std::uint32_t at = next_block * block_lanes;
            for (std::size_t c = first; c < last; ++c) {
                offset_[c * groups + g] = at;
                at += candidates.group_count[c * groups + g];
            }
            const std::uint32_t end = (at + block_lanes - 1) / block_lanes;
            if (end > next_block) {
                const RowKind kind = g < colours ? RowKind::round
                                     : round     ? RowKind::round_on_wall
                                                 : RowKind::general;
                rows.groups.push_back({next_block, end, kind, at});
                next_block = end;
            }
        }
    }
    fit(rows.round, blocks[0]);
    fit(rows.general, blocks[1]);
    // A round contact is its pair's only one: features are kept where there are others.
    fit(feature_, blocks[1] > 0 ? contact : 0);
    for (const Group& g : rows.groups) {
        fill_idle_lanes(rows, g.kind != RowKind::general, g.used, idle_slot);
    }
}

namespace {

/// Asks for a block that will be written soon.
void ask_for(const RoundBlock* block)
{
    const char* at = reinterpret_cast<const char*>(block);
    for (std::size_t k = 0; k < sizeof(RoundBlock); k += 64) {
        __builtin_prefetch(at + k, 1);
    }
}

/// What a contact's feature had in the last step.
Vec start_of(const StoredImpulses& stored, std::uint32_t first, std::uint32_t count,
             std::uint32_t feature)
{
    for (std::uint32_t k = first; k < first + count; ++k) {
        if ((stored.feature.empty() ? 0 : stored.feature[k]) == feature) {
            return stored.impulse[k];
        }
    }
    return {0, 0, 0};
}

/// What both kinds of rows have in common.
template <class Block>
void fill(Block& block, std::uint32_t lane, const Vec& normal, double shift, double mu,
          double weight, BodyPair slot)
{
    block.n[0][lane] = normal.x;
    block.n[1][lane] = normal.y;
    block.n[2][lane] = normal.z;
    block.shift[lane] = shift;
    block.mu[lane] = mu;
    block.weight[lane] = weight;
    block.slot[0][lane] = slot.first;
    block.slot[1][lane] = slot.second;
}

/// A pair with candidates, and where its old impulses begin.
struct Found {
    std::uint32_t pair, old_first;
};

/// How much of a block's change is applied where a split body's copies, lighter than the body, take
/// it: the block is that of the body, so that the law is, and the copies' velocities are theirs.
double share(double copies_a, double A_a, double copies_b, double A_b)
{
    return copies_a == 1 && copies_b == 1 ? 1 : (A_a + A_b) / (copies_a * A_a + copies_b * A_b);
}

}  // namespace

SetupReport Setup::run(const Model& model, Bodies& bodies, const PairList& list,
                       const collide::Candidates& candidates, const StoredImpulses& stored,
                       ContactRows& rows)
{
    const std::size_t n = list.pair.size();
    const std::size_t chunks = exec::chunk_count(n, pair_chunk);
    const auto groups = static_cast<std::size_t>(candidates.groups);
    const auto colours = static_cast<std::size_t>(list.colours);
    place(list, candidates, static_cast<std::size_t>(model.settings.region_pairs),
          bodies.count() + list.copy_count, rows);
    chunk_reports_.assign(chunks, SetupReport{});
    const Settings& s = model.settings;
    const bool frictionless = s.law == Law::frictionless;
    const bool split = !list.copies_of.empty();
    const bool with_features = !feature_.empty();
    const bool round_allowed = s.law != Law::projected;
    const bool warm = stored.count.size() == n;
    const sweeps::StepConstants<double> constants{s.time_step,        s.error_reduction,
                                                  s.correction_limit, s.restitution_threshold,
                                                  s.deep_penetration, s.gravity};
    const Surface* only_surface = model.materials == 1 ? model.surfaces.data() : nullptr;

    exec::for_chunks(
        n, pair_chunk, model.threads, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            SetupReport report;
            std::uint32_t* next = &offset_[chunk * groups];
            std::uint32_t contact = chunk_first_[chunk];
            const collide::ContactPoint* point = candidates.chunks[chunk].points.data();
            double speed2 = 0;
            // First the pairs that have candidates, without a branch that cannot be foretold.
            std::array<Found, pair_chunk + 1> found;
            std::size_t found_count = 0;
            std::uint32_t old = warm ? stored.chunk_first[chunk] : 0;
            for (std::size_t p = begin; p < end; ++p) {
                found[found_count] = {static_cast<std::uint32_t>(p), old};
                found_count += candidates.count[p] > 0 ? 1 : 0;
                old += warm ? stored.count[p] : 0;
            }
            for (std::size_t i = 0; i < found_count; ++i) {
                const std::size_t p = found[i].pair;
                const BodyPair pair = list.pair[p];
                const std::uint32_t count = candidates.count[p];
                const std::uint32_t old_first = found[i].old_first;
                const std::uint32_t old_count = warm ? stored.count[p] : 0;
                const Ball& ball_a = bodies.ball[pair.first];
                const Ball& ball_b = bodies.ball[pair.second];
                const std::uint8_t flags_a = bodies.flags[pair.first];
                const std::uint8_t flags_b = bodies.flags[pair.second];
                const bool spheres = (flags_a & flags_b & flag_round) != 0;
                const bool prescribed = pair.second >= bodies.dynamic_count;
                const bool wall = pair.second >= bodies.bounded_count;
                const Surface& surface =
                    only_surface
                        ? *only_surface
                        : model.surface(model.prototypes[bodies.prototype[pair.first]].material,
                                        model.prototypes[bodies.prototype[pair.second]].material);
                const double mu = frictionless ? 0 : surface.friction;
                const BodyPair slot = split ? list.slot[p] : pair;
                const double copies_a = split ? list.copies_of[pair.first] : 1;
                const double copies_b = split ? list.copies_of[pair.second] : 1;
                // From the second body's centre of mass to the first's, of the nearest images.
                const Vec between =
                    wall ? Vec{ball_a.x - ball_b.x, ball_a.y - ball_b.y, ball_a.z - ball_b.z}
                         : image_difference(ball_a, ball_b, model.box);

                if (round_allowed && collide::round_rows(flags_a, flags_b)) {
                    // The parts of a row; `prepare` makes it whole.
                    Vec to_first = between;
                    double radius_b = ball_b.r;
                    if (!spheres) {
                        // A ball that touches in the same place with the same gap.
                        radius_b = 4 * ball_a.r + std::max(0.0, -point->gap);
                        to_first = (ball_a.r + radius_b + point->gap) * point->normal;
                        ++point;
                    }
                    const std::uint32_t at = next[(prescribed ? colours : 0) + list.colour[p]]++;
                    RoundBlock& block = rows.round[at / block_lanes];
                    const std::uint32_t lane = at % block_lanes;
                    if (lane == 0) {
                        ask_for(&block + 1);
                    }
                    if (with_features) {
                        feature_[contact] = 0;
                    }
                    row_of_[contact++] = at;
                    fill(block, lane, to_first, surface.restitution, mu, s.relaxation, slot);
                    const Vec start = old_count > 0 ? stored.impulse[old_first] : Vec{0, 0, 0};
                    block.impulse[0][lane] = s.warm_start * start.x;
                    block.impulse[1][lane] = s.warm_start * start.y;
                    block.impulse[2][lane] = s.warm_start * start.z;
                    block.lever[0][lane] = ball_a.r;
                    block.lever[1][lane] = radius_b;
                    continue;
                }
                const VelocityLine& va = bodies.velocity_before[pair.first];
                const VelocityLine& vb = bodies.velocity_before[pair.second];
                const double radius = wall ? ball_a.r : std::min(ball_a.r, ball_b.r);
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
                    const double fall = prescribed ? s.time_step * dot(normal, s.gravity) : 0;
                    bool bounces = false;
                    const double shift =
                        sweeps::gap_term(constants, gap, radius, surface.restitution,
                                         dot(normal, dv), fall, bounces);
                    report.bouncing += bounces ? 1 : 0;
                    Vec start = start_of(stored, old_first, old_count, feature);
                    start =
                        dot(normal, start) > 0 && !bounces ? s.warm_start * start : Vec{0, 0, 0};
                    feature_[contact] = feature;
                    const std::uint32_t at =
                        next[collide::general_group(colours, list.colour[p], f)]++;
                    GeneralBlock& block = rows.general[at / block_lanes];
                    const std::uint32_t lane = at % block_lanes;
                    row_of_[contact] = at | general_bit;
                    const Vec tangent = collide::across(normal);
                    const Vec frame[3] = {normal, tangent, cross(normal, tangent)};
                    DelassusBlock<double> A{0, 0, 0, 0, 0, 0};
                    add_block(lever_a, frame, va.inverse_mass, bodies.inertia[pair.first].inverse,
                              A);
                    const double A_a = A.nn;
                    add_block(lever_b, frame, vb.inverse_mass, bodies.inertia[pair.second].inverse,
                              A);
                    const double A_b = A.nn - A_a;
                    const ContactProblem<double> problem{A, {0, 0, 0}, 0, mu};
                    if (!law::valid(problem, law::reduce(A))) {
                        ++report.degenerate;
                        report.first_degenerate = std::min(report.first_degenerate, p);
                        start = {0, 0, 0};
                    }
                    const double weight = s.relaxation * share(copies_a, A_a, copies_b, A_b);
                    fill(block, lane, normal, shift, mu, bounces ? -weight : weight, slot);
                    block.objective_shift[lane] =
                        s.gap_form == GapForm::plane_only ? 0 : shift;
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
            report.relative_speed = std::sqrt(speed2);
            chunk_reports_[chunk] = report;
        });

    SetupReport all = prepare(model, bodies, list, candidates, rows);
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

namespace {

/// The first pair with a round row that penetrates too deep.
std::size_t first_deep_pair(const Model& model, const Bodies& bodies, const PairList& list,
                            const collide::Candidates& candidates)
{
    const collide::ContactPoint* point = nullptr;
    for (std::size_t p = 0; p < list.pair.size(); ++p) {
        if (p % pair_chunk == 0) {
            point = candidates.chunks[p / pair_chunk].points.data();
        }
        const BodyPair pair = list.pair[p];
        const Ball& a = bodies.ball[pair.first];
        const Ball& b = bodies.ball[pair.second];
        const int count = candidates.count[p];
        const bool spheres =
            (bodies.flags[pair.first] & bodies.flags[pair.second] & flag_round) != 0;
        double depth = 0;
        double radius = a.r;
        if (count > 0 && spheres) {
            depth = a.r + b.r - norm(image_difference(a, b, model.box));
            radius = std::min(a.r, b.r);
        } else if (count > 0) {
            depth = -point->gap;
            point += count;
        }
        if (depth > model.settings.deep_penetration * radius &&
            collide::has_round_rows(model, bodies, pair)) {
            return p;
        }
    }
    return SIZE_MAX;
}

}  // namespace

/// Completes the round rows and counts them.
SetupReport Setup::prepare(const Model& model, Bodies& bodies, const PairList& list,
                           const collide::Candidates& candidates, ContactRows& rows)
{
    SetupReport report;
    if (rows.round.empty()) {
        return report;
    }
    // Rows of split bodies look at their copies, which have the velocities of some earlier step.
    for (const Split& split : list.splits) {
        std::fill_n(bodies.velocity_before.begin() + split.first_copy, split.copies,
                    bodies.velocity_before[split.body]);
    }
    const exec::SweepData data = exec::sweep_data(model, bodies, rows);
    double speed2 = 0;
    for (const exec::TaskSums::Sums& task :
         sums_.run(exec::Verb::prepare, data, rows, model.isa, model.threads)) {
        const auto count = [&](exec::PreparedSum which) {
            double sum = 0;
            for (const double lane : task.lane[which]) {
                sum += lane;
            }
            return static_cast<std::size_t>(sum);
        };
        report.touching += count(exec::prepared_touching);
        report.penetrating += count(exec::prepared_penetrating);
        report.bouncing += count(exec::prepared_bouncing);
        report.deep += count(exec::prepared_deep);
        for (int lane = 0; lane < block_lanes; ++lane) {
            report.penetration_sum += task.lane[exec::prepared_depth][lane];
            report.max_penetration =
                std::max(report.max_penetration, task.lane[exec::prepared_max_depth][lane]);
            speed2 = std::max(speed2, task.lane[exec::prepared_max_speed2][lane]);
        }
    }
    report.relative_speed = std::sqrt(speed2);
    if (report.deep > 0) {
        report.first_deep = first_deep_pair(model, bodies, list, candidates);
    }
    return report;
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
    const auto copy = [](const auto& from, auto& to) {
        fit(to, from.size());
        std::copy(from.begin(), from.end(), to.begin());
    };
    copy(candidates.count, stored.count);
    copy(setup.chunk_first(), stored.chunk_first);
    copy(setup.feature(), stored.feature);
    fit(stored.impulse, row_of.size());
    exec::for_each(row_of.size(), model.threads, [&](std::size_t i) {
        const std::uint32_t at = row_of[i] & ~general_bit;
        const std::uint32_t lane = at % block_lanes;
        if ((row_of[i] & general_bit) == 0) {
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
