// The rods declared in force_rods.hpp.
#include "analyse/force_rods.hpp"

#include "analyse/body_index.hpp"
#include "scree/body.hpp"
#include "shapes/clump.hpp"

namespace scree::analyse {

std::vector<ForceRod> force_rods(const Frame& frame, double largest)
{
    std::vector<ForceRod> rods;
    for_each_contact(frame, [&](const Contact& contact, std::size_t first, std::size_t second) {
        const double force = norm(contact.impulse) / frame.time_step;
        const double share = std::min(1.0, force / largest);
        if (!(share > 1e-3)) {
            return;
        }
        const double a = shapes::outer_radius(frame.shapes[first]);
        const double b = shapes::outer_radius(frame.shapes[second]);
        const double radius = 0.4 * std::min(a, b) * std::sqrt(share);
        for (const std::size_t body : {first, second}) {
            const Vec along = frame.positions[body] - contact.point;
            const double length = norm(along);
            if (body < frame.dynamic_count && length > 0 &&
                length < 1.5 * (body == first ? a : b)) {
                rods.push_back({{Shape::capsule(radius, length), contact.point + 0.5 * along,
                                 orientation_of_x(along)},
                                force});
            }
        }
    });
    return rods;
}

}  // namespace scree::analyse
