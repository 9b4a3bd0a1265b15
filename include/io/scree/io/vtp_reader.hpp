// Frames read back from the files of vtp_writer.hpp, every number as it was written.
#pragma once

#include "scree/world.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace scree::io {

/// A frame that owns its columns. `contacts` are those that touched or carried an impulse.
struct StoredFrame {
    std::uint64_t step = 0;                        ///< steps done
    double time = 0;                               ///< [s]
    double time_step = 0;                          ///< [s]
    std::size_t dynamic_count = 0;                 ///< bodies before this index are dynamic
    std::vector<BodyId> ids;                       ///< of all bodies, and so are all columns
    std::vector<Vec3<double>> positions;           ///< of the shapes' origins [m]
    std::vector<Quat<double>> orientations;        ///< body frame to world frame
    std::vector<Vec3<double>> velocities;          ///< of the centres of mass [m/s]
    std::vector<Vec3<double>> angular_velocities;  ///< [rad/s]
    std::vector<double> masses;                    ///< infinite for prescribed bodies [kg]
    std::vector<Shape> shapes;                     ///< in their own frames
    std::vector<MaterialId> materials;             ///< by number
    std::vector<Contact> contacts;                 ///< empty unless asked for

    /// Its spans live as long as this frame.
    [[nodiscard]] Frame view() const;
};

/// Reads a file of write_particles, or the pieces that an index names. A file that is missing,
/// damaged, incomplete, of another frame or not one of ours is refused with an Error that says why.
StoredFrame read_frame(const std::filesystem::path& particles);
/// The same with the contacts of write_contacts, which must be of the same frame.
StoredFrame read_frame(const std::filesystem::path& particles,
                       const std::filesystem::path& contacts);

/// When a frame is of.
struct FrameStamp {
    std::uint64_t step;  ///< steps done
    double time;         ///< [s]
    double time_step;    ///< [s]
};

/// Reads the beginning of a file of write_particles or write_contacts, or an index of such, only;
/// what follows may be damaged.
FrameStamp read_stamp(const std::filesystem::path& file);

}  // namespace scree::io
