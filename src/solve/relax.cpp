#include "solve/relax.hpp"

#include "exec/parallel.hpp"
#include "move/integrate.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace scree::sweeps {

namespace {

/// Groups with fewer blocks are left to one thread, which needs no barrier between them.
constexpr std::uint32_t serial_blocks = 12;
/// Sweeps that are given a fair chance before acceleration is thought of, and how much of the
/// residual may be left after them.
constexpr int patience = 5;
constexpr double stalled = 0.3;
/// A proposal's residual may be this many times that of where it came from: contacts that open and
/// close cost a detour. Otherwise a shorter step in its direction is tried, then a fresh start.
constexpr double setback = 4;
constexpr double shorter_step = 0.25;
constexpr double shortest_step = 0.01;

/// A copy is as fast as its body, and as much lighter as there are copies.
void open_copies(const PairList& list, std::vector<VelocityLine>& velocity)
{
    for (const Split& s : list.splits) {
        VelocityLine copy = velocity[s.body];
        copy.inverse_mass *= s.copies;
        copy.inverse_moment *= s.copies;
        std::fill_n(velocity.begin() + s.first_copy, s.copies, copy);
    }
}

/// The mean of the copies: the impulses on all of them act on the body.
void join_copies(const PairList& list, std::vector<VelocityLine>& velocity)
{
    for (const Split& s : list.splits) {
        VelocityLine& body = velocity[s.body];
        Vec3<double> dv{0, 0, 0}, dw{0, 0, 0};
        for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
            dv = dv + (velocity[k].v - body.v);
            dw = dw + (velocity[k].w - body.w);
        }
        const double share = 1 / static_cast<double>(s.copies);
        body.v = body.v + share * dv;
        body.w = body.w + share * dw;
        for (std::uint32_t k = s.first_copy; k < s.first_copy + s.copies; ++k) {
            velocity[k].v = body.v;
            velocity[k].w = body.w;
        }
    }
}

/// Brings an accelerated iterate back into the friction cones.
void project(const Model& model, ContactRows& rows)
{
    exec::for_each(rows.round.size(), model.threads, [&](std::size_t i) {
        RoundBlock& c = rows.round[i];
        for (int lane = 0; lane < block_lanes; ++lane) {
            const Vec3<double> n{c.n[0][lane], c.n[1][lane], c.n[2][lane]};
            const Vec3<double> x{c.impulse[0][lane], c.impulse[1][lane], c.impulse[2][lane]};
            const double x_n = std::max(0.0, dot(n, x));
            const Vec3<double> u = x - dot(n, x) * n;
            const double most = c.mu[lane] * x_n;
            const double length = norm(u);
            const Vec3<double> y = x_n * n + (length > most ? most / length : 1) * u;
            c.impulse[0][lane] = y.x;
            c.impulse[1][lane] = y.y;
            c.impulse[2][lane] = y.z;
        }
    });
    exec::for_each(rows.general.size(), model.threads, [&](std::size_t i) {
        GeneralBlock& c = rows.general[i];
        for (int lane = 0; lane < block_lanes; ++lane) {
            const double x_n = std::max(0.0, c.impulse[0][lane]);
            const double t = c.impulse[1][lane];
            const double o = c.impulse[2][lane];
            const double most = c.mu[lane] * x_n;
            c.impulse[0][lane] = x_n;
            if (model.settings.law == Law::projected) {
                c.impulse[1][lane] = std::clamp(t, -most, most);
                c.impulse[2][lane] = std::clamp(o, -most, most);
                continue;
            }
            const double length = std::sqrt(t * t + o * o);
            const double part = length > most ? most / length : 1;
            c.impulse[1][lane] = part * t;
            c.impulse[2][lane] = part * o;
        }
    });
}

}  // namespace

double Relaxation::sweep(exec::Verb verb, const Model& model, Bodies& bodies, const PairList& list,
                         ContactRows& rows)
{
    const exec::SweepData data = exec::sweep_data(model, bodies, rows);
    const exec::SweepBlocks blocks = exec::sweep_blocks_of(model.isa);
    thread_residual_.assign(static_cast<std::size_t>(model.threads), {0});
    const auto work = [&](std::uint32_t self, std::uint32_t team) {
        double residual = 0;
        bool was_serial = false;
        for (const Group& g : rows.groups) {
            const std::uint32_t size = g.end - g.begin;
            const bool serial = size < serial_blocks;
            if (team > 1 && !(serial && was_serial)) {
#pragma omp barrier
            }
            was_serial = serial;
            std::uint32_t begin = g.begin;
            std::uint32_t end = g.end;
            if (serial) {
                if (self != 0) {
                    continue;
                }
            } else {
                begin = g.begin + size * self / team;
                end = g.begin + size * (self + 1) / team;
            }
            const double r = blocks(verb, data, g.kind, begin, end, nullptr);
            residual = r > residual ? r : residual;
        }
        thread_residual_[self].squared = residual;
    };
    if (model.threads > 1 && rows.round.size() + rows.general.size() >= exec::parallel_blocks) {
#pragma omp parallel num_threads(model.threads)
        work(static_cast<std::uint32_t>(exec::thread_number()),
             static_cast<std::uint32_t>(exec::team_size()));
    } else {
        work(0, 1);
    }
    if (verb != exec::Verb::measure) {
        join_copies(list, bodies.velocity);
    }
    double squared = 0;
    for (const ThreadResidual& r : thread_residual_) {
        squared = std::max(squared, r.squared);
    }
    return std::sqrt(squared);
}

double Relaxation::measure(const Model& model, Bodies& bodies, const PairList& list,
                           ContactRows& rows)
{
    open_copies(list, bodies.velocity);
    return sweep(exec::Verb::measure, model, bodies, list, rows);
}

void Relaxation::apply_impulses(const Model& model, Bodies& bodies, const PairList& list,
                                ContactRows& rows)
{
    open_copies(list, bodies.velocity);
    sweep(exec::Verb::apply, model, bodies, list, rows);
}

RelaxReport Relaxation::run(const Model& model, Bodies& bodies, const PairList& list,
                            ContactRows& rows, double velocity_scale)
{
    const Settings& s = model.settings;
    RelaxReport report;
    if (rows.groups.empty()) {
        return report;
    }
    if (s.warm_start > 0) {
        apply_impulses(model, bodies, list, rows);
    } else {
        open_copies(list, bodies.velocity);
    }
    const double goal = s.tolerance * velocity_scale;
    const auto set_impulses = [&](const std::vector<double>& x) {
        scatter(model, rows, x);
        move::integrate_velocity(model, bodies);
        apply_impulses(model, bodies, list, rows);
    };
    const auto try_impulses = [&](const std::vector<double>& x) {
        scatter(model, rows, x);
        // A sweep replaces impulses whole, unless weights are below 1: then it would keep a part.
        if (s.relaxation < 1 || !list.splits.empty()) {
            project(model, rows);
        }
        move::integrate_velocity(model, bodies);
        apply_impulses(model, bodies, list, rows);
    };

    double residual = 0;
    double before_patience = std::numeric_limits<double>::infinity();
    double best = std::numeric_limits<double>::infinity();
    bool accelerating = false;
    double step = 0;     ///< part of the proposal that is being tried; 0: none
    double to_beat = 0;  ///< the residual that a proposal has to beat
    int since = 0;       ///< sweeps since the last decision
    while (report.sweeps < s.sweeps) {
        if (accelerating && since == 0) {
            gather(model, rows, iterate_);
        }
        residual = sweep(exec::Verb::relax, model, bodies, list, rows);
        ++report.sweeps;
        ++since;
        if (goal > 0 && residual <= goal) {
            break;
        }
        if (!accelerating) {
            if (goal > 0 && s.accelerate && since == patience) {
                since = 0;
                if (residual > stalled * before_patience) {
                    accelerating = true;
                    weigh(model, bodies, rows);
                    anderson_.restart(weight_.size());
                }
                before_patience = residual;
            }
            continue;
        }
        since = 0;
        if (step > 0 && residual > to_beat) {
            // Worse than where it came from: a shorter step, or back there and start again.
            step *= shorter_step;
            if (step < shortest_step) {
                step = 0;
                anderson_.restart(weight_.size());
                set_impulses(image_);
            } else {
                exec::for_each(image_.size(), model.threads, [&](std::size_t i) {
                    iterate_[i] = image_[i] + step * (proposal_[i] - image_[i]);
                });
                try_impulses(iterate_);
            }
            continue;
        }
        report.accelerated += step > 0 ? 1 : 0;
        gather(model, rows, image_);
        if (residual < best) {
            best = residual;
            best_ = image_;
        }
        to_beat = setback * residual;
        proposal_.resize(image_.size());
        const bool proposed =
            anderson_.propose(iterate_, image_, weight_, proposal_, model.threads);
        step = proposed ? 1 : 0;
        if (proposed && report.sweeps < s.sweeps) {
            try_impulses(proposal_);
        }
    }
    if (accelerating && residual > best) {
        set_impulses(best_);
        residual = best;
    }
    report.residual = residual / velocity_scale;
    return report;
}

/// 1/A_nn-free measure: the energy of a change is about A_nn |Δx|².
void Relaxation::weigh(const Model& model, const Bodies& bodies, const ContactRows& rows)
{
    const std::size_t round = rows.round.size();
    weight_.resize((round + rows.general.size()) * 3 * block_lanes);
    exec::for_each(round + rows.general.size(), model.threads, [&](std::size_t i) {
        for (std::size_t lane = 0; lane < block_lanes; ++lane) {
            const double A_nn = i < round
                                    ? bodies.velocity[rows.round[i].slot[0][lane]].inverse_mass +
                                          bodies.velocity[rows.round[i].slot[1][lane]].inverse_mass
                                    : rows.general[i - round].A[0][lane];
            for (std::size_t k = 0; k < 3; ++k) {
                weight_[(i * 3 + k) * block_lanes + lane] = A_nn;
            }
        }
    });
}

void Relaxation::gather(const Model& model, const ContactRows& rows, std::vector<double>& x)
{
    const std::size_t round = rows.round.size();
    constexpr std::size_t size = 3 * block_lanes;
    x.resize((round + rows.general.size()) * size);
    exec::for_each(round + rows.general.size(), model.threads, [&](std::size_t i) {
        const auto& from = i < round ? rows.round[i].impulse : rows.general[i - round].impulse;
        std::memcpy(&x[i * size], from, sizeof from);
    });
}

void Relaxation::scatter(const Model& model, ContactRows& rows, const std::vector<double>& x)
{
    const std::size_t round = rows.round.size();
    constexpr std::size_t size = 3 * block_lanes;
    exec::for_each(round + rows.general.size(), model.threads, [&](std::size_t i) {
        auto& to = i < round ? rows.round[i].impulse : rows.general[i - round].impulse;
        std::memcpy(to, &x[i * size], sizeof to);
    });
}

ContactWork Relaxation::account(const Model& model, Bodies& bodies, const PairList& list,
                                ContactRows& rows)
{
    open_copies(list, bodies.velocity);
    open_copies(list, bodies.velocity_before);
    const exec::SweepData data = exec::sweep_data(model, bodies, rows);
    const exec::Sums<exec::sum_count> sums =
        sums_.run(exec::Verb::account, data, rows, model.isa, model.threads);
    return {sums.of[exec::sum_normal],
            sums.of[exec::sum_friction],
            sums.of[exec::sum_wall],
            sums.of[exec::sum_correction],
            sums.of[exec::sum_gap],
            sums.of[exec::sum_restitution],
            static_cast<std::size_t>(sums.of[exec::sum_active])};
}

std::size_t Relaxation::bytes() const
{
    return anderson_.bytes() +
           (iterate_.capacity() + image_.capacity() + proposal_.capacity() + best_.capacity() +
            weight_.capacity()) *
               sizeof(double) +
           sums_.bytes();
}

}  // namespace scree::sweeps
