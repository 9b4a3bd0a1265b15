// Bounded shapes against walls. Against a half-space the shape's feature that faces it gives the
// points. Inside a curved wall a convex shape touches at corners or where its outward normal meets
// the wall's: there its distance from the wall's axis or centre is greatest.
#pragma once

#include "shapes/feature.hpp"
#include "shapes/manifold_reduction.hpp"
#include "shapes/separation.hpp"
#include "shapes/sphere_pairs.hpp"

namespace scree::shapes {

/// The 2⁠–⁠8 corners of a box or the ends of a capsule's segment, and their names.
SCREE_LONG int corners_of(const Placed& c, Vec p[8])
{
    if (c.kind == ShapeKind::capsule) {
        p[0] = c.centre - c.size.y * c.ax;
        p[1] = c.centre + c.size.y * c.ax;
        return c.size.y > 0 ? 2 : 1;
    }
    for (int i = 0; i < 8; ++i) {
        const Vec local{(i & 1) != 0 ? c.size.x : -c.size.x, (i & 2) != 0 ? c.size.y : -c.size.y,
                        (i & 4) != 0 ? c.size.z : -c.size.z};
        p[i] = c.centre + to_world(c, local);
    }
    return 8;
}

/// Appends the four deepest; where gaps agree to within `noise`, the earlier ones.
SCREE_LONG void keep_deepest(const PointPool& all, double reach, double noise, Manifold& out)
{
    bool taken[PointPool::capacity] = {};
    for (int k = 0; k < Manifold::of_convex; ++k) {
        double lowest = reach;
        bool any = false;
        for (int i = 0; i < all.count; ++i) {
            if (!taken[i] && all.points[i].gap <= lowest) {
                lowest = all.points[i].gap;
                any = true;
            }
        }
        for (int i = 0; any && i < all.count; ++i) {
            if (!taken[i] && all.points[i].gap <= least(lowest + noise, reach)) {
                taken[i] = true;
                out.points[out.count++] = all.points[i];
                break;
            }
        }
    }
}

SCREE_LONG void collide_half_space(const Shape& a, const Pose& pa, const Pose& pb, double reach,
                                   Manifold& out)
{
    const Vec n = rotate(pb.orientation, Vec{0, 0, 1});
    const Placed c = place(a, pa, pb.position);
    const double size = most(c.large, c.round);
    const Vec lowest = support(c, -n);
    const double gap = dot(lowest, n) - c.round;
    if (gap > reach) {
        return;
    }
    PointPool all;
    const auto add = [&](const Vec& p, std::uint32_t name) {
        const double g = dot(p, n) - c.round;
        all.add(pb.position + (p - (c.round + 0.5 * g) * n), n, g, name);
    };
    if (c.kind == ShapeKind::box || c.kind == ShapeKind::capsule) {
        Vec p[8];
        const int count = corners_of(c, p);
        for (int i = 0; i < count; ++i) {
            add(p[i], static_cast<std::uint32_t>(i));
        }
        keep_deepest(all, reach, same_gap * size, out);
        return;
    }
    if (c.solid != nullptr) {
        for (int i = 0; i < c.solid->vertex_count; ++i) {
            add(c.centre + to_world(c, corner_of(c, i)), static_cast<std::uint32_t>(i));
        }
        reduce(all, reach, same_gap * size, out);
        return;
    }
    const Feature f = feature_of(c, -n, 0.05);
    double least_gap = std::numeric_limits<double>::infinity();
    int deepest = 0;
    for (int i = 0; i < f.count; ++i) {
        add(f.p[i], f.corner[i]);
        if (all.points[i].gap < least_gap) {
            least_gap = all.points[i].gap;
            deepest = i;
        }
    }
    if (least_gap <= gap + same_gap * size) {
        all.points[deepest].gap = gap;
    } else {
        add(lowest, 63);
    }
    reduce(all, reach, same_gap * size, out);
}

/// The greatest of the lengths |q + y u + z v| over y² + z² = r², one or two maxima; returns how
/// many, with their (y, z). All vectors are in the subspace in which the wall is round.
SCREE_LONG int farthest_on_circle(const Vec& q, const Vec& u, const Vec& v, double r, double y[2],
                                  double z[2])
{
    // f(φ) = |q|² + 2r(g·e) + r² eᵀ M e with e = (cos φ, sin φ), stationary where e is parallel to
    // g + r M e. From either end of the longer axis of M, Newton's method on the angle.
    const double gu = dot(q, u), gv = dot(q, v);
    const double muu = dot(u, u), muv = dot(u, v), mvv = dot(v, v);
    const double half = (muu - mvv) / 2, spread = math::sqrt(half * half + muv * muv);
    double ex = 1, ey = 0;
    if (spread > 1e-15) {
        // The axis of the larger eigenvalue.
        ex = half >= 0 ? half + spread : math::abs(muv);
        ey = half >= 0 ? muv : (muv >= 0 ? spread - half : half - spread);
    } else if (gu != 0 || gv != 0) {
        const double g = most(math::abs(gu), math::abs(gv));
        ex = gu / g;
        ey = gv / g;
    }
    const double e = math::sqrt(ex * ex + ey * ey);
    ex = e > 0 ? ex / e : 1.0;
    ey = e > 0 ? ey / e : 0.0;
    int found = 0;
    for (int start = 0; start < 2; ++start) {
        double cx = start == 0 ? ex : -ex, cy = start == 0 ? ey : -ey;
        const auto value = [&](double x, double w) {
            return 2 * (gu * x + gv * w) + r * (muu * x * x + 2 * muv * x * w + mvv * w * w);
        };
        double best = value(cx, cy);
        for (int i = 0; i < 60; ++i) {
            const double hx = gu + r * (muu * cx + muv * cy), hy = gv + r * (muv * cx + mvv * cy);
            const double slope = hy * cx - hx * cy;
            const double curve =
                hx * cx + hy * cy - r * (muu * cy * cy - 2 * muv * cx * cy + mvv * cx * cx);
            double step = curve > 0 ? slope / curve : sign_of(slope) * 0.3;
            step = clamped(step, -0.5, 0.5);
            bool moved = false;
            for (int halving = 0; halving < 20; ++halving) {
                const double tx = cx - step * cy, ty = cy + step * cx;
                const double t = math::sqrt(tx * tx + ty * ty);
                const double next = value(tx / t, ty / t);
                if (next > best || math::abs(step) < 1e-7) {
                    cx = tx / t;
                    cy = ty / t;
                    best = next;
                    moved = true;
                    break;
                }
                step *= 0.4;
            }
            if (!moved || math::abs(step) < 1e-15) {
                break;
            }
        }
        if (found == 1 && r * (cx * y[0] + cy * z[0]) > (1 - 1e-6) * r * r) {
            break;
        }
        y[found] = r * cx;
        z[found] = r * cy;
        ++found;
    }
    return found;
}

/// Farthest points of an ellipsoid from the wall's axis or centre. `flat` is the axis to leave out,
/// or zero. Both ends of the longest axis are tried.
SCREE_LONG int farthest_on_ellipsoid(const Placed& c, const Vec& flat, Vec p[2], int name[2])
{
    const auto in_plane = [&](const Vec& v) { return v - dot(v, flat) * flat; };
    // The axis that is longest across the wall's.
    const Vec axes[3] = {c.size.x * c.ax, c.size.y * c.ay, c.size.z * c.az};
    Vec longest = in_plane(axes[0]);
    for (int i = 1; i < 3; ++i) {
        const Vec v = in_plane(axes[i]);
        longest = dot(v, v) > dot(longest, longest) * (1 + 1e-9) ? v : longest;
    }
    int found = 0;
    for (int start = 0; start < 2; ++start) {
        Vec n = direction_of(start == 0 ? longest : -longest);
        const auto height = [&](const Vec& m) { return dot(support(c, m), m); };
        double best = height(n);
        for (int i = 0; i < 200; ++i) {
            // Fixed-point steps climb always; Newton's method takes over where it climbs more.
            const Vec w = in_plane(support(c, n));
            const Vec fixed = is_zero(w) ? n : direction_of(w);
            const Vec t1 = is_zero(flat) ? across(n) : cross(flat, n);
            const Vec t2 = is_zero(flat) ? cross(n, t1) : Vec{0, 0, 0};
            double k11 = -best, k12 = 0, k22 = -best;
            add_curvature(c, n, t1, t2, k11, k12, k22);
            const double g1 = dot(w, t1), g2 = dot(w, t2);
            double x = 0, y = 0;
            const double det = is_zero(flat) ? k11 * k22 - k12 * k12 : 1.0;
            const bool concave = k11 < 0 && det > 0;
            if (concave && !is_zero(flat)) {
                x = -g1 / k11;
            } else if (concave) {
                x = -(k22 * g1 - k12 * g2) / det;
                y = -(k11 * g2 - k12 * g1) / det;
            }
            const double length = math::sqrt(x * x + y * y);
            Vec next = fixed;
            if (concave && math::finite(length) && length < 0.5) {
                const Vec newton = normalised(n + x * t1 + y * t2);
                if (length < 1e-7 || height(newton) > height(fixed)) {
                    next = newton;
                }
            }
            const double moved = norm(next - n);
            n = next;
            best = height(n);
            if (moved < 1e-15) {
                break;
            }
        }
        const Vec q = support(c, n);
        if (found == 1 && norm(q - p[0]) < 1e-6 * c.large) {
            break;
        }
        p[found] = q;
        name[found] = start;
        ++found;
    }
    return found;
}

/// A shape inside a cylinder_wall or sphere_wall.
SCREE_LONG void collide_curved_wall(const Shape& a, const Pose& pa, const Shape& wall,
                                    const Pose& pb, double reach, Manifold& out)
{
    const Placed c = place(a, pa, pb.position);
    const bool tube = wall.kind == ShapeKind::cylinder_wall;
    const Vec axis = tube ? rotate(pb.orientation, Vec{1, 0, 0}) : Vec{0, 0, 0};
    const double size = most(c.large, c.round);
    PointPool all;
    const Vec across_y = rotate(pb.orientation, Vec{0, 1, 0});
    const Vec across_z = rotate(pb.orientation, Vec{0, 0, 1});
    const auto add = [&](const Vec& p, int name) {
        // Made of the wall's own axes, so that it has no part along the tube's.
        const Vec radial = tube ? dot(p, across_y) * across_y + dot(p, across_z) * across_z : p;
        const double rho = norm(radial);
        const Vec n = rho > 1e-150 ? (-1 / rho) * radial : across_z;
        const double gap = wall.size.x - rho - c.round;
        all.add(pb.position + (p - (c.round + 0.5 * gap) * n), n, gap,
                static_cast<std::uint32_t>(name));
    };
    if (c.kind == ShapeKind::box || c.kind == ShapeKind::capsule) {
        Vec p[8];
        const int count = corners_of(c, p);
        for (int i = 0; i < count; ++i) {
            add(p[i], i);
        }
    } else if (c.solid != nullptr) {
        for (int i = 0; i < c.solid->vertex_count; ++i) {
            add(c.centre + to_world(c, corner_of(c, i)), i);
        }
        reduce(all, reach, same_gap * size, out);
        return;
    } else if (c.kind == ShapeKind::ellipsoid) {
        Vec p[2];
        int name[2];
        const int count = farthest_on_ellipsoid(c, axis, p, name);
        for (int i = 0; i < count; ++i) {
            add(p[i], name[i]);
        }
    } else {
        // Rims: of a cylinder's caps, or of the profile's arc.
        const bool cylinder = c.kind == ShapeKind::cylinder;
        const Vec up = cylinder ? c.ax : c.az;
        const Vec u = cylinder ? c.ay : c.ax, v = cylinder ? c.az : c.ay;
        const double half = cylinder ? c.size.y : c.size.z;
        const auto in_plane = [&](const Vec& x) { return x - dot(x, axis) * axis; };
        for (int end = 0; end < 2; ++end) {
            const Vec middle = c.centre + (end == 0 ? -half : half) * up;
            double y[2], z[2];
            const int count =
                farthest_on_circle(in_plane(middle), in_plane(u), in_plane(v), c.size.x, y, z);
            for (int i = 0; i < count; ++i) {
                if (cylinder || y[i] <= 0) {
                    add(middle + y[i] * u + z[i] * v, 8 + 2 * end + i);
                }
            }
            for (int k = 0; k < 2 && !cylinder; ++k) {
                const double side = k == 0 ? -c.size.x : c.size.x;
                add(middle + c.size.y * u + side * v, 2 * end + k);
            }
        }
    }
    keep_deepest(all, reach, same_gap * size, out);
}

}  // namespace scree::shapes
