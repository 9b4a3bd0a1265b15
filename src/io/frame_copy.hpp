// A frame that owns what it shows, for those who write it while its world goes on.
#pragma once

#include "scree/world.hpp"

#include <vector>

namespace scree::io {

class FrameCopy {
public:
    explicit FrameCopy(const Frame& frame) : frame_(frame)
    {
        keep(frame_.ids, ids_);
        keep(frame_.positions, positions_);
        keep(frame_.orientations, orientations_);
        keep(frame_.velocities, velocities_);
        keep(frame_.angular_velocities, angular_velocities_);
        keep(frame_.masses, masses_);
        keep(frame_.shapes, shapes_);
        keep(frame_.materials, materials_);
        keep(frame_.contacts, contacts_);
        keep(frame_.ghosts, guests_);
    }
    FrameCopy(const FrameCopy&) = delete;
    FrameCopy& operator=(const FrameCopy&) = delete;
    [[nodiscard]] const Frame& frame() const { return frame_; }

private:
    template <class T> static void keep(std::span<const T>& shown, std::vector<T>& own)
    {
        own.assign(shown.begin(), shown.end());
        shown = own;
    }

    Frame frame_;
    std::vector<BodyId> ids_;
    std::vector<Vec3<double>> positions_, velocities_, angular_velocities_;
    std::vector<Quat<double>> orientations_;
    std::vector<double> masses_;
    std::vector<Shape> shapes_;
    std::vector<MaterialId> materials_;
    std::vector<Contact> contacts_;
    std::vector<Ghost> guests_;
};

}  // namespace scree::io
