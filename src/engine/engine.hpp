// What carries out the stages of a step: the host's threads, or a device. The step itself, in what
// order stages follow each other and when one is repeated, is the same for all: world/step.cpp.
#pragma once

#include "scree/ranks.hpp"
#include "scree/world.hpp"
#include "stages/candidates/candidates.hpp"
#include "stages/finish/finish_body.hpp"
#include "stages/relax/host_relax.hpp"
#include "stages/rows/make_rows.hpp"

namespace scree::engine {

/// What a world is made of; it belongs to the world.
struct WorldData {
    state::Model& model;
    state::Bodies& bodies;
    state::PairList& list;
    state::StoredImpulses& stored;
    std::unique_ptr<ranks::Domain>& domain;  ///< null where one process has all
};

/// Pairs that the velocities of relaxation let pass into each other, known or not to the list.
struct MissedPairs {
    bool stale = false;  ///< the list may miss some
    std::size_t missed = 0;
    std::size_t first = 0;   ///< missed pair of the list
    bool elsewhere = false;  ///< another rank missed some, this one none
    [[nodiscard]] bool none() const { return !stale && missed == 0 && !elsewhere; }
    /// All ranks know then whether there are any.
    void agree(Ranks& ranks)
    {
        double both[]{stale ? 1.0 : 0.0, missed > 0 ? 1.0 : 0.0};
        ranks.largest(both);
        stale = both[0] > 0;
        elsewhere = missed == 0 && both[1] > 0;
    }
};

/// Contacts found and relaxed once.
struct PassReport {
    rows::SetupReport contacts;
    std::size_t candidates = 0;
    double velocity_scale = 0;
    relax::RelaxReport relaxed;
    MissedPairs unseen;
};

struct BounceReport {
    bool any = false;                  ///< some contact bounces
    bool restitution_reduced = false;  ///< the guard stepped in
    relax::RelaxReport relaxed;
};

struct EndReport {
    relax::ContactWork work;
    finish::BodySums sums;
    std::size_t touching = 0, penetrating = 0;  ///< contacts at the beginning of the step
    double penetration_sum = 0;
};

/// A dynamic body found in a box.
struct BodyInBox {
    std::uint32_t body, prototype;
    BodyId id;
    double energy;
    bool elsewhere;  ///< another rank counts it
};

SCREE_HD bool is_inside(const state::BodyView& bodies, std::size_t i, const Box& box)
{
    const shapes::Ball& b = bodies.ball[i];
    return b.x >= box.min.x && b.x <= box.max.x && b.y >= box.min.y && b.y <= box.max.y &&
           b.z >= box.min.z && b.z <= box.max.z && state::is_dynamic(bodies.flags[i]);
}
SCREE_HD BodyInBox body_in_box(const state::ModelView& model, const state::BodyView& bodies,
                               std::size_t i)
{
    const finish::BodyEnergy e = finish::energy_of(model, bodies, i, bodies.velocity[i]);
    return {static_cast<std::uint32_t>(i), bodies.prototype[i], bodies.id[i],
            e.kinetic + e.potential, (bodies.flags[i] & state::flag_ghost) != 0};
}

/// How much more than a step's way a list has to be good for at the beginning of the step.
inline constexpr double list_margin = 0.5;

/// The spare speed of the next step, at least, where one pass was enough.
inline double solver_speed_after_one_pass(double spare) { return 0.995 * spare; }

/// What somebody wants of a world's matter.
enum class Fetch : std::uint8_t {
    bodies,  ///< as frames show them: ids, kinds, poses, velocities
    all,     ///< all that later steps depend on
    all_to_change,
    forces_to_change  ///< forces and impulses on bodies alone
};

/// Bytes that an engine holds, and those that it gave back of the world's own columns.
struct EngineMemory {
    std::size_t host = 0, device = 0, forgotten = 0;
};

class Engine {
public:
    virtual ~Engine() = default;

    /// True if the list may miss a pair when every body moves with its velocity for one step, and
    /// for this much of a step more. Of this rank alone.
    virtual bool stale(double margin) = 0;
    /// Makes the neighbour list. `changed`: bodies were added, removed or placed anew. `relaxed`:
    /// in the middle of a step. Returns whether bodies changed places.
    virtual bool rebuild(bool changed, bool relaxed) = 0;
    virtual void begin_step(double spare) = 0;
    /// The stages from narrow_phase to relax, and the second look of narrow_phase. Times go into
    /// the report.
    virtual PassReport pass(candidates::Pass pass, double spare, StepReport& report) = 0;
    /// Lets the contacts bounce that took an impulse without, if any did.
    virtual BounceReport bounce(double velocity_scale) = 0;
    virtual MissedPairs find_missed(double spare) = 0;
    virtual void store_impulses() = 0;
    /// The stages account and integrate_pose.
    virtual EndReport end_step(StepReport& report) = 0;

    /// The ids of a pair of the list.
    virtual std::pair<BodyId, BodyId> bodies_of_pair(std::size_t pair) = 0;
    /// All contacts of the last step, in the order of the pairs.
    virtual void contacts(std::vector<Contact>& out) = 0;
    /// The residual of the last step's impulses, as a velocity.
    virtual double true_residual() = 0;
    /// Its contacts with an impulse.
    virtual std::vector<StepContact> problems() = 0;

    /// Brings the world's matter up to date, or what frames show of bodies, where it is elsewhere.
    /// Without asking, bodies may be appended, and prescribed ones, which are always up to date,
    /// may be changed: then `touch` says so.
    virtual void fetch(Fetch need) = 0;
    /// What frames show of dynamic bodies is not up to date.
    [[nodiscard]] virtual bool elsewhere() const = 0;
    virtual void touch() = 0;
    /// Dynamic bodies whose centre is in a box, by their places.
    virtual std::vector<BodyInBox> find_inside(const Box& box) = 0;
    /// Leaves gaps where these are.
    virtual void make_gaps(const std::vector<BodyInBox>& bodies) = 0;

    // Of the neighbour list:
    [[nodiscard]] virtual std::size_t pairs() const = 0;
    [[nodiscard]] virtual int colours() const = 0;
    [[nodiscard]] virtual int copies() const = 0;
    [[nodiscard]] virtual std::uint32_t rebuilds() const = 0;
    virtual void set_rebuilds(std::uint32_t rebuilds) = 0;
    [[nodiscard]] virtual EngineMemory memory() const = 0;
};

}  // namespace scree::engine
