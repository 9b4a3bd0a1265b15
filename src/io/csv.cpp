// Frames as CSV.
#include "scree/io/csv.hpp"

#include "io/extent.hpp"
#include "io/order.hpp"

#include <fmt/format.h>

#include <iterator>

namespace scree::io {

std::string csv_header()
{
    return "step,time [s],id,shape,dynamic,material,mass [kg],x [m],y [m],z [m],qw,qx,qy,qz,"
           "vx [m/s],vy [m/s],vz [m/s],wx [rad/s],wy [rad/s],wz [rad/s],"
           "size_1 [m],size_2 [m],size_3 [m],radius [m]\n";
}

std::string csv_rows(const Frame& frame)
{
    fmt::memory_buffer rows;
    for (const std::size_t i : by_id(frame, frame.ids.size())) {
        const Vec3<double>& x = frame.positions[i];
        const Quat<double>& q = frame.orientations[i];
        const Vec3<double>& v = frame.velocities[i];
        const Vec3<double>& w = frame.angular_velocities[i];
        const Shape& shape = frame.shapes[i];
        fmt::format_to(std::back_inserter(rows),
                       "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                       frame.step, frame.time, frame.ids[i], name_of(shape.kind),
                       i < frame.dynamic_count ? 1 : 0, frame.materials[i], frame.masses[i], x.x,
                       x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z, shape.size.x,
                       shape.size.y, shape.size.z, radius(shape));
    }
    return fmt::to_string(rows);
}

}  // namespace scree::io
