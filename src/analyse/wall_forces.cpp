// The sums declared in wall_forces.hpp.
#include "scree/analyse/wall_forces.hpp"

#include "analyse/body_index.hpp"
#include "math/vec.hpp"
#include "scree/analyse/stress.hpp"

#include <algorithm>

namespace scree::analyse {

std::vector<WallLoad> wall_loads(const Frame& frame, const Vec& period)
{
    const std::size_t first_wall = frame.dynamic_count;
    std::vector<WallLoad> loads(frame.ids.size() - first_wall);
    for (std::size_t k = 0; k < loads.size(); ++k) {
        loads[k].id = frame.ids[first_wall + k];
    }
    const auto add = [&](std::size_t i, const Contact& c, double sign) {
        if (i < first_wall) {
            return;
        }
        WallLoad& load = loads[i - first_wall];
        // Contact points are of the beginning of the step; so must be the origin.
        const Vec origin = frame.positions[i] - frame.time_step * frame.velocities[i];
        const Vec lever = is_wall(frame.shapes[i].kind) ? c.point - origin
                                                        : nearest_image(c.point - origin, period);
        const Vec force = (sign / frame.time_step) * c.impulse;
        load.contacts += c.touching ? 1U : 0U;
        load.force = load.force + force;
        load.torque = load.torque + cross(lever, force);
    };
    for_each_contact(frame, [&](const Contact& c, std::size_t i, std::size_t j) {
        add(i, c, 1);
        add(j, c, -1);
    });
    std::sort(loads.begin(), loads.end(),
              [](const WallLoad& a, const WallLoad& b) { return a.id < b.id; });
    return loads;
}

}  // namespace scree::analyse
