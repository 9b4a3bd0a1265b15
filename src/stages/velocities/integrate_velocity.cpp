#include "stages/velocities/integrate_velocity.hpp"

#include "exec/threads.hpp"
#include "stages/velocities/free_velocity.hpp"

namespace scree::velocities {

double integrate_velocity(const state::Model& model, state::Bodies& bodies)
{
    const state::ModelView m = state::view(model);
    const state::BodyView b = state::view(bodies);
    const double fall = norm(m.settings.time_step * m.settings.gravity);
    return exec::largest(bodies.dynamic_count, model.threads, fall,
                         [&](std::size_t i) { return free_velocity(m, b, i); });
}

}  // namespace scree::velocities
