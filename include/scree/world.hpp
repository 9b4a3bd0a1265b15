// Many rigid bodies in hard contact, stepped through time.
//
//   scree::Settings settings;
//   settings.time_step = 1e-3;
//   scree::World world(settings);
//   world.add(scree::obstacle(scree::Shape::half_space()));
//   scree::Body ball;
//   ball.shape = scree::Shape::sphere(0.05);
//   ball.position = {0, 0, 1};
//   const scree::BodyId id = world.add(ball);
//   while (world.time() < 1) { world.step(); }
//   const double height = world.body(id).position.z;
//
// A step finds contacts, integrates velocities, relaxes all contact impulses, and integrates poses;
// its stages are those of scree::Stage. The same bodies, settings and calls give the same bits for
// any number of threads, instruction set and compiler.
#pragma once

#include "scree/body.hpp"
#include "scree/checkpoint.hpp"
#include "scree/ranks.hpp"
#include "scree/report.hpp"
#include "scree/settings.hpp"
#include "scree/types.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace scree {

/// One contact point as the last step left it.
struct Contact {
    BodyId first, second;  ///< ids of the two bodies
    Vec3<double> point;    ///< at the beginning of the step [m]
    Vec3<double> normal;   ///< from second to first
    double gap;            ///< at the beginning of the step [m]
    bool touching;         ///< the gap is at most 2e-5 of the smaller bounding radius
    Vec3<double> impulse;  ///< on first, world frame [N s]
};

/// A contact of the last step as a problem of its own, given the impulses of all others, and the
/// impulse that it took, in a frame of its own.
struct StepContact {
    ContactProblem<double> problem;  ///< A, b, β and μ of this contact
    ContactVector<double> impulse;   ///< that it took [N s]
};

/// A box along the axes; its bounds may be infinite.
struct Box {
    Vec3<double> min, max;  ///< [m]
};

/// A body of another rank that a contact of this one has to do with.
struct Ghost {
    BodyId id;  ///< of the body
    /// Of the shape's origin [m], of the centre of mass [m/s], and [rad/s].
    Vec3<double> position, velocity, angular_velocity;
    Shape shape;  ///< in its own frame
};

/// All bodies at one moment, prescribed ones last. The order changes from step to step; ids do not.
/// Of several ranks, each has its own bodies and contacts, and all prescribed bodies. Spans live
/// until the next call that changes the world.
struct Frame {
    std::uint64_t step;                                ///< steps done
    double time;                                       ///< [s]
    double time_step;                                  ///< an impulse over this is a force [s]
    std::size_t dynamic_count;                         ///< bodies before this index are dynamic
    std::span<const BodyId> ids;                       ///< of all bodies
    std::span<const Vec3<double>> positions;           ///< of the shapes' origins [m]
    std::span<const Quat<double>> orientations;        ///< body frame to world frame
    std::span<const Vec3<double>> velocities;          ///< of the centres of mass [m/s]
    std::span<const Vec3<double>> angular_velocities;  ///< [rad/s]
    std::span<const double> masses;                    ///< infinite for prescribed bodies [kg]
    std::span<const Shape> shapes;                     ///< in their own frames
    std::span<const MaterialId> materials;             ///< by number
    std::span<const Contact> contacts;                 ///< all candidates of the last step
    std::span<const Ghost> ghosts{};                   ///< by id
};

/// Bodies and walls that are stepped through time.
///
/// Changes between steps say what they touch: forces, the neighbour list, stored impulses (from
/// which the next step starts) and the energy ledger. What they do not name stays. After a change
/// of bodies, materials or settings the last step's contacts, true_residual() and
/// contact_problems() are gone until the next step; forces and impulses leave them.
///
/// Not to be used from several threads at once, not even its const members, which fill caches.
class World {
public:
    /// Throws Error with everything that is wrong with the settings.
    explicit World(const Settings& settings = {});
    ~World();
    World(World&&) noexcept;             ///< Moves all there is; the other can only be assigned to.
    World& operator=(World&&) noexcept;  ///< Likewise.
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// The settings that the next step takes.
    [[nodiscard]] const Settings& settings() const;
    /// New settings from the next step on. Touches the ledger (potential energy in another gravity)
    /// and, where time step, period, origin, copies or regions change, the neighbour list.
    /// Throws Error with everything that is wrong, and then nothing is changed.
    void set_settings(const Settings& settings);

    /// A new material; material 0 exists from the start. At most 256. Touches no body.
    MaterialId add_material();
    /// Friction and restitution where the two materials touch, in either order, from the next step
    /// on; default ContactMaterial{}. Touches no body.
    void set_surface(MaterialId first, MaterialId second, const ContactMaterial& surface);

    /// Adds a body and returns its id. The neighbour list is made anew in the next step; the ledger
    /// counts the energy as inserted. Throws Error with everything that is wrong, and then nothing
    /// is added.
    BodyId add(const Body& body);
    /// Adds n bodies at once, by all threads: the same as adding body(0), body(1), … one by one.
    /// body(i) is asked for twice, by any thread. Returns their ids. Throws Error that names the
    /// first body that is refused, and then none is added.
    std::vector<BodyId> add_all(std::size_t n, const std::function<Body(std::size_t)>& body);
    /// Removes a body with its forces and the stored impulses of its contacts. The ledger counts
    /// its energy as removed; the neighbour list stays until many have gone. Throws Error if there
    /// is no such body.
    void remove(BodyId id);
    /// What removed bodies had in sum.
    struct Removed {
        std::size_t count = 0;  ///< bodies
        double mass = 0;        ///< [kg]
    };
    /// Removes the dynamic bodies whose centre of mass lies in the box, as remove() does.
    Removed remove_inside(const Box& box);
    /// Bodies whose bounding sphere (walls: whose solid) reaches into the box, by their ids.
    [[nodiscard]] std::vector<BodyId> bodies_in(const Box& box) const;
    /// Whether there is a body of this id.
    [[nodiscard]] bool contains(BodyId id) const;
    /// The body as it is now, with the mass it has.
    [[nodiscard]] Body body(BodyId id) const;
    /// Several, in this order: ranks ask each other once.
    [[nodiscard]] std::vector<Body> bodies(std::span<const BodyId> ids) const;
    [[nodiscard]] std::size_t body_count() const;     ///< all
    [[nodiscard]] std::size_t dynamic_count() const;  ///< dynamic ones
    [[nodiscard]] double solid_volume() const;        ///< of the dynamic bodies' shapes [m³]

    /// Velocity of the centre of mass, or of a prescribed body's origin [m/s], and angular velocity
    /// in the world frame [rad/s], at once. Forces and stored impulses stay; the ledger counts the
    /// body as removed and inserted again; the neighbour list is made anew only if a prescribed
    /// body turns otherwise than before.
    void set_velocity(BodyId id, const Vec3<double>& velocity,
                      const Vec3<double>& angular_velocity);
    /// Places a body anew, by its shape's origin [m]; the orientation is of length 1 within 1e-6.
    /// Velocity and forces stay; the ledger counts the body as removed and inserted again; the next
    /// step makes the neighbour list anew, and stored impulses stay with pairs that are in both.
    void set_pose(BodyId id, const Vec3<double>& position, const Quat<double>& orientation);
    /// A force [N] through the centre of mass and a torque [N m], world frame, that act on a
    /// dynamic body in every step until they are set anew. Nothing else is touched; the ledger has
    /// their work as force_work of the steps.
    void set_force(BodyId id, const Vec3<double>& force, const Vec3<double>& torque = {0, 0, 0});
    /// An impulse [N s] through the centre of mass and an angular impulse [N m s], world frame, on
    /// a dynamic body in the next step alone; several add up. Velocity changes in that step, and
    /// the ledger has their work as force_work. Nothing else is touched.
    void apply_impulse(BodyId id, const Vec3<double>& impulse,
                       const Vec3<double>& angular_impulse = {0, 0, 0});

    /// One time step.
    const StepReport& step();
    [[nodiscard]] const StepReport& report() const;  ///< of the last step
    /// The sum of all time steps [s].
    [[nodiscard]] double time() const;
    [[nodiscard]] std::uint64_t steps() const;  ///< done since the beginning
    /// Sums of the terms of all steps, from a world without bodies on.
    [[nodiscard]] const EnergyLedger& energy() const;

    /// Called after every `interval`-th step.
    void observe(std::uint64_t interval, std::function<void(const Frame&)> observer);
    /// Without contacts it costs less, most of all on a GPU.
    [[nodiscard]] Frame frame(bool with_contacts = true) const;

    /// The residual of the last step's impulses in the velocities they left: the largest change, as
    /// a velocity, that an exact solve of any one block would still make, relative to the step's
    /// velocity scale. Only between a step and the next change of the world.
    [[nodiscard]] double true_residual() const;
    /// The contacts with an impulse, in any order: what `solve_contact` with another law would have
    /// done there. Only between a step and the next change of the world. Of several ranks, all ask,
    /// and the first gets them.
    [[nodiscard]] std::vector<StepContact> contact_problems() const;
    /// Linear momentum, and angular momentum about the origin.
    struct Momentum {
        Vec3<double> linear, angular;  ///< [kg m/s] and [kg m²/s]
    };
    /// Of the dynamic bodies.
    [[nodiscard]] Momentum momentum() const;

    /// From here on the world is spread over these ranks, each of which has called this for the
    /// same world, or for its share of one. All functions are then collective: every rank calls
    /// them in the same order with the same arguments and gets the same answers, except that
    /// frame(), save(), bytes() and the times of reports are this rank's. Ids and laws of motion do
    /// not know of ranks; results agree with those of one process within the solver's tolerance,
    /// and are the same bits for the same number of ranks.
    void distribute(std::shared_ptr<Ranks> ranks, const Partition& partition = {});

    /// A digest of all that results of later steps depend on: everything that `save` hands out but
    /// the number of threads.
    [[nodiscard]] std::uint64_t state_hash() const;
    /// Hands out all that later steps depend on, column by column. Throws Error if a body is not
    /// finite: there is nothing to go on from. Each rank of a world that is spread hands out its
    /// share, and all then make new lists, as those do who go on from there.
    void save(const ColumnSink& put) const;
    /// The world that was saved. It goes on to the same bits, whatever settings().threads is set to
    /// afterwards. Observers are not in it, nor is what belongs to the last step: its report and
    /// the contacts of its frame. Throws Error that says which column is missing or wrong, and how.
    /// From what one rank has saved it makes a share, which is good for `join_shares` alone.
    static World restore(const ColumnSource& find);
    /// The world whose shares so many ranks have saved; share(k) restores that of rank k, and is
    /// asked for one after the other. With a rank and a number of ranks, which may be another one,
    /// the part of it for this rank to spread: shares rank, rank + ranks, … and, where there is
    /// none for it, prescribed bodies alone. Spread over as many ranks as saved it, it goes on to
    /// the bits of theirs.
    static World join_shares(std::size_t shares, const std::function<World(std::size_t)>& share,
                             int rank = 0, int ranks = 1);
    /// Memory held, on the host and on a GPU [bytes].
    struct Memory {
        std::size_t host = 0, device = 0;  ///< [bytes]
    };
    /// What this world holds now.
    [[nodiscard]] Memory memory() const;
    [[nodiscard]] std::size_t bytes() const;  ///< both together

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace scree
