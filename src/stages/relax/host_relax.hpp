// The stage relax on the host: sweeps of non-linear block Gauss–Seidel over the groups of contacts.
#pragma once

#include "ranks/halo_exchange.hpp"
#include "stages/relax/restitution_guard.hpp"
#include "stages/relax/sweep_pack.hpp"
#include "state/pairs.hpp"

namespace scree::relax {

/// What sweeps and sums work in.
struct SweepMemory {
    struct alignas(64) ThreadResidual {
        double squared;
    };
    std::vector<ThreadResidual> residual;
    rows::TaskSums sums;
};

/// Rows of the host, with the verbs of control.hpp and restitution_guard.hpp.
class HostRelaxation {
public:
    using Loops = exec::ThreadLoops;
    using Vector = Loops::Buffer<double>;

    HostRelaxation(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
                   state::ContactRows& rows, SweepMemory& memory, ranks::Domain* domain)
        : model_(model), bodies_(bodies), list_(list), rows_(rows), memory_(memory),
          loops_(model.threads, domain != nullptr ? &domain->ranks() : nullptr), domain_(domain)
    {
    }

    [[nodiscard]] Loops& loops() { return loops_; }
    [[nodiscard]] state::ModelView model() const { return state::view(model_); }
    [[nodiscard]] state::BodyView bodies() const { return state::view(bodies_); }
    [[nodiscard]] std::size_t line_count() const { return bodies_.velocity.size(); }
    void open_copies();
    void apply_impulses();
    Swept sweep(int most, double goal);
    void push();
    void project();
    void gather(Vector& x) const { gather(model_, rows_, x); }
    static void gather(const state::Model& model, const state::ContactRows& rows, Vector& x);
    void scatter(const Vector& x);
    void weigh(Vector& weight);
    ContactWork account();
    /// The largest change, as a velocity, that an exact solve of any one block would make.
    double measure();

private:
    void open_copies(state::VelocityLine* velocity);
    /// Runs a verb over all rows and joins copies. Returns the largest residual.
    double run(Verb verb);
    double run(Verb verb, std::span<const state::Group> groups);

    const state::Model& model_;
    state::Bodies& bodies_;
    const state::PairList& list_;
    state::ContactRows& rows_;
    SweepMemory& memory_;
    Loops loops_;
    ranks::Domain* domain_;
};

class Relaxation {
public:
    /// Relaxes all rows, from their impulses and the velocities without them. `velocity_scale` is
    /// what residuals are relative to.
    RelaxReport run(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
                    state::ContactRows& rows, double velocity_scale, ranks::Domain* domain);
    /// The largest change, as a velocity, that an exact solve of any one block would make.
    double measure(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
                   state::ContactRows& rows, ranks::Domain* domain);
    /// The work of the rows' impulses between velocity_before and velocity.
    ContactWork account(const state::Model& model, state::Bodies& bodies,
                        const state::PairList& list, state::ContactRows& rows,
                        ranks::Domain* domain);
    [[nodiscard]] std::size_t bytes() const { return memory_.bytes() + sweep_memory_.sums.bytes(); }
    [[nodiscard]] SweepMemory& sweep_memory() { return sweep_memory_; }

private:
    RelaxMemory<HostRelaxation::Loops> memory_;
    SweepMemory sweep_memory_;
};

}  // namespace scree::relax
