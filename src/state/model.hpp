// What stays the same while a world is stepped: settings, kinds of bodies, surfaces.
#pragma once

#include "scree/contact.hpp"
#include "scree/device.hpp"
#include "scree/settings.hpp"
#include "state/bodies.hpp"

namespace scree {

namespace domain {
class Domain;
}

struct Model {
    Settings settings;
    std::vector<Prototype> prototypes;
    std::vector<Surface> surfaces{Surface{}};  ///< of each pair of materials
    std::size_t materials = 1;
    int threads = 1;
    Isa isa = Isa::scalar;
    collide::Periodic box;
    domain::Domain* domain = nullptr;  ///< the share in a world of several ranks

    [[nodiscard]] const Surface& surface(MaterialId a, MaterialId b) const
    {
        return surfaces[a * materials + b];
    }
};

/// Pairs of a region; 0: all are one, as on devices.
inline std::size_t region_pairs(const Settings& settings)
{
    return settings.gpu == no_gpu ? static_cast<std::size_t>(settings.region_pairs) : 0;
}

/// The vector from b to a, of the nearest images.
SCREE_HD Vec3<double> image_difference(const Ball& a, const Ball& b, const collide::Periodic& box)
{
    return between_images(Vec3<double>{a.x - b.x, a.y - b.y, a.z - b.z}, box);
}

}  // namespace scree
