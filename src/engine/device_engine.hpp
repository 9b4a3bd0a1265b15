// The stages of a step on a device. Rows of spheres are in the numbers T: double, or float where
// velocities and impulses need no more. Dynamic bodies, neighbour list and stored impulses live
// there between steps; prescribed bodies are moved on the host as well, with the same verbs, so
// that driving them costs no transfer. The host's columns always have the right lengths, and their
// dynamic part is brought up to date only when somebody asks.
#pragma once

#include "engine/contact_problems.hpp"
#include "engine/contact_report.hpp"
#include "engine/expected_step.hpp"
#include "engine/pass_rule.hpp"
#include "engine/prediction.hpp"
#include "engine/residency.hpp"
#include "engine/step_phase.hpp"
#include "engine/transfer.hpp"
#include "stages/candidates/device_find.hpp"
#include "stages/finish/device_finish_rows.hpp"
#include "stages/neighbours/device_list.hpp"
#include "stages/neighbours/verlet_list.hpp"
#include "stages/relax/device_rank_sweeps.hpp"
#include "stages/rows/device_make_rows.hpp"

namespace scree::engine {

struct FewBodies {
    std::uint32_t body[WatchedBoxes::room];
};

/// What the host learns at the end of a step.
struct EndCounts {
    finish::RowSums rows;
    finish::BodySums bodies;
    exec::Sums<3> general;  ///< row_count of general rows
    /// The list may miss a pair in the next step: of bodies outside of the watched boxes, and
    /// inside.
    std::uint32_t stale, stale_inside;
    /// Bodies in the watched boxes: how many, and as many of them as there is room for.
    std::uint32_t inside;
    InsideBox found[WatchedBoxes::room];
};

/// What is said of a step: of its last pass and of its end.
struct StepCounts {
    PassCounts pass;
    EndCounts end;
};
/// What they are when a pass begins.
struct CountsStart {
    StepCounts* counts;
    double fall;  ///< what gravity changes velocities by

    SCREE_HD void operator()() const
    {
        counts->pass = PassCounts{};
        counts->pass.speeds.pushed = fall;
        counts->pass.first_deep = counts->pass.first_degenerate = counts->pass.first_missed =
            0xffffffffU;
        counts->end.general = {};
        counts->end.stale = counts->end.stale_inside = counts->end.inside = 0;
    }
};

/// What a pass begins with: no slot has contacts, and none is away.
struct SlotStart {
    std::size_t slots;
    relax::SlotContacts* order;
    std::uint8_t* away;

    SCREE_HD void operator()(std::size_t i) const
    {
        if (i < slots) {
            order[i] = relax::SlotContacts{};
            away[i] = 0;
        }
    }
};

template <class Loops, class T> class DeviceEngine final : public Engine {
public:
    template <class U> using Buffer = typename Loops::template Buffer<U>;

    template <class... Arguments>
    explicit DeviceEngine(const WorldData& matter, Arguments&&... arguments)
        : matter_(matter), loops_(std::forward<Arguments>(arguments)...), sweeper_(loops_),
          rank_sweeper_(loops_, sweeper_), relax_rows_(loops_, rank_sweeper_)
    {
        device_counts_.fit(1);
    }

    bool stale(double margin) override;
    bool rebuild(bool changed, bool relaxed) override;
    void begin_step(double spare) override;
    PassReport pass(candidates::Pass pass, double spare, StepReport& report) override;
    BounceReport bounce(double velocity_scale) override;
    MissedPairs find_missed(double spare) override;
    void store_impulses() override;
    EndReport end_step(StepReport& report) override;
    std::pair<BodyId, BodyId> bodies_of_pair(std::size_t pair) override;
    void contacts(std::vector<Contact>& out) override;
    double true_residual() override;
    std::vector<StepContact> problems() override;
    void fetch(Fetch need) override;
    [[nodiscard]] bool elsewhere() const override { return residency_.frames_are_old(); }
    void touch() override { residency_.edited_prescribed(); }
    std::vector<BodyInBox> find_inside(const Box& box) override;
    void make_gaps(const std::vector<BodyInBox>& inside) override;
    [[nodiscard]] std::size_t pairs() const override { return list_.count; }
    [[nodiscard]] int colours() const override { return list_.colours; }
    [[nodiscard]] int copies() const override { return static_cast<int>(list_.copy_count); }
    [[nodiscard]] std::uint32_t rebuilds() const override { return lists_.rebuilds(); }
    void set_rebuilds(std::uint32_t rebuilds) override { lists_.set_rebuilds(rebuilds); }
    [[nodiscard]] EngineMemory memory() const override;

    // Parts of the above; public since device lambdas may not be in private functions.
    void bring();
    void bring_all();
    void bring_edits();
    void bring_model();
    void follow_list();
    void follow_on_host(bool moved);
    void fetch_hidden();
    void run_ahead();
    void forget_old();
    void forget_again();
    SlotStart slot_start();
    void start_slots();
    void make_contacts(candidates::Pass pass, double spare);
    void give_copies_inertia();
    void push(bool first);
    void relax_on_device(double spare);
    void learn_counts(candidates::Pass pass, double spare);
    relax::RelaxReport relax_by_host(const PassOutlook& outlook, double spare);
    void give_up_pass();
    [[nodiscard]] bool host_steers() const;
    [[nodiscard]] PassOutlook outlook() const;
    [[nodiscard]] relax::RelaxReport relaxed_on_device() const;
    [[nodiscard]] rows::SetupReport contact_counts() const;
    void start_store();
    void start_end(bool sure, std::optional<double> next_spare);
    void count_general_rows(std::size_t general_rows);
    void finish_bodies(LastPass last, std::optional<double> next_spare);
    bool end_ahead(std::optional<double> next_spare);
    void learn_end();
    [[nodiscard]] PassCounts* numbers() const { return &device_counts_.data()->pass; }
    void lap(Stage stage) { loops_.lap(static_cast<std::size_t>(stage)); }
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
    [[nodiscard]] MissedPairs unseen() const;

private:
    WorldData matter_;
    Loops loops_;
    state::BodyColumns<Loops> bodies_;
    state::ListColumns<Loops> list_;
    state::StoredColumns<Loops> stored_, next_stored_;
    DeviceRows<Loops, T> rows_;
    neighbours::DeviceVerletList<Loops> lists_;
    neighbours::VerletList host_lists_;  ///< makes those of several ranks
    relax::Sweeper<Loops, T> sweeper_;
    relax::RankSweeper<Loops, relax::Sweeper<Loops, T>, T> rank_sweeper_;
    relax::DeviceRelaxation<Loops, relax::RankSweeper<Loops, relax::Sweeper<Loops, T>, T>, T>
        relax_rows_;
    relax::RelaxMemory<Loops> relax_memory_;
    relax::GuardControl<Loops> guard_;
    Buffer<state::Prototype> prototypes_;
    Buffer<std::uint64_t> solids_;  ///< what polyhedra among their shapes point to
    Buffer<ContactMaterial> surfaces_;
    Buffer<StepCounts> device_counts_;
    PassCounts host_counts_{};     ///< what the device said of the last pass
    EndCounts host_end_counts_{};  ///< and of the end of the step
    Buffer<BodyInBox> bodies_in_box_;
    Buffer<std::uint32_t> body_in_box_count_;
    Residency residency_;
    Prediction prediction_;
    StepPhase phase_ = StepPhase::between;
};

template <class Loops, class T> state::ModelView DeviceEngine<Loops, T>::model_view() const
{
    return {matter_.model.settings, prototypes_.data(), surfaces_.data(), matter_.model.materials,
            matter_.model.box};
}

/// Kinds of bodies and surfaces.
template <class Loops, class T> void DeviceEngine<Loops, T>::bring_model()
{
    upload_kinds(loops_, matter_.model.prototypes, prototypes_, solids_);
    upload_column(loops_, matter_.model.surfaces, surfaces_);
}

/// Brings what the host has changed to the device.
template <class Loops, class T> void DeviceEngine<Loops, T>::bring()
{
    ranks::Domain* const domain = matter_.domain.get();
    loops_.agree_with(domain != nullptr ? &domain->ranks() : nullptr);
    rank_sweeper_.refer_to(domain);
    if (residency_.on_device()) {
        bring_edits();
    } else {
        bring_all();
    }
}

template <class Loops, class T> void DeviceEngine<Loops, T>::bring_all()
{
    bring_model();
    upload(loops_, matter_.bodies, bodies_);
    upload(loops_, matter_.list, list_);
    upload(loops_, matter_.stored, list_, stored_);
    follow_list();
    residency_.uploaded_all();
    prediction_.discard();
}

/// Brings bodies that were appended, prescribed ones if they were changed, and forces.
template <class Loops, class T> void DeviceEngine<Loops, T>::bring_edits()
{
    const std::size_t had = bodies_.count, n = matter_.bodies.count();
    const std::size_t from = residency_.edits().prescribed ? bodies_.dynamic_count : had;
    if (from < n) {
        if (n > had) {
            bring_model();
        }
        bodies_.for_each_column(matter_.bodies, [&](auto& to, auto& host) {
            if (host.size() >= n) {
                to.fit(n > had ? n : to.size());
                loops_.upload(host.data() + from, to.data() + from, n - from);
            }
        });
        bodies_.count = n;
        prediction_.discard();
        if (n > had) {
            forget_again();
        }
    }
    if (residency_.edits().forces) {
        upload_column(loops_, matter_.bodies.force, bodies_.force);
    }
    residency_.uploaded_edits();
}

/// What follows from a new list.
template <class Loops, class T> void DeviceEngine<Loops, T>::follow_list()
{
    candidates::follow_list(loops_, model_view(), bodies_, list_, rows_);
    relax::deal_out(loops_, matter_.model, matter_.domain != nullptr, rows_.any_general, bodies_,
                    list_, rows_);
}

/// From here on what the host has of dynamic bodies, list and impulses is old.
template <class Loops, class T> void DeviceEngine<Loops, T>::run_ahead()
{
    if (residency_.device_changes()) {
        forget_old();
    }
}

/// What is old on the host takes no memory where that is much.
template <class Loops, class T> void DeviceEngine<Loops, T>::forget_old()
{
    std::size_t bytes = 0;
    matter_.bodies.for_each_column([&](auto& column) {
        bytes += exec::forget(column, std::min(column.size(), matter_.bodies.dynamic_count));
    });
    const auto all = [&](auto& column) { bytes += exec::forget(column, column.size()); };
    all(matter_.list.pair);
    all(matter_.list.colour);
    all(matter_.list.slot);
    all(matter_.list.copies_of);
    all(matter_.stored.count);
    all(matter_.stored.impulse);
    all(matter_.stored.feature);
    residency_.forgot(bytes);
}

/// The same where columns may have grown since.
template <class Loops, class T> void DeviceEngine<Loops, T>::forget_again()
{
    if (residency_.forgotten_bytes() > 0) {
        forget_old();
    }
}

template <class Loops, class T> bool DeviceEngine<Loops, T>::stale(double margin)
{
    bring();
    if (const std::optional<bool> known = prediction_.take_staleness()) {
        return *known;
    }
    return lists_.stale(loops_, model_view(), bodies_.view(), margin);
}

template <class Loops, class T> bool DeviceEngine<Loops, T>::rebuild(bool changed, bool relaxed)
{
    if (matter_.domain != nullptr) {
        // Bodies that went to other ranks and came from there are on the host, where the list is
        // made too. It is brought with all else before it is used.
        residency_.host_will_change();
        return host_lists_.rebuild(matter_.model, matter_.bodies, matter_.list, matter_.stored,
                                   changed, relaxed, {}, matter_.domain.get());
    }
    bring();
    prediction_.discard();
    bool moved = false;
    try {
        moved = lists_.rebuild(loops_, model_view(), bodies_, list_, stored_, next_stored_, changed,
                               relaxed);
        follow_list();
    } catch (...) {
        // Who is gone may have no place any more: what the host has more is nothing new.
        matter_.bodies.for_each_column(
            [&](auto& column) { column.resize(std::min(column.size(), bodies_.count)); });
        run_ahead();
        throw;
    }
    follow_on_host(moved);
    run_ahead();
    if (moved) {
        forget_again();
    }
    return moved;
}

/// The host follows a list that the device has made: lengths, and the bodies that it moves itself.
template <class Loops, class T> void DeviceEngine<Loops, T>::follow_on_host(bool moved)
{
    state::Bodies& host_bodies = matter_.bodies;
    const std::size_t n = bodies_.count, tail = bodies_.dynamic_count;
    host_bodies.dynamic_count = tail;
    host_bodies.bounded_count = bodies_.bounded_count;
    host_bodies.drift_velocity = bodies_.drift_velocity;
    if (!moved) {
        loops_.download(bodies_.drift.data() + tail, host_bodies.drift.data() + tail, n - tail);
        return;
    }
    bodies_.for_each_column(host_bodies, [&](auto& from, auto& host) {
        if (from.size() > host.capacity()) {
            host = {};  // nothing in it is worth a copy
            host.reserve(from.size() + from.size() / 16);
        }
        host.resize(from.size());
        if (from.size() >= n) {
            loops_.download(from.data() + tail, host.data() + tail, n - tail);
        }
    });
}

template <class Loops, class T> void DeviceEngine<Loops, T>::fetch(Fetch need)
{
    if (need == Fetch::forces_to_change) {
        if (residency_.on_device() && !residency_.edits().forces) {
            bring();
            download_column(loops_, bodies_.force, matter_.bodies.force);
            residency_.edited_forces();
        }
        return;
    }
    const bool all = need != Fetch::bodies;
    if (residency_.frames_are_old() || (all && residency_.host_is_old())) {
        bring();  // what was appended or touched meanwhile
    }
    if (residency_.frames_are_old()) {
        download_shown(loops_, bodies_, matter_.bodies);
        residency_.fetched_frames();
    }
    if (all && residency_.host_is_old()) {
        fetch_hidden();
        residency_.fetched_all();
    }
    if (need == Fetch::all_to_change) {
        residency_.host_will_change();
    }
}

/// What frames do not show.
template <class Loops, class T> void DeviceEngine<Loops, T>::fetch_hidden()
{
    download_hidden(loops_, bodies_, matter_.bodies);
    if (matter_.domain != nullptr) {
        // Bodies that go to another rank in the middle of a step take this along.
        bodies_.for_each_momentary(
            matter_.bodies, [&](auto& from, auto& to) { download_column(loops_, from, to); });
    }
    download(loops_, list_, matter_.list);
    download(loops_, stored_, list_, matter_.stored);
}

}  // namespace scree::engine

#include "engine/device_engine_access.hpp"
#include "engine/device_engine_step.hpp"
