// What a step says about itself.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace scree {

/// The stages of a step. The same names are used in code, profiles and documentation. narrow_phase
/// also looks for missed contacts after relax, and account comes before and after integrate_pose.
enum class Stage : std::uint8_t {
    broad_phase,
    narrow_phase,
    contact_setup,
    integrate_velocity,
    relax,
    integrate_pose,
    store_impulses,
    account,
    observe
};
/// How many stages there are.
inline constexpr int stage_count = 9;
/// "broad_phase" …
std::string_view name_of(Stage stage);

/// Things that went wrong without stopping the run: how often, and where first.
enum class Condition : std::uint8_t {
    unconverged,       ///< residual above the tolerance: raise settings.sweeps or lower time_step
    deep_penetration,  ///< contacts deeper than settings.deep_penetration: lower time_step
    missed_contact,    ///< pairs that passed into each other unseen: lower time_step
    degenerate,  ///< contacts whose Delassus block is not positive definite and took no impulse
    not_finite,  ///< bodies whose velocity is not a number: lower time_step
    energy_unbalanced  ///< the ledger does not close within settings.energy_tolerance
};
/// How many conditions there are.
inline constexpr int condition_count = 6;
/// "unconverged" …
std::string_view name_of(Condition condition);
/// What to do about it.
std::string_view advice(Condition condition);

/// How often a condition occurred in a step, and where first.
struct ConditionCount {
    std::uint64_t count = 0;   ///< contacts, bodies or steps concerned; 0: it did not occur
    bool located = false;      ///< the bodies below are meant; else it concerns the whole step
    std::uint64_t first = 0;   ///< id of the first body concerned
    std::uint64_t second = 0;  ///< and of its partner, if it is a contact
};

/// Where energy went during a step, each term computed for itself [J]. Work is positive where it
/// adds to the bodies' energy.
struct EnergyLedger {
    double kinetic = 0;    ///< at the end
    double potential = 0;  ///< at the end, −m g·x

    double kinetic_before = 0, potential_before = 0;  ///< at the end of the step before
    double inserted = 0, removed = 0;  ///< energy of bodies added and taken since the step before
    double gravity_work = 0;           ///< m g δt · ½(v + v′)
    double force_work = 0;             ///< external forces, torques and impulses · mean velocity
    double wall_work = 0;              ///< reactions on bodies · velocity of prescribed bodies
    double normal_work = 0;            ///< Σ x_n ½(δv_n⁻ + δv_n⁺)
    double friction_work = 0;          ///< Σ x_to · ½(δv_to⁻ + δv_to⁺)
    double gyroscopic_work = 0;        ///< −δt (ω × Iω) · ½(ω + ω′)
    double gravity_error = 0;  ///< potential energy against gravity work: −½ m g δt · (v′ − v)
    double rotation_error = 0;  ///< re-rotated inertia: kinetic energy changed by the new pose
    double periodic_wrap = 0;   ///< potential energy of bodies passing a periodic border

    // Parts of normal_work.
    double correction_work = 0;   ///< −x_n g of penetrating contacts: put in by error reduction
    double gap_work = 0;          ///< −x_n g of open contacts: taken by closing within the step
    double restitution_work = 0;  ///< −x_n g of bouncing contacts: given back

    /// What is left over: rounding, if all is well.
    [[nodiscard]] double residual() const
    {
        return kinetic + potential -
               (kinetic_before + potential_before + inserted - removed + gravity_work + force_work +
                wall_work + normal_work + friction_work + gyroscopic_work + rotation_error +
                (gravity_error - gravity_work) + periodic_wrap);
    }
};

/// How waiting for other threads and ranks went. Who waits looks for some microseconds, then
/// sleeps.
struct Waits {
    std::uint64_t waits = 0;   ///< for something that was not there yet
    std::uint64_t looks = 0;   ///< in all of them
    std::uint64_t sleeps = 0;  ///< how often one fell asleep

    /// Adds another count.
    Waits& operator+=(const Waits& other)
    {
        waits += other.waits;
        looks += other.looks;
        sleeps += other.sleeps;
        return *this;
    }
    /// From an earlier count of the same to this one.
    [[nodiscard]] Waits since(const Waits& before) const
    {
        return {waits - before.waits, looks - before.looks, sleeps - before.sleeps};
    }
};

/// What a step says about itself.
struct StepReport {
    std::uint64_t step = 0;           ///< steps done
    double time = 0;                  ///< at the end of the step [s]
    std::size_t bodies = 0;           ///< dynamic ones
    std::size_t pairs = 0;            ///< in the neighbour list
    std::size_t candidates = 0;       ///< contact points handed to the solver
    std::size_t contacts = 0;         ///< touching: gap at most 2e-5 of the smaller bounding radius
    std::size_t loaded_contacts = 0;  ///< with x_n > 0
    int colours = 0;                  ///< groups of pairs that share no moving body
    int split_copies = 0;             ///< of split bodies
    int bodies_on_several_ranks = 0;  ///< bodies with neighbours on several ranks
    int sweeps = 0;                   ///< done in this step
    int accelerated_sweeps = 0;       ///< of these, accepted accelerated ones
    double residual = 0;              ///< the last sweep's, relative to velocity_scale
    double velocity_scale = 0;        ///< [m/s]
    double max_penetration = 0;       ///< before the step [m]
    double mean_penetration = 0;      ///< before the step, of penetrating contacts [m]
    int threads = 1;                  ///< that shared the step's work
    Waits waits;                      ///< of these for each other, and of this rank for others
    bool list_rebuilt = false;        ///< the neighbour list was made anew
    int passes = 1;  ///< of narrow phase and relaxation; more where contacts had been missed
    bool restitution_reduced = false;  ///< restitution was reduced so as not to gain energy
    double load_imbalance =
        1;  ///< candidates of the rank that has most of them, relative to the mean
    std::array<double, stage_count> seconds{};  ///< of each stage
    /// By Condition; operator[] reads them.
    std::array<ConditionCount, condition_count> conditions{};
    EnergyLedger energy;  ///< of this step

    /// How often a condition occurred.
    [[nodiscard]] const ConditionCount& operator[](Condition c) const
    {
        return conditions[static_cast<std::size_t>(c)];
    }
    /// No condition occurred.
    [[nodiscard]] bool good() const
    {
        for (const auto& c : conditions) {
            if (c.count != 0) {
                return false;
            }
        }
        return true;
    }
};

}  // namespace scree
