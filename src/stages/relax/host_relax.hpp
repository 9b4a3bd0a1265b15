// The stage relax on the host: sweeps of non-linear block Gauss–Seidel over the groups of contacts.
#pragma once

#include "ranks/halo_exchange.hpp"
#include "stages/relax/restitution_guard.hpp"
#include "stages/relax/sweep_pack.hpp"
#include "state/pairs.hpp"

namespace scree::sweeps {

/// What sweeps and sums work in.
struct SweepMemory {
    struct alignas(64) ThreadResidual {
        double squared;
    };
    std::vector<ThreadResidual> residual;
    exec::TaskSums sums;
};

/// Rows of the host, with the verbs of relax_control.hpp and guard_control.hpp.
class HostRows {
public:
    using Loops = exec::ThreadLoops;
    using Vector = Loops::Buffer<double>;

    HostRows(const Model& model, Bodies& bodies, const PairList& list, ContactRows& rows,
             SweepMemory& memory, domain::Domain* domain)
        : model_(model), bodies_(bodies), list_(list), rows_(rows), memory_(memory),
          loops_(model.threads, domain != nullptr ? &domain->ranks() : nullptr), domain_(domain)
    {
    }

    [[nodiscard]] Loops& loops() { return loops_; }
    [[nodiscard]] ModelView model() const { return view(model_); }
    [[nodiscard]] BodyView bodies() const { return view(bodies_); }
    [[nodiscard]] std::size_t line_count() const { return bodies_.velocity.size(); }
    void open_copies();
    void apply_impulses();
    Swept sweep(int most, double goal);
    void push();
    void project();
    void gather(Vector& x) const { gather(model_, rows_, x); }
    static void gather(const Model& model, const ContactRows& rows, Vector& x);
    void scatter(const Vector& x);
    void weigh(Vector& weight);
    ContactWork account();
    /// The largest change, as a velocity, that an exact solve of any one block would make.
    double measure();

private:
    void open_copies(VelocityLine* velocity);
    /// Runs a verb over all rows and joins copies. Returns the largest residual.
    double run(exec::Verb verb);
    double run(exec::Verb verb, std::span<const Group> groups);

    const Model& model_;
    Bodies& bodies_;
    const PairList& list_;
    ContactRows& rows_;
    SweepMemory& memory_;
    Loops loops_;
    domain::Domain* domain_;
};

class Relaxation {
public:
    /// Relaxes all rows, from their impulses and the velocities without them. `velocity_scale` is
    /// what residuals are relative to.
    RelaxReport run(const Model& model, Bodies& bodies, const PairList& list, ContactRows& rows,
                    double velocity_scale, domain::Domain* domain);
    /// The largest change, as a velocity, that an exact solve of any one block would make.
    double measure(const Model& model, Bodies& bodies, const PairList& list, ContactRows& rows,
                   domain::Domain* domain);
    /// The work of the rows' impulses between velocity_before and velocity.
    ContactWork account(const Model& model, Bodies& bodies, const PairList& list, ContactRows& rows,
                        domain::Domain* domain);
    [[nodiscard]] std::size_t bytes() const { return memory_.bytes() + sweep_memory_.sums.bytes(); }
    [[nodiscard]] SweepMemory& sweep_memory() { return sweep_memory_; }

private:
    RelaxMemory<HostRows::Loops> memory_;
    SweepMemory sweep_memory_;
};

}  // namespace scree::sweeps
