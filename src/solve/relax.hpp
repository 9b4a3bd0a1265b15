// The stage relax: sweeps of non-linear block Gauss–Seidel over the groups of contacts, until the
// residual falls below the tolerance or the sweeps are used up; accelerated where they stall.
// A split body's copies share
// its mass and are brought together after each sweep: a weighted block Jacobi between them.
#pragma once

#include "exec/sweep.hpp"
#include "solve/anderson.hpp"
#include "state/model.hpp"
#include "state/pairs.hpp"

namespace scree::sweeps {

struct RelaxReport {
    int sweeps = 0;
    int accelerated = 0;
    double residual = 0;  ///< relative to the velocity scale
};

/// The work that contacts did, and how many have an impulse.
struct ContactWork {
    double normal = 0, friction = 0, wall = 0, correction = 0, gap = 0, restitution = 0;
    std::size_t active = 0;
};

class Relaxation {
public:
    /// Relaxes all rows, from their impulses and the velocities without them. `velocity_scale` is
    /// what residuals are relative to.
    RelaxReport run(const Model& model, Bodies& bodies, const PairList& list, ContactRows& rows,
                    double velocity_scale);
    /// The largest change, as a velocity, that an exact solve of any one block would make.
    double measure(const Model& model, Bodies& bodies, const PairList& list, ContactRows& rows);
    /// The work of the rows' impulses between velocity_before and velocity.
    ContactWork account(const Model& model, Bodies& bodies, const PairList& list,
                        ContactRows& rows);
    /// Velocities from the impulses: those without them, and what they add.
    void apply_impulses(const Model& model, Bodies& bodies, const PairList& list,
                        ContactRows& rows);
    [[nodiscard]] std::size_t bytes() const;

    /// The rows' impulses as one vector.
    static void gather(const Model& model, const ContactRows& rows, std::vector<double>& x);
    static void scatter(const Model& model, ContactRows& rows, const std::vector<double>& x);

private:
    double sweep(exec::Verb verb, const Model& model, Bodies& bodies, const PairList& list,
                 ContactRows& rows);
    void weigh(const Model& model, const Bodies& bodies, const ContactRows& rows);

    Anderson anderson_;
    std::vector<double> iterate_, image_, proposal_, best_, weight_;
    struct alignas(64) ThreadResidual {
        double squared;
    };
    std::vector<ThreadResidual> thread_residual_;
    exec::TaskSums sums_;
};

}  // namespace scree::sweeps
