// What host engine and device engine decide alike in a pass and after it.
#pragma once

#include "scree/ranks.hpp"
#include "scree/settings.hpp"
#include "stages/rows/pass_speeds.hpp"

#include <cstddef>

namespace scree::engine {

/// What set-up has found out about the contacts of a pass: of this rank, and once ranks agree, of
/// all.
struct PassOutlook {
    double fastest;  ///< see PassSpeeds
    std::size_t bouncing;
    bool any;  ///< there is a contact to relax

    [[nodiscard]] double velocity_scale() const { return rows::PassSpeeds::scale_of(fastest); }
    void agree(Ranks& ranks)
    {
        double all[]{fastest, static_cast<double>(bouncing), any ? 1.0 : 0.0};
        ranks.largest(all);
        fastest = all[0];
        bouncing = static_cast<std::size_t>(all[1]);
        any = all[2] > 0;
    }
};

/// A contact bounces if its inelastic impulse changes its normal velocity by more than this.
inline double least_bounce(const Settings& settings, double velocity_scale)
{
    return settings.tolerance * velocity_scale;
}
/// A single contact cannot gain energy from another one's bounce.
inline bool guard_may_help(bool several_ranks, std::size_t contacts)
{
    return several_ranks || contacts > 1;
}

/// Contacts are judged by the velocities that they left. Bodies with tensors turn afterwards, which
/// changes their velocities once more: then those before are kept in velocity_before.
template <class Bodies> [[nodiscard]] bool turning_changed_velocities(const Bodies& bodies)
{
    return bodies.inertia.size() > 0;
}
template <class Bodies> [[nodiscard]] const auto& velocities_of_contacts(const Bodies& bodies)
{
    return turning_changed_velocities(bodies) ? bodies.velocity_before : bodies.velocity;
}
/// While it lives, `bodies.velocity` has those velocities.
template <class Bodies> class WithVelocitiesOfContacts {
public:
    explicit WithVelocitiesOfContacts(Bodies& bodies) : bodies_(bodies) { swap(); }
    ~WithVelocitiesOfContacts() { swap(); }
    WithVelocitiesOfContacts(const WithVelocitiesOfContacts&) = delete;
    WithVelocitiesOfContacts& operator=(const WithVelocitiesOfContacts&) = delete;

private:
    void swap()
    {
        if (turning_changed_velocities(bodies_)) {
            bodies_.velocity.swap(bodies_.velocity_before);
        }
    }

    Bodies& bodies_;
};

}  // namespace scree::engine
