#include "stages/velocities/integrate_velocity.hpp"

#include "exec/threads.hpp"
#include "stages/velocities/free_velocity.hpp"

namespace scree::move {

double integrate_velocity(const Model& model, Bodies& bodies)
{
    const ModelView m = view(model);
    const BodyView b = view(bodies);
    const double fall = norm(m.settings.time_step * m.settings.gravity);
    return exec::largest(bodies.dynamic_count, model.threads, fall,
                         [&](std::size_t i) { return push(m, b, i); });
}

}  // namespace scree::move
