// What stays the same while a world is stepped: settings, kinds of bodies, surfaces.
#pragma once

#include "scree/contact.hpp"
#include "scree/device.hpp"
#include "scree/settings.hpp"
#include "shapes/periodic.hpp"
#include "state/bodies.hpp"

namespace scree::state {

struct Model {
    Settings settings;
    std::vector<Prototype> prototypes;
    std::vector<ContactMaterial> surfaces{ContactMaterial{}};  ///< of each pair of materials
    std::size_t materials = 1;
    int threads = 1;
    InstructionSet isa = InstructionSet::scalar;
    shapes::Periodic box;

    [[nodiscard]] const ContactMaterial& surface(MaterialId a, MaterialId b) const
    {
        return surfaces[a * materials + b];
    }
};

/// Pairs of a region; 0: all are one, as on devices.
inline std::size_t region_pairs(const Settings& settings)
{
    return settings.gpu == no_gpu ? static_cast<std::size_t>(settings.region_pairs) : 0;
}

}  // namespace scree::state
