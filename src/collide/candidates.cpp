#include "collide/candidates.hpp"

#include "collide/narrow_phase.hpp"
#include "collide/support.hpp"
#include "exec/parallel.hpp"

#include <algorithm>

namespace scree::collide {

namespace {

/// The farthest that relative motion can close the pair's gap in this step. The fall of both bodies
/// is allowed for once more than it takes, so that small changes in relaxation surprise nobody.
double closing_reach(const Model& model, const Bodies& bodies, BodyPair pair)
{
    const VelocityLine& a = bodies.velocity_before[pair.first];
    const VelocityLine& b = bodies.velocity_before[pair.second];
    const double swing_a = model.prototypes[bodies.prototype[pair.first]].swing;
    const double swing_b = model.prototypes[bodies.prototype[pair.second]].swing;
    const double speed = norm(a.v - b.v) + (swing_a > 0 ? swing_a * norm(a.w) : 0) +
                         (swing_b > 0 ? swing_b * norm(b.w) : 0);
    const double h = model.settings.time_step;
    return h * (speed + 2 * h * norm(model.settings.gravity));
}

/// Points of a pair that is not two spheres, with gaps up to the reach.
void find_points(const Model& model, const Bodies& bodies, BodyPair pair, double reach,
                 Manifold& points)
{
    const Prototype& kind_a = model.prototypes[bodies.prototype[pair.first]];
    const Prototype& kind_b = model.prototypes[bodies.prototype[pair.second]];
    const Ball& a = bodies.ball[pair.first];
    const Ball& b = bodies.ball[pair.second];
    const Pose pose_a = bodies.pose(pair.first, kind_a);
    Pose pose_b = bodies.pose(pair.second, kind_b);
    points.count = 0;
    if ((bodies.flags[pair.second] & flag_wall) != 0) {
        if (wall_distance(kind_b.shape, pose_b, {a.x, a.y, a.z}) - a.r > reach) {
            return;
        }
    } else {
        const Vec d = image_difference(a, b, model.box);
        const double near = a.r + b.r + reach;
        if (!(dot(d, d) <= near * near)) {
            return;
        }
        // b's nearest image
        pose_b.position =
            pose_b.position + (Vec{a.x - d.x, a.y - d.y, a.z - d.z} - Vec{b.x, b.y, b.z});
    }
    collide(kind_a.shape, pose_a, kind_b.shape, pose_b, reach, points);
}

}  // namespace

void find_reaches(const Model& model, Bodies& bodies)
{
    const double h = model.settings.time_step;
    const double fall = h * norm(model.settings.gravity);
    exec::for_each(bodies.count(), model.threads, [&](std::size_t i) {
        const VelocityLine& line = bodies.velocity_before[i];
        const double swing = model.prototypes[bodies.prototype[i]].swing;
        const double speed = norm(line.v) + (swing > 0 ? swing * norm(line.w) : 0);
        bodies.reach[i] = static_cast<float>(1.000001 * h * (speed + fall));
    });
}

void find_candidates(const Model& model, const Bodies& bodies, const PairList& list,
                     Candidates& out)
{
    const std::size_t n = list.pair.size();
    const std::size_t chunks = exec::chunk_count(n, pair_chunk);
    const auto colours = static_cast<std::size_t>(list.colours);
    out.groups = 5 * list.colours;
    const auto groups = static_cast<std::size_t>(out.groups);
    if (out.chunks.size() < chunks) {
        out.chunks.resize(chunks);
    }
    out.count.resize(n);
    out.group_count.assign(chunks * groups, 0);
    exec::for_chunks(
        n, pair_chunk, model.threads, [&](std::size_t c, std::size_t begin, std::size_t end) {
            Candidates::Chunk& chunk = out.chunks[c];
            chunk.points.clear();
            chunk.contacts = 0;
            std::uint32_t* group = &out.group_count[c * groups];
            for (std::size_t p = begin; p < end; ++p) {
                const BodyPair pair = list.pair[p];
                const std::uint8_t both = bodies.flags[pair.first] & bodies.flags[pair.second];
                const std::size_t colour = list.colour[p];
                const double coarse = static_cast<double>(bodies.reach[pair.first]) +
                                      static_cast<double>(bodies.reach[pair.second]);
                std::uint32_t found = 0;
                if ((both & flag_round) != 0) {
                    const Ball& a = bodies.ball[pair.first];
                    const Ball& b = bodies.ball[pair.second];
                    const Vec d = image_difference(a, b, model.box);
                    const double d2 = dot(d, d);
                    const double sum = a.r + b.r;
                    // Relaxation may have widened the coarse reach beyond the closing one.
                    if (d2 <= (sum + coarse) * (sum + coarse) && (both & flag_alive) != 0) {
                        const double near =
                            ((bodies.flags[pair.first] | bodies.flags[pair.second]) &
                             flag_surprised) != 0
                                ? coarse
                                : closing_reach(model, bodies, pair);
                        found = d2 <= (sum + near) * (sum + near) ? 1 : 0;
                    }
                } else if ((both & flag_alive) != 0) {
                    const double near = ((bodies.flags[pair.first] | bodies.flags[pair.second]) &
                                         flag_surprised) != 0
                                            ? coarse
                                            : closing_reach(model, bodies, pair);
                    Manifold points;
                    find_points(model, bodies, pair, near, points);
                    if ((bodies.flags[pair.first] & flag_round) != 0) {
                        points.count = std::min(points.count, 1);  // spheres touch in one point
                    }
                    found = static_cast<std::uint32_t>(points.count);
                    chunk.points.insert(chunk.points.end(), points.points,
                                        points.points + points.count);
                }
                out.count[p] = static_cast<std::uint8_t>(found);
                chunk.contacts += found;
                if (has_round_rows(model, bodies, pair)) {
                    group[colour] += found;
                } else {
                    for (std::uint32_t f = 0; f < found; ++f) {
                        ++group[colours * (1 + f) + colour];
                    }
                }
            }
        });
    out.total = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        out.total += out.chunks[c].contacts;
    }
}

std::size_t find_missed(const Model& model, Bodies& bodies, const PairList& list,
                        const Candidates& candidates, BodyPair& first)
{
    const double h = model.settings.time_step;
    const double fall = h * norm(model.settings.gravity);
    // Bodies whose velocity changed by more than the fall.
    const double any = exec::largest(bodies.dynamic_count, model.threads, 0, [&](std::size_t i) {
        const VelocityLine& now = bodies.velocity[i];
        const VelocityLine& before = bodies.velocity_before[i];
        const double swing = model.prototypes[bodies.prototype[i]].swing;
        const double change =
            norm(now.v - before.v) + (swing > 0 ? swing * norm(now.w - before.w) : 0);
        const bool surprised = change > fall;
        if (surprised) {
            bodies.flags[i] |= flag_surprised;
            bodies.reach[i] = static_cast<float>(
                1.000001 * h *
                (norm(before.v) + (swing > 0 ? swing * norm(before.w) : 0) + change + fall));
        }
        return surprised ? 1.0 : 0.0;
    });
    if (any == 0) {
        return 0;
    }
    const std::size_t n = list.pair.size();
    const std::size_t chunks = exec::chunk_count(n, pair_chunk);
    std::size_t missed = 0;
    std::size_t first_pair = n;
#pragma omp parallel for schedule(static) num_threads(model.threads) reduction(+ : missed) reduction(min : first_pair) if (model.threads > 1 && chunks > 1)
    for (std::size_t c = 0; c < chunks; ++c) {
        for (std::size_t p = c * pair_chunk; p < std::min(n, (c + 1) * pair_chunk); ++p) {
            const BodyPair pair = list.pair[p];
            const std::uint8_t either = bodies.flags[pair.first] | bodies.flags[pair.second];
            const std::uint8_t both = bodies.flags[pair.first] & bodies.flags[pair.second];
            if (candidates.count[p] != 0 || (either & flag_surprised) == 0 ||
                (both & flag_alive) == 0) {
                continue;
            }
            const VelocityLine& a = bodies.velocity[pair.first];
            const VelocityLine& b = bodies.velocity[pair.second];
            const double coarse = static_cast<double>(bodies.reach[pair.first]) +
                                  static_cast<double>(bodies.reach[pair.second]);
            const double tolerance = 1e-6 * bodies.ball[pair.first].r;
            bool passes = false;
            if ((both & flag_round) != 0) {
                const Ball& ball_a = bodies.ball[pair.first];
                const Ball& ball_b = bodies.ball[pair.second];
                const Vec d = image_difference(ball_a, ball_b, model.box);
                const double near = ball_a.r + ball_b.r + coarse;
                if (dot(d, d) <= near * near) {
                    const RoundContact contact = round_contact(d, ball_a.r, ball_b.r);
                    passes = contact.gap + h * dot(contact.normal, a.v - b.v) < -tolerance;
                }
            } else {
                Manifold points;
                find_points(model, bodies, pair, coarse, points);
                for (int k = 0; k < points.count; ++k) {
                    const ContactPoint& q = points.points[k];
                    const Ball& ball_a = bodies.ball[pair.first];
                    const Vec lever_a = q.point - Vec{ball_a.x, ball_a.y, ball_a.z};
                    Vec lever_b =
                        lever_a + image_difference(ball_a, bodies.ball[pair.second], model.box);
                    if ((bodies.flags[pair.second] & flag_wall) != 0) {
                        const Ball& ball_b = bodies.ball[pair.second];
                        lever_b = q.point - Vec{ball_b.x, ball_b.y, ball_b.z};
                    }
                    const Vec dv = (a.v + cross(a.w, lever_a)) - (b.v + cross(b.w, lever_b));
                    passes = passes || q.gap + h * dot(q.normal, dv) < -tolerance;
                }
            }
            if (passes) {
                ++missed;
                first_pair = std::min(first_pair, p);
            }
        }
    }
    if (missed > 0) {
        first = list.pair[first_pair];
    }
    return missed;
}

}  // namespace scree::collide
