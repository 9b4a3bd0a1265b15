// A scene brought to life: a world, and what happens to it between steps, namely sinks, gates,
// sources and prescribed motions. Everything is a function of the step number and of the few
// numbers in Progress, so that a run continues from a checkpoint to the same bits.
#pragma once

#include "scree/scene/scene.hpp"
#include "scree/world.hpp"

#include <memory>
#include <vector>

namespace scree::scene {

/// What a source or a sink has done so far.
struct Flow {
    std::uint64_t count = 0;    ///< grains
    double mass = 0;            ///< [kg]
    std::uint64_t layers = 0;   ///< of a piston: layers made; of rain: insertions done
    std::uint64_t blocked = 0;  ///< times that a grain found no room
};

/// All that a simulation knows beyond its world.
struct Progress {
    std::vector<Flow> sources, sinks;  ///< in the scene's order
};

/// A world that a scene describes, with its sinks, gates, sources and motions.
class Simulation {
public:
    /// Makes the world. The scene must outlive the simulation. With ranks, all of them do the same
    /// and share the world.
    explicit Simulation(const Scene& scene, std::shared_ptr<Ranks> ranks = nullptr);
    /// Goes on with a world that was saved.
    Simulation(const Scene& scene, World world, const Progress& progress,
               std::shared_ptr<Ranks> ranks = nullptr);

    /// One time step: sinks, gates, sources and motions, then World::step.
    const StepReport& step();

    /// The world; changes are the caller's.
    [[nodiscard]] World& world() { return world_; }
    /// The world.
    [[nodiscard]] const World& world() const { return world_; }
    /// What a checkpoint keeps beside the world.
    [[nodiscard]] const Progress& progress() const { return progress_; }
    /// The time step times the number of steps [s].
    [[nodiscard]] double time() const;
    /// Ids of an obstacle's bodies or of a face of the domain ("x min"); empty if there is none.
    [[nodiscard]] std::vector<BodyId> bodies_of(const std::string& name) const;

private:
    /// A prescribed body as the scene places it.
    struct Part {
        BodyId id;
        std::size_t obstacle;
        Vec3<double> position;
        Quat<double> orientation;
    };

    void place_walls();
    void place_obstacles();
    void place_pistons();
    void place_bodies();
    void place_grains();
    void add(Body body, BodyId id);
    void drain();
    void open_gates();
    void push(std::size_t source);
    void rain(std::size_t source);
    void drive(const Part& part);

    const Scene& scene_;
    World world_;
    Progress progress_;
    std::vector<Part> parts_;
    std::vector<Body> placed_;  ///< prescribed and single bodies, while the world is made
};

}  // namespace scree::scene
