// Frames read back from .vtp files, whole or in the pieces of several ranks.
#include "io/stored_frame.hpp"

#include "io/frame_index.hpp"
#include "io/input.hpp"
#include "io/vtp_document.hpp"
#include "io/vtp_format.hpp"
#include "io/vtp_solids.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace scree::io {
namespace {

namespace fs = std::filesystem;

bool as_bool(std::uint8_t value, std::string_view name)
{
    if (value > 1) {
        throw Error(fmt::format("has {} = {}, which must be 0 or 1", name, value));
    }
    return value != 0;
}

StoredFrame read_particles(const vtp::StoredDocument& file)
{
    file.require_kind(vtp::particles);
    const std::size_t n = file.count("NumberOfPoints");
    const FrameStamp stamp = file.stamp();
    StoredFrame f;
    f.step = stamp.step;
    f.time = stamp.time;
    f.time_step = stamp.time_step;
    f.ids = file.column<std::uint64_t, BodyId>("id", n);
    f.positions = file.column<double, Vec3<double>>("Points", n);
    f.orientations = file.column<double, Quat<double>>("orientation", n);
    f.velocities = file.column<double, Vec3<double>>("velocity", n);
    f.angular_velocities = file.column<double, Vec3<double>>("angular_velocity", n);
    f.masses = file.column<double, double>("mass", n);
    f.materials = file.column<std::uint16_t, MaterialId>("material", n);
    f.shapes = vtp::read_shapes(file, n);
    const auto dynamic = file.column<std::uint8_t, std::uint8_t>("dynamic", n);
    for (std::size_t i = 0; i < n; ++i) {
        if (as_bool(dynamic[i], "dynamic")) {
            if (f.dynamic_count != i) {
                throw Error("has a dynamic body behind a prescribed one");
            }
            ++f.dynamic_count;
        }
    }
    return f;
}

std::vector<Contact> read_contacts(const vtp::StoredDocument& file, const StoredFrame& frame)
{
    file.require_kind(vtp::contacts);
    const std::size_t n = file.count("NumberOfLines");
    const auto points = file.column<double, Vec3<double>>("Points", file.count("NumberOfPoints"));
    const std::size_t bodies = frame.positions.size();
    if (file.stamp().step != frame.step || points.size() < bodies ||
        (bodies > 0 &&
         std::memcmp(points.data(), frame.positions.data(), bodies * sizeof points[0]) != 0)) {
        throw Error("holds the contacts of another frame");
    }
    const auto first = file.column<std::uint64_t, BodyId>("first", n);
    const auto second = file.column<std::uint64_t, BodyId>("second", n);
    const auto point = file.column<double, Vec3<double>>("point", n);
    const auto normal = file.column<double, Vec3<double>>("normal", n);
    const auto gap = file.column<double, double>("gap", n);
    const auto impulse = file.column<double, Vec3<double>>("impulse", n);
    const auto touching = file.column<std::uint8_t, std::uint8_t>("touching", n);
    std::vector<Contact> contacts;
    contacts.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        contacts.push_back({first[i], second[i], point[i], normal[i], gap[i],
                            as_bool(touching[i], "touching"), impulse[i]});
    }
    return contacts;
}

/// The files of one frame, in the order of ranks; a single one has no checksum to compare.
std::vector<FrameIndex::Piece> pieces_of(const fs::path& file)
{
    return is_index(file) ? read_index(file).pieces : std::vector<FrameIndex::Piece>{{file, ""}};
}

/// Hands out what a file says.
template <class Read> auto read_piece(const FrameIndex::Piece& piece, const Read& read)
{
    return about_file(piece.file, [&] {
        const vtp::StoredDocument document(read_bytes(piece.file), true);
        if (!piece.checksum.empty()) {
            document.require_checksum(piece.checksum);
        }
        return read(document);
    });
}

/// Puts the bodies and contacts of another rank to those that are there.
void join(StoredFrame& all, const StoredFrame& piece)
{
    const auto add = [&](auto& to, const auto& from) {
        const auto mine = static_cast<std::ptrdiff_t>(all.dynamic_count);
        const auto theirs = static_cast<std::ptrdiff_t>(piece.dynamic_count);
        to.insert(to.begin() + mine, from.begin(), from.begin() + theirs);
        to.insert(to.end(), from.begin() + theirs, from.end());
    };
    add(all.ids, piece.ids);
    add(all.positions, piece.positions);
    add(all.orientations, piece.orientations);
    add(all.velocities, piece.velocities);
    add(all.angular_velocities, piece.angular_velocities);
    add(all.masses, piece.masses);
    add(all.shapes, piece.shapes);
    add(all.materials, piece.materials);
    all.dynamic_count += piece.dynamic_count;
    all.contacts.insert(all.contacts.end(), piece.contacts.begin(), piece.contacts.end());
}

StoredFrame read_pieces(const fs::path& particles, const fs::path* contacts)
{
    const std::vector<FrameIndex::Piece> files = pieces_of(particles);
    std::vector<FrameIndex::Piece> contact_files;
    if (contacts != nullptr) {
        contact_files = pieces_of(*contacts);
        if (contact_files.size() != files.size()) {
            throw Error(fmt::format("{}: holds the contacts of another frame", contacts->string()));
        }
    }
    StoredFrame all;
    for (std::size_t k = 0; k < files.size(); ++k) {
        StoredFrame piece = read_piece(files[k], read_particles);
        if (contacts != nullptr) {
            piece.contacts = read_piece(contact_files[k], [&](const vtp::StoredDocument& document) {
                return read_contacts(document, piece);
            });
        }
        if (k == 0) {
            all = std::move(piece);
        } else if (piece.step == all.step) {
            join(all, piece);
        } else {
            throw Error(fmt::format("{}: is of step {}, and the first piece of step {}",
                                    files[k].file.string(), piece.step, all.step));
        }
    }
    return all;
}

}  // namespace

Frame StoredFrame::view() const
{
    return {.step = step,
            .time = time,
            .time_step = time_step,
            .dynamic_count = dynamic_count,
            .ids = ids,
            .positions = positions,
            .orientations = orientations,
            .velocities = velocities,
            .angular_velocities = angular_velocities,
            .masses = masses,
            .shapes = shapes,
            .materials = materials,
            .contacts = contacts};
}

StoredFrame read_frame(const fs::path& particles) { return read_pieces(particles, nullptr); }

StoredFrame read_frame(const fs::path& particles, const fs::path& contacts)
{
    return read_pieces(particles, &contacts);
}

FrameStamp read_stamp(const fs::path& file)
{
    if (is_index(file)) {
        return read_index(file).stamp;
    }
    return about_file(file, [&] {
        return vtp::StoredDocument(read_bytes(file, vtp::longest_header), false).stamp();
    });
}

}  // namespace scree::io
