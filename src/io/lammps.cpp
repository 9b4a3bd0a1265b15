// Frames as LAMMPS dumps. Shapes are given by their full extents (LAMMPS' diameters) along the
// body's axes and the quaternion that turns these, i j k before w as OVITO wants it.
#include "scree/io/lammps.hpp"

#include "io/extent.hpp"
#include "io/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace scree::io {
namespace {

struct Interval {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double x, double r)
    {
        low = std::min(low, x - r);
        high = std::max(high, x + r);
    }
};

}  // namespace

int lammps_type(ShapeKind kind, MaterialId material)
{
    constexpr int bounded_kinds = 8;  // polyhedra and clumps are the last of them
    constexpr int walls = 3;
    const int number = static_cast<int>(kind) - (kind > ShapeKind::sphere_wall ? walls : 0);
    return 1 + number + bounded_kinds * material;
}

std::string lammps_frame(const Frame& frame)
{
    const std::size_t n = frame.dynamic_count;
    Interval x, y, z;
    for (std::size_t i = 0; i < n; ++i) {
        const double r = radius(frame.shapes[i]);
        x.add(frame.positions[i].x, r);
        y.add(frame.positions[i].y, r);
        z.add(frame.positions[i].z, r);
    }
    if (n == 0) {
        x = y = z = {0, 0};
    }
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    fmt::format_to(out,
                   "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS ss ss ss\n"
                   "{} {}\n{} {}\n{} {}\n"
                   "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz "
                   "quati quatj quatk quatw shapex shapey shapez\n",
                   frame.step, n, x.low, x.high, y.low, y.high, z.low, z.high);
    for (const std::size_t i : by_id(frame, n)) {
        const Vec3<double>& p = frame.positions[i];
        const Vec3<double>& v = frame.velocities[i];
        const Vec3<double>& w = frame.angular_velocities[i];
        const Quat<double>& q = frame.orientations[i];
        const Vec3<double> size = extents(frame.shapes[i]);
        fmt::format_to(out, "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n",
                       frame.ids[i], lammps_type(frame.shapes[i].kind, frame.materials[i]), p.x,
                       p.y, p.z, radius(frame.shapes[i]), v.x, v.y, v.z, w.x, w.y, w.z, q.x, q.y,
                       q.z, q.w, size.x, size.y, size.z);
    }
    return fmt::to_string(text);
}

}  // namespace scree::io
