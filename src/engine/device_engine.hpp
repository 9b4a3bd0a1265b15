// The stages of a step on a device. Rows of spheres are in the numbers T: double, or float where
// velocities and impulses need no more. Dynamic bodies, neighbour list and stored impulses live
// there between steps; prescribed bodies are moved on the host as well, with the same verbs, so
// that driving them costs no transfer. The host's columns always have the right lengths, and their
// dynamic part is brought up to date only when somebody asks.
#pragma once

#include "engine/contact_problems.hpp"
#include "engine/contact_report.hpp"
#include "engine/engine.hpp"
#include "engine/prediction.hpp"
#include "engine/transfer.hpp"
#include "stages/candidates/device_find.hpp"
#include "stages/finish/device_finish_rows.hpp"
#include "stages/neighbours/device_list.hpp"
#include "stages/neighbours/verlet_list.hpp"
#include "stages/relax/device_rank_sweeps.hpp"
#include "stages/rows/device_make_rows.hpp"

namespace scree::engine {

/// A body in a watched box.
struct InsideBox {
    Inside body;
    std::uint32_t box;
};
struct FewBodies {
    std::uint32_t body[Watched::room];
};

/// What the host learns at the end of a step.
struct EndNumbers {
    finish::RowSums rows;
    finish::BodySums bodies;
    exec::Sums<3> general;  ///< row_count of general rows
    /// The list may miss a pair in the next step: of bodies outside of the watched boxes, and
    /// inside.
    std::uint32_t stale, stale_inside;
    /// Bodies in the watched boxes: how many, and as many of them as there is room for.
    std::uint32_t inside;
    InsideBox found[Watched::room];
};

/// What is said of a step: of its last pass and of its end.
struct StepNumbers {
    Numbers pass;
    EndNumbers end;
};
/// What they are when a pass begins.
struct NumbersStart {
    StepNumbers* said;
    double fall;  ///< what gravity changes velocities by

    SCREE_HD void operator()() const
    {
        said->pass = Numbers{};
        said->pass.speeds.pushed = fall;
        said->pass.first_deep = said->pass.first_degenerate = said->pass.first_missed = 0xffffffffU;
        said->end.general = {};
        said->end.stale = said->end.stale_inside = said->end.inside = 0;
    }
};

/// What a pass begins with: no slot has contacts, and none is away.
struct SlotStart {
    std::size_t slots;
    relax::SlotOrder* order;
    std::uint8_t* away;

    SCREE_HD void operator()(std::size_t i) const
    {
        if (i < slots) {
            order[i] = relax::SlotOrder{};
            away[i] = 0;
        }
    }
};

template <class Loops, class T> class DeviceEngine final : public Engine {
public:
    template <class U> using Buffer = typename Loops::template Buffer<U>;

    template <class... Arguments>
    explicit DeviceEngine(const Matter& matter, Arguments&&... arguments)
        : m_(matter), loops_(std::forward<Arguments>(arguments)...), sweeper_(loops_),
          rank_sweeper_(loops_, sweeper_), relax_rows_(loops_, rank_sweeper_)
    {
        said_.fit(1);
    }

    bool stale(double margin) override;
    bool rebuild(bool changed, bool relaxed) override;
    void begin_step(double spare) override;
    PassReport pass(candidates::Pass pass, double spare, StepReport& report) override;
    BounceReport bounce(double velocity_scale) override;
    Unseen look_again(double spare) override;
    void store_impulses() override;
    EndReport end_step(StepReport& report) override;
    std::pair<BodyId, BodyId> bodies_of_pair(std::size_t pair) override;
    void contacts(std::vector<Contact>& out) override;
    double true_residual() override;
    std::vector<PosedContact> problems() override;
    void fetch(Need need) override;
    [[nodiscard]] bool elsewhere() const override { return shown_old_; }
    void touch() override { tail_changed_ = true; }
    std::vector<Inside> find_inside(const Box& box) override;
    void make_gaps(const std::vector<Inside>& inside) override;
    [[nodiscard]] std::size_t pairs() const override { return list_.count; }
    [[nodiscard]] int colours() const override { return list_.colours; }
    [[nodiscard]] int copies() const override { return static_cast<int>(list_.copy_count); }
    [[nodiscard]] std::uint32_t rebuilds() const override { return lists_.rebuilds(); }
    void set_rebuilds(std::uint32_t rebuilds) override { lists_.set_rebuilds(rebuilds); }
    [[nodiscard]] EngineMemory memory() const override;

    // Parts of the above; public since device lambdas may not be in private functions.
    void bring();
    void run_ahead();
    void forget_old();
    void bring_model();
    SlotStart slot_start();
    [[nodiscard]] Numbers* numbers() const { return &said_.data()->pass; }
    void push(bool first);
    void start_store();
    void start_end(bool sure, double spare);
    void end_ahead(double next_spare);
    [[nodiscard]] relax::RowNotes row_notes() const
    {
        return relax::row_notes(list_, bodies_.view(), rows_);
    }
    [[nodiscard]] relax::SweepView<T> sweep_view() const;
    [[nodiscard]] candidates::LookAtBodies look_at_bodies(double spare) const;
    void look_at_pairs();
    void look(double spare);
    [[nodiscard]] state::ModelView model_view() const;
    void refer_to_rows();
    void refer_to_rows(std::size_t round_blocks, std::size_t general_blocks);
    [[nodiscard]] Unseen unseen() const;
    bool agree(double& scale, std::size_t& bouncing) const;

private:
    Matter m_;
    Loops loops_;
    state::BodyColumns<Loops> bodies_;
    state::ListColumns<Loops> list_;
    state::StoredColumns<Loops> stored_, next_stored_;
    DeviceRows<Loops, T> rows_;
    neighbours::Lists<Loops> lists_;
    neighbours::BroadPhase host_lists_;  ///< makes those of several ranks
    relax::Sweeper<Loops, T> sweeper_;
    relax::RankSweeper<Loops, relax::Sweeper<Loops, T>, T> rank_sweeper_;
    relax::RelaxRows<Loops, relax::RankSweeper<Loops, relax::Sweeper<Loops, T>, T>, T> relax_rows_;
    relax::RelaxMemory<Loops> memory_;
    relax::GuardControl<Loops> guard_;
    Buffer<state::Prototype> prototypes_;
    Buffer<std::uint64_t> solids_;  ///< what polyhedra among their shapes point to
    Buffer<Surface> surfaces_;
    Buffer<StepNumbers> said_;
    Buffer<Inside> found_inside_;
    Buffer<std::uint32_t> inside_count_;
    Watched watched_;
    bool inside_known_ = false;  ///< found_ has all bodies in the watched boxes
    std::vector<InsideBox> found_;
    Numbers known_{};
    EndNumbers known_end_{};
    // Of the host's dynamic bodies, what frames show is old; and the rest, list and impulses are.
    bool shown_old_ = false, hidden_old_ = false;
    std::size_t forgotten_ = 0;  ///< bytes of what is old that were given back to the system
    bool here_ = false;          ///< the device has everything but what was appended or touched
    bool started_ = false;       ///< a pass may begin
    /// The spare speed of the step that is foreseen: reaches, slots and candidates are ready for
    /// it; −1: none is.
    double foreseen_of_ = -1;
    bool foreseen_ = false;      ///< the step that began is the one that was
    bool gone_ = false;          ///< all bodies in the watched boxes were removed
    bool pushed_ = true;         ///< velocities are those of this step, not of the last but one
    bool ended_ = false;         ///< the device was ahead and has ended the step
    bool tail_changed_ = false;  ///< prescribed bodies were changed on the host
    bool forces_changed_ = false;
    bool stale_known_ = false;  ///< known_end_ says whether the list is stale
    bool stale_ = false;
    bool stale_outside_ = false;  ///< without the bodies in watched boxes
};

template <class Loops, class T> state::ModelView DeviceEngine<Loops, T>::model_view() const
{
    return {m_.model.settings, prototypes_.data(), surfaces_.data(), m_.model.materials,
            m_.model.box};
}

/// Kinds of bodies and surfaces.
template <class Loops, class T> void DeviceEngine<Loops, T>::bring_model()
{
    upload_kinds(loops_, m_.model.prototypes, prototypes_, solids_);
    upload_column(loops_, m_.model.surfaces, surfaces_);
}

/// Brings what the host has changed to the device.
template <class Loops, class T> void DeviceEngine<Loops, T>::bring()
{
    ranks::Domain* const domain = m_.domain.get();
    loops_.agree_with(domain != nullptr ? &domain->ranks() : nullptr);
    rank_sweeper_.refer_to(domain);
    if (!here_) {
        bring_model();
        upload(loops_, m_.bodies, bodies_);
        upload(loops_, m_.list, list_);
        upload(loops_, m_.stored, list_, stored_);
        candidates::follow_list(loops_, model_view(), bodies_, list_, rows_);
        relax::deal_out(loops_, m_.model, m_.domain != nullptr, rows_.any_general, bodies_, list_,
                        rows_);
        here_ = true;
        tail_changed_ = forces_changed_ = false;
        stale_known_ = inside_known_ = false;
        foreseen_of_ = -1;
        return;
    }
    const std::size_t had = bodies_.count, n = m_.bodies.count();
    const std::size_t from = tail_changed_ ? bodies_.dynamic_count : had;
    if (from < n) {
        if (n > had) {
            bring_model();
        }
        bodies_.for_each_column(m_.bodies, [&](auto& to, auto& host) {
            if (host.size() >= n) {
                to.fit(n > had ? n : to.size());
                loops_.upload(host.data() + from, to.data() + from, n - from);
            }
        });
        bodies_.count = n;
        stale_known_ = inside_known_ = false;
        foreseen_of_ = -1;
        if (n > had && forgotten_ > 0) {
            forget_old();  // columns may have grown
        }
    }
    tail_changed_ = false;
    if (std::exchange(forces_changed_, false)) {
        upload_column(loops_, m_.bodies.force, bodies_.force);
    }
}

/// From here on what the host has of dynamic bodies, list and impulses is old.
template <class Loops, class T> void DeviceEngine<Loops, T>::run_ahead()
{
    const bool first = !shown_old_;
    shown_old_ = hidden_old_ = true;
    if (first) {
        forget_old();
    }
}

/// What is old on the host takes no memory where that is much.
template <class Loops, class T> void DeviceEngine<Loops, T>::forget_old()
{
    forgotten_ = 0;
    m_.bodies.for_each_column([&](auto& column) {
        forgotten_ += exec::forget(column, std::min(column.size(), m_.bodies.dynamic_count));
    });
    const auto all = [&](auto& column) { forgotten_ += exec::forget(column, column.size()); };
    all(m_.list.pair);
    all(m_.list.colour);
    all(m_.list.slot);
    all(m_.list.copies_of);
    all(m_.stored.count);
    all(m_.stored.impulse);
    all(m_.stored.feature);
}

template <class Loops, class T> bool DeviceEngine<Loops, T>::stale(double margin)
{
    bring();
    if (!stale_known_) {
        stale_ = lists_.stale(loops_, model_view(), bodies_.view(), margin);
    }
    stale_known_ = false;
    return stale_;
}

template <class Loops, class T> bool DeviceEngine<Loops, T>::rebuild(bool changed, bool relaxed)
{
    if (m_.domain != nullptr) {
        // Bodies that went to other ranks and came from there are on the host, where the list is
        // made too. It is brought with all else before it is used.
        here_ = false;
        return host_lists_.rebuild(m_.model, m_.bodies, m_.list, m_.stored, changed, relaxed, {},
                                   m_.domain.get());
    }
    bring();
    foreseen_of_ = -1;
    bool moved = false;
    try {
        moved = lists_.rebuild(loops_, model_view(), bodies_, list_, stored_, next_stored_, changed,
                               relaxed);
        candidates::follow_list(loops_, model_view(), bodies_, list_, rows_);
        relax::deal_out(loops_, m_.model, m_.domain != nullptr, rows_.any_general, bodies_, list_,
                        rows_);
    } catch (...) {
        // Who is gone may have no place any more: what the host has more is nothing new.
        m_.bodies.for_each_column(
            [&](auto& column) { column.resize(std::min(column.size(), bodies_.count)); });
        inside_known_ = false;
        run_ahead();
        throw;
    }
    inside_known_ = false;
    // The host follows: lengths, and the bodies that it moves itself.
    const std::size_t n = bodies_.count, tail = bodies_.dynamic_count;
    m_.bodies.dynamic_count = tail;
    m_.bodies.bounded_count = bodies_.bounded_count;
    m_.bodies.drift_velocity = bodies_.drift_velocity;
    if (moved) {
        bodies_.for_each_column(m_.bodies, [&](auto& from, auto& host) {
            if (from.size() > host.capacity()) {
                host = {};  // nothing in it is worth a copy
                host.reserve(from.size() + from.size() / 16);
            }
            host.resize(from.size());
            if (from.size() >= n) {
                loops_.download(from.data() + tail, host.data() + tail, n - tail);
            }
        });
    } else {
        loops_.download(bodies_.drift.data() + tail, m_.bodies.drift.data() + tail, n - tail);
    }
    run_ahead();
    if (moved && forgotten_ > 0) {
        forget_old();
    }
    return moved;
}

template <class Loops, class T> void DeviceEngine<Loops, T>::fetch(Need need)
{
    if (need == Need::forces_to_change) {
        if (here_ && !forces_changed_) {
            bring();
            download_column(loops_, bodies_.force, m_.bodies.force);
            forces_changed_ = true;
        }
        return;
    }
    const bool all = need != Need::bodies;
    if (shown_old_ || (all && hidden_old_)) {
        bring();  // what was appended or touched meanwhile
    }
    if (shown_old_) {
        download_shown(loops_, bodies_, m_.bodies);
        shown_old_ = false;
        forgotten_ = 0;
    }
    if (all && hidden_old_) {
        download_hidden(loops_, bodies_, m_.bodies);
        if (m_.domain != nullptr) {
            // Bodies that go to another rank in the middle of a step take this along.
            bodies_.for_each_momentary(
                m_.bodies, [&](auto& from, auto& to) { download_column(loops_, from, to); });
        }
        download(loops_, list_, m_.list);
        download(loops_, stored_, list_, m_.stored);
        hidden_old_ = false;
    }
    here_ = here_ && need != Need::all_to_change;
}

}  // namespace scree::engine

#include "engine/device_engine_access.hpp"
#include "engine/device_engine_step.hpp"
