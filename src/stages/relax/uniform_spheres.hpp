// What the rows of all pairs of dynamic bodies have in common where these are spheres of one kind:
// sweeps then need not read it with every row.
#pragma once

#include "stages/rows/contact_rule.hpp"

namespace scree::relax {

template <class T> struct UniformSpheres {
    bool are = false;
    T mu{}, weight{}, inverse_mass{}, inverse_moment{};

    /// Of bodies without copies.
    static UniformSpheres of(const state::Model& model)
    {
        const state::Prototype* only = nullptr;
        for (const state::Prototype& kind : model.prototypes) {
            if (kind.users > 0 && (kind.flags & state::flag_prescribed) == 0) {
                if (only != nullptr || (kind.flags & state::flag_round) == 0) {
                    return {};
                }
                only = &kind;
            }
        }
        if (only == nullptr) {
            return {};
        }
        const ContactMaterial& surface = model.surface(only->material, only->material);
        const state::VelocityLine line = state::line_of(*only, {0, 0, 0}, {0, 0, 0});
        return {true, static_cast<T>(rows::friction_of(model.settings, surface)),
                static_cast<T>(model.settings.relaxation), static_cast<T>(line.inverse_mass),
                static_cast<T>(line.inverse_moment)};
    }
};

}  // namespace scree::relax
