// A frame as several ranks would have it: each its bodies and contacts, and all prescribed bodies.
#pragma once

#include "scree/io/pvtp_index.hpp"
#include "scree/io/vtp_writer.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

namespace scree::test {

/// What one of `ranks` has: dynamic body i belongs to rank i % ranks, and contacts to the lower
/// rank.
class RankFrame {
public:
    RankFrame(const Frame& whole, std::size_t rank, std::size_t ranks)
    {
        std::map<BodyId, std::size_t> place;
        for (std::size_t i = 0; i < whole.ids.size(); ++i) {
            place[whole.ids[i]] = i;
        }
        const auto owner = [&](std::size_t i) {
            return i < whole.dynamic_count ? i % ranks : ranks;
        };
        for (std::size_t i = 0; i < whole.ids.size(); ++i) {
            if (owner(i) == rank || owner(i) == ranks) {
                places_.push_back(i);
                dynamic_count_ += owner(i) == rank ? 1 : 0;
            }
        }
        for (const Contact& c : whole.contacts) {
            const std::size_t first = place.at(c.first), second = place.at(c.second);
            if (std::min(owner(first), owner(second)) != rank) {
                continue;
            }
            contacts_.push_back(c);
            for (const std::size_t i : {first, second}) {
                if (owner(i) != rank && owner(i) != ranks) {
                    guests_.push_back({whole.ids[i], whole.positions[i], whole.velocities[i],
                                       whole.angular_velocities[i], whole.shapes[i]});
                }
            }
        }
        const auto take = [&](auto& to, const auto& from) {
            for (const std::size_t i : places_) {
                to.push_back(from[i]);
            }
        };
        take(ids_, whole.ids);
        take(positions_, whole.positions);
        take(orientations_, whole.orientations);
        take(velocities_, whole.velocities);
        take(angular_velocities_, whole.angular_velocities);
        take(masses_, whole.masses);
        take(shapes_, whole.shapes);
        take(materials_, whole.materials);
        frame_ = {
            whole.step,    whole.time,  whole.time_step,     dynamic_count_, ids_,    positions_,
            orientations_, velocities_, angular_velocities_, masses_,        shapes_, materials_,
            contacts_,     guests_};
    }
    RankFrame(const RankFrame&) = delete;
    RankFrame& operator=(const RankFrame&) = delete;
    [[nodiscard]] const Frame& frame() const { return frame_; }

private:
    std::vector<std::size_t> places_;
    std::size_t dynamic_count_ = 0;
    std::vector<BodyId> ids_;
    std::vector<Vec3<double>> positions_, velocities_, angular_velocities_;
    std::vector<Quat<double>> orientations_;
    std::vector<double> masses_;
    std::vector<Shape> shapes_;
    std::vector<MaterialId> materials_;
    std::vector<Contact> contacts_;
    std::vector<Ghost> guests_;
    Frame frame_{};
};

/// Writes a frame as so many ranks do.
inline void write_frame_of_ranks(const std::filesystem::path& particles,
                                 const std::filesystem::path& contacts, const Frame& frame,
                                 std::size_t ranks)
{
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const RankFrame own(frame, rank, ranks);
        for (const std::filesystem::path& index : {particles, contacts}) {
            std::filesystem::create_directories(io::piece_of(index, rank).parent_path());
        }
        io::write_particles(io::piece_of(particles, rank),
                            rank == 0 ? own.frame() : io::dynamic_bodies(own.frame()),
                            io::solids_of(frame));
        io::write_contacts(io::piece_of(contacts, rank), own.frame());
    }
    io::write_index(particles, ranks);
    io::write_index(contacts, ranks);
}

}  // namespace scree::test
