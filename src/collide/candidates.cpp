#include "collide/candidates.hpp"

#include "collide/cover.hpp"
#include "collide/support.hpp"
#include "exec/parallel.hpp"
#include "state/memory.hpp"

#include <algorithm>
#include <atomic>

namespace scree::collide {

namespace {

/// The farthest that relative motion can close the pair's gap in this step.
double closing_reach(const Model& model, const Bodies& bodies, BodyPair pair, double spare)
{
    const VelocityLine& a = bodies.velocity_before[pair.first];
    const VelocityLine& b = bodies.velocity_before[pair.second];
    const auto turning = [&](std::uint32_t body, const Vec& w) {
        const bool round = (bodies.flags[body] & flag_round) != 0;
        return round ? 0 : model.prototypes[bodies.prototype[body]].swing * norm(w);
    };
    const double speed = norm(a.v - b.v) + (turning(pair.first, a.w) + turning(pair.second, b.w));
    return model.settings.time_step * (speed + 2 * spare);
}

/// How far a wall that turns comes towards a body in this step.
double turning_wall_reach(const Model& model, const Bodies& bodies, BodyPair pair)
{
    const std::uint8_t flags = bodies.flags[pair.second];
    if ((flags & flag_wall) == 0 || (flags & flag_turning) == 0) {
        return 0;
    }
    const Ball& a = bodies.ball[pair.first];
    const Ball& b = bodies.ball[pair.second];
    const double lever = norm(Vec{a.x - b.x, a.y - b.y, a.z - b.z}) + a.r;
    return model.settings.time_step * norm(bodies.velocity_before[pair.second].w) * lever;
}

/// Whether two spheres may touch in this step: along the line of their centres, at the velocities
/// before and, in a further pass, after relaxation. `limit` is the sum of radii and what relaxation
/// may add. Other motion only takes them apart: their distance is convex in time.
bool may_close(const Bodies& bodies, BodyPair pair, const Vec& d, double d2, double limit, double h)
{
    const auto rate = [&](const std::vector<VelocityLine>& velocity) {
        return dot(d, velocity[pair.first].v - velocity[pair.second].v);
    };
    const double closing = std::min(rate(bodies.velocity_before), rate(bodies.velocity));
    return d2 + h * closing <= limit * lane::sqrt(d2);
}

/// The same as closing_reach without knowing their relative motion.
double coarse_reach(const Bodies& bodies, BodyPair pair)
{
    return static_cast<double>(bodies.reach[pair.first]) +
           static_cast<double>(bodies.reach[pair.second]);
}

/// A body's shape where it is nearest to a point.
Member member_near(const Model& model, const Bodies& bodies, std::uint32_t body, const Vec& point)
{
    const Prototype& kind = model.prototypes[bodies.prototype[body]];
    Member member{kind.shape, bodies.pose(body, kind)};
    if ((bodies.flags[body] & flag_wall) == 0) {
        const Ball& b = bodies.ball[body];
        const Vec d = image_difference({point.x, point.y, point.z, 0}, b, model.box);
        member.pose.position = member.pose.position + ((point - d) - Vec{b.x, b.y, b.z});
    }
    return member;
}

/// Whether a contact point on the second body of pair p, a member of a group, is covered by another
/// member. Members that may cover it are near the first body and hence among its pairs, which
/// follow each other in the list.
bool is_covered(const Model& model, const Bodies& bodies, const PairList& list, std::size_t p,
                const Vec& point, const Vec& normal)
{
    const BodyPair pair = list.pair[p];
    const double radius = bodies.ball[pair.first].r;
    const std::uint32_t group = model.prototypes[bodies.prototype[pair.second]].group;
    const auto covered_by = [&](std::size_t k) {
        const std::uint32_t other = list.pair[k].second;
        if (k == p || model.prototypes[bodies.prototype[other]].group != group ||
            (bodies.flags[other] & flag_alive) == 0) {
            return false;
        }
        const Ball& b = bodies.ball[other];
        const Vec d = image_difference({point.x, point.y, point.z, 0}, b, model.box);
        const double far = b.r + 0.1 * radius;
        return ((bodies.flags[other] & flag_wall) != 0 || dot(d, d) <= far * far) &&
               covers(member_near(model, bodies, other, point),
                      member_near(model, bodies, pair.second, point), point, normal, radius);
    };
    std::size_t begin = p;
    while (begin > 0 && list.pair[begin - 1].first == pair.first) {
        --begin;
    }
    for (std::size_t k = begin; k < list.pair.size() && list.pair[k].first == pair.first; ++k) {
        if (covered_by(k)) {
            return true;
        }
    }
    return false;
}

/// The same for the contact of two spheres.
bool is_covered(const Model& model, const Bodies& bodies, const PairList& list, std::size_t p)
{
    const Ball& a = bodies.ball[list.pair[p].first];
    const Ball& b = bodies.ball[list.pair[p].second];
    const Vec d = image_difference(a, b, model.box);
    const Vec n = round_contact(d, a.r, b.r).normal;
    return is_covered(model, bodies, list, p, (Vec{a.x, a.y, a.z} - d) + b.r * n, n);
}

/// Points of pair p, not of two spheres, with gaps up to the reach.
void find_points(const Model& model, const Bodies& bodies, const PairList& list, std::size_t p,
                 double reach, Manifold& points)
{
    const BodyPair pair = list.pair[p];
    const Prototype& kind_a = model.prototypes[bodies.prototype[pair.first]];
    const Prototype& kind_b = model.prototypes[bodies.prototype[pair.second]];
    const Ball& a = bodies.ball[pair.first];
    const Ball& b = bodies.ball[pair.second];
    const Pose pose_a = bodies.pose(pair.first, kind_a);
    Pose pose_b = bodies.pose(pair.second, kind_b);
    points.count = 0;
    reach += turning_wall_reach(model, bodies, pair);
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
    if (kind_b.group != 0) {
        int open = 0;
        for (int k = 0; k < points.count; ++k) {
            const ContactPoint& q = points.points[k];
            if (!is_covered(model, bodies, list, p, q.point - (0.5 * q.gap) * q.normal, q.normal)) {
                points.points[open++] = q;
            }
        }
        points.count = open;
    }
}

}  // namespace

double least_spare_speed(const Settings& settings)
{
    return 5 * settings.time_step * norm(settings.gravity);
}

void begin_step(const Model& model, Bodies& bodies, double spare)
{
    const double h = model.settings.time_step;
    exec::for_each(bodies.count(), model.threads, [&](std::size_t i) {
        const VelocityLine line = bodies.velocity[i];
        bodies.velocity_before[i] = line;
        double speed = norm(line.v) + spare;
        if ((bodies.flags[i] & flag_round) == 0) {
            speed += model.prototypes[bodies.prototype[i]].swing * norm(line.w);
        }
        bodies.reach[i] = static_cast<float>(1.000001 * h * speed);
    });
}

void find_candidates(const Model& model, const Bodies& bodies, const PairList& list, double spare,
                     Pass pass, Candidates& out)
{
    const std::size_t n = list.pair.size();
    const std::size_t chunks = exec::chunk_count(n, pair_chunk);
    const auto colours = static_cast<std::size_t>(list.colours);
    out.groups = group_kinds * list.colours;
    const auto groups = static_cast<std::size_t>(out.groups);
    if (out.chunks.size() < chunks) {
        out.chunks.resize(chunks);
    }
    fit(out.count, n);
    out.group_count.assign(chunks * groups, 0);
    const double h = model.settings.time_step;
    const double always = 2 * h * least_spare_speed(model.settings);  // any pair's reach
    const bool periodic = is_periodic(model.box);
    const bool round_rows_allowed = model.settings.law != Law::projected;
    exec::for_chunks(
        n, pair_chunk, model.threads, [&](std::size_t c, std::size_t begin, std::size_t end) {
            Candidates::Chunk& chunk = out.chunks[c];
            chunk.points.clear();
            std::uint32_t contacts = 0;
            // Local names, since a store to a byte could be to any of them.
            const BodyPair* const pairs = list.pair.data();
            const std::uint8_t* const flags = bodies.flags.data();
            const std::uint8_t* const colour_of = list.colour.data();
            const Ball* const balls = bodies.ball.data();
            const float* const reach = bodies.reach.data();
            std::uint8_t* const count = out.count.data();
            std::uint32_t* group = &out.group_count[c * groups];
            for (std::size_t p = begin; p < end; ++p) {
                const BodyPair pair = pairs[p];
                const std::uint8_t flags_a = flags[pair.first];
                const std::uint8_t flags_b = flags[pair.second];
                const bool surprised = ((flags_a | flags_b) & flag_surprised) != 0;
                std::uint32_t found = 0;
                if ((flags_a & flags_b & flag_round) != 0) {
                    const Ball& a = balls[pair.first];
                    const Ball& b = balls[pair.second];
                    const Vec d = periodic ? image_difference(a, b, model.box)
                                           : Vec{a.x - b.x, a.y - b.y, a.z - b.z};
                    const double d2 = dot(d, d);
                    const double sum = a.r + b.r;
                    const double coarse = sum + (static_cast<double>(reach[pair.first]) +
                                                 static_cast<double>(reach[pair.second]));
                    found = d2 <= (sum + always) * (sum + always) ? 1 : 0;
                    // One branch that is hardly ever taken, instead of two that are a coin's toss.
                    const unsigned unclear = unsigned(d2 <= coarse * coarse) & ~found & 1U;
                    if (unclear != 0) {
                        // In a further pass none is lost that was found before.
                        found = may_close(bodies, pair, d, d2, sum + 2 * h * spare, h) ||
                                        (pass == Pass::again && count[p] != 0) ||
                                        (pass == Pass::wide && surprised)
                                    ? 1
                                    : 0;
                    }
                    if ((flags_b & flag_grouped) != 0 && found != 0 &&
                        is_covered(model, bodies, list, p)) {
                        found = 0;
                    }
                } else if ((flags_a & flags_b & flag_alive) != 0) {
                    Manifold points;
                    find_points(model, bodies, list, p,
                                surprised ? coarse_reach(bodies, pair)
                                          : closing_reach(model, bodies, pair, spare),
                                points);
                    if ((flags_a & flag_round) != 0) {
                        points.count = std::min(points.count, 1);  // spheres touch in one point
                    }
                    found = static_cast<std::uint32_t>(points.count);
                    chunk.points.insert(chunk.points.end(), points.points,
                                        points.points + points.count);
                }
                count[p] = static_cast<std::uint8_t>(found);
                contacts += found;
                const std::size_t colour = colour_of[p];
                if (round_rows_allowed && round_rows(flags_a, flags_b)) {
                    group[((flags_b & flag_prescribed) != 0 ? colours : 0) + colour] += found;
                } else {
                    for (std::uint32_t f = 0; f < found; ++f) {
                        ++group[general_group(colours, colour, f)];
                    }
                }
            }
            chunk.contacts = contacts;
        });
    out.total = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        out.total += out.chunks[c].contacts;
    }
}

std::size_t find_missed(const Model& model, Bodies& bodies, const PairList& list, double spare,
                        const Candidates& candidates, BodyPair& first)
{
    const double h = model.settings.time_step;
    // Bodies whose velocity changed by more than was allowed for.
    const double allowed2 = spare * spare;
    const double any = exec::largest(bodies.dynamic_count, model.threads, 0, [&](std::size_t i) {
        const VelocityLine& now = bodies.velocity[i];
        const VelocityLine& before = bodies.velocity_before[i];
        const Vec dv = now.v - before.v;
        double change2 = dot(dv, dv);
        double swing = 0;
        if ((bodies.flags[i] & flag_round) == 0) {
            swing = model.prototypes[bodies.prototype[i]].swing;
            const double change = lane::sqrt(change2) + swing * norm(now.w - before.w);
            change2 = change * change;
        }
        if (!(change2 > allowed2)) {
            return 0.0;
        }
        bodies.flags[i] |= flag_surprised;
        bodies.reach[i] = static_cast<float>(
            1.000001 * h * (norm(before.v) + swing * norm(before.w) + lane::sqrt(change2) + spare));
        return 1.0;
    });
    if (any == 0) {
        return 0;
    }
    const std::size_t n = list.pair.size();
    std::atomic<std::size_t> missed{0};
    std::atomic<std::size_t> first_pair{n};
    exec::for_chunks(
        n, pair_chunk, model.threads, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t p = begin; p < end; ++p) {
                const BodyPair pair = list.pair[p];
                const std::uint8_t either = bodies.flags[pair.first] | bodies.flags[pair.second];
                const std::uint8_t both = bodies.flags[pair.first] & bodies.flags[pair.second];
                // Two spheres touch in one point; other bodies may do so in more than were found.
                const bool spheres = (both & flag_round) != 0;
                if ((spheres && candidates.count[p] != 0) || (either & flag_surprised) == 0 ||
                    (both & flag_alive) == 0) {
                    continue;
                }
                const VelocityLine& a = bodies.velocity[pair.first];
                const VelocityLine& b = bodies.velocity[pair.second];
                const double coarse = coarse_reach(bodies, pair);
                const double tolerance = 1e-6 * bodies.ball[pair.first].r;
                bool passes = false;
                if ((both & flag_round) != 0) {
                    const Ball& ball_a = bodies.ball[pair.first];
                    const Ball& ball_b = bodies.ball[pair.second];
                    const Vec d = image_difference(ball_a, ball_b, model.box);
                    const double near = ball_a.r + ball_b.r + coarse;
                    if (dot(d, d) <= near * near) {
                        const RoundContact contact = round_contact(d, ball_a.r, ball_b.r);
                        passes =
                            contact.gap + h * dot(contact.normal, a.v - b.v) < -tolerance &&
                            ((either & flag_grouped) == 0 || !is_covered(model, bodies, list, p));
                    }
                } else {
                    Manifold points;
                    find_points(model, bodies, list, p, coarse, points);
                    const bool more = points.count > candidates.count[p];
                    for (int k = 0; more && k < points.count; ++k) {
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
                    std::size_t known = first_pair;
                    while (p < known && !first_pair.compare_exchange_weak(known, p)) {
                    }
                }
            }
        });
    if (missed > 0) {
        first = list.pair[first_pair];
    }
    return missed;
}

}  // namespace scree::collide
