// The stage broad_phase on a device: what collide::VerletList::rebuild does, to the same bits.
// Loops over bodies and pairs run on the device; the host learns a few numbers on the way, in three
// downloads, and two more where bodies are put in order or split.
#pragma once

#include "stages/neighbours/device_colouring.hpp"
#include "stages/neighbours/device_order.hpp"
#include "stages/neighbours/device_pairs.hpp"
#include "stages/neighbours/device_warm_start.hpp"
#include "stages/neighbours/order_schedule.hpp"
#include "stages/neighbours/skin.hpp"

namespace scree::neighbours {

/// What the host learns before the grid is made.
struct GridInput {
    exec::Sums<12> sums;  ///< collide::MotionSums, and the bounding box: −low, high
    Census census;
    std::uint32_t stale;
};
SCREE_HD MotionSums motion_part(const exec::Sums<12>& sums)
{
    return {{sums.of[0], sums.of[1], sums.of[2], sums.of[3], sums.of[4], sums.of[5]}};
}

/// What it learns in the end.
struct ListOutput {
    ColourRuns runs;
    std::uint32_t contacts;
};

template <class Loops> class DeviceVerletList {
public:
    /// True if the list may miss a pair when every body moves with its velocity for one step, and
    /// for this much of a step more.
    [[nodiscard]] bool stale(Loops& loops, const state::ModelView& model,
                             const state::BodyView& bodies, double margin);
    /// Makes the list. `changed`: bodies were added, removed or placed anew. Returns whether bodies
    /// changed places. `relaxed`: in the middle of a step, with velocities that contacts have
    /// changed already. `spare` may be written over. Throws Error for absurdly many pairs;
    /// then what is known of pairs is lost.
    bool rebuild(Loops& loops, const state::ModelView& model, state::BodyColumns<Loops>& bodies,
                 state::ListColumns<Loops>& list, state::StoredColumns<Loops>& stored,
                 state::StoredColumns<Loops>& spare, bool changed, bool relaxed);
    /// Lists made since bodies were put in order: part of a world's state.
    [[nodiscard]] std::uint32_t rebuilds() const { return schedule_.lists(); }
    void set_rebuilds(std::uint32_t rebuilds) { schedule_.set_lists(rebuilds); }
    [[nodiscard]] std::size_t bytes() const
    {
        return order_.bytes() + muster_.bytes() + measured_.bytes() + finished_.bytes() +
               grid_.bytes() + carry_.bytes() + work_.bytes();
    }

    // Steps of a rebuild.
    void measure(Loops& loops, const state::ModelView& model, state::BodyColumns<Loops>& bodies,
                 bool relaxed);
    void make(Loops& loops, const state::ModelView& model, state::BodyColumns<Loops>& bodies,
              state::ListColumns<Loops>& list, state::StoredColumns<Loops>& stored,
              state::StoredColumns<Loops>& spare, bool reordered);

private:
    template <class T> using Buffer = typename Loops::template Buffer<T>;
    Buffer<std::uint32_t> order_;
    Buffer<BodyCensus> muster_;
    Buffer<GridInput> measured_;
    Buffer<ListOutput> finished_;
    Buffer<LevelGrid> grid_;
    WarmStartTransfer<Loops> carry_;
    exec::Arena<Loops> work_;
    OrderSchedule schedule_;
    GridInput known_{};
};

/// Lines behind the bodies: for this many copies, and idle ones, as Bodies::fit_lines makes them.
template <class Loops>
void fit_lines(Loops& loops, state::BodyColumns<Loops>& bodies, std::size_t copies)
{
    const std::size_t n = bodies.count, more = copies + state::idle_lines;
    bodies.velocity.fit(n + more);
    bodies.velocity_before.fit(n + more);
    const bool tensors = bodies.inertia.size() > 0;
    if (tensors) {
        bodies.inertia.fit(n + more);
    }
    state::VelocityLine* velocity = bodies.velocity.data() + n;
    state::VelocityLine* before = bodies.velocity_before.data() + n;
    state::InertiaLine* inertia = tensors ? bodies.inertia.data() + n : nullptr;
    loops.for_each(more, [=] SCREE_DEVICE(std::size_t i) {
        velocity[i] = before[i] = state::idle_velocity();
        if (inertia != nullptr) {
            inertia[i] = state::idle_inertia();
        }
    });
}

template <class Loops>
bool DeviceVerletList<Loops>::stale(Loops& loops, const state::ModelView& model,
                                    const state::BodyView& bodies, double margin)
{
    const LeavesSkin strays(model.settings, bodies.drift_velocity, margin);
    measured_.fit(1);
    std::uint32_t* any = &measured_.data()->stale;
    loops.fill_bytes(any, 0, 1);
    loops.for_each(bodies.count, [=] SCREE_DEVICE(std::size_t i) {
        if (strays(bodies, i)) {
            *any = 1;
        }
    });
    std::uint32_t known = 0;
    loops.download(any, &known, 1);
    return known != 0;
}

template <class Loops>
bool DeviceVerletList<Loops>::rebuild(Loops& loops, const state::ModelView& model,
                                      state::BodyColumns<Loops>& bodies,
                                      state::ListColumns<Loops>& list,
                                      state::StoredColumns<Loops>& stored,
                                      state::StoredColumns<Loops>& spare, bool changed,
                                      bool relaxed)
{
    const bool reorder = schedule_.reorders(changed);
    try {
        carry_.remember(loops, bodies.count, list, stored, work_);
        if (reorder) {
            arrange(loops, model.box, bodies, order_, muster_, work_);
        }
        measure(loops, model, bodies, relaxed);
        make(loops, model, bodies, list, stored, spare, reorder);
    } catch (...) {
        list.clear();
        stored.clear();
        throw;
    }
    return reorder;
}

/// How far each body may move until the list is made again, and then how large bodies are and
/// where.
template <class Loops>
void DeviceVerletList<Loops>::measure(Loops& loops, const state::ModelView& model,
                                      state::BodyColumns<Loops>& bodies, bool relaxed)
{
    measured_.fit(1);
    GridInput* m = measured_.data();
    const state::BodyView b = bodies.view();
    loops.template sum_and_most<6, 6>(
        b.bounded_count, &m->sums, [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<12> {
            const shapes::Ball& a = b.ball[i];
            exec::Sums<12> out{{0, 0, 0, 0, 0, 0, -a.x, -a.y, -a.z, a.x, a.y, a.z}};
            if (i < b.dynamic_count) {
                const MotionSums motion = neighbours::motion_of(b, i);
                for (int k = 0; k < 6; ++k) {
                    out.of[k] = motion.of[k];
                }
            }
            return out;
        });
    const std::size_t entries = NearbySpeed::entries(b.dynamic_count);
    exec::Scratch scratch = work_.open(exec::room<std::uint32_t>(entries));
    std::uint32_t* const table = scratch.take<std::uint32_t>(entries).data();
    loops.fill_bytes(table, 0, entries);
    const SkinRule allowing(model.settings, relaxed, {table, entries});
    loops.for_each(b.dynamic_count,
                   [=] SCREE_DEVICE(std::size_t i) { allowing.note(b, i, motion_part(m->sums)); });
    loops.fill_bytes(&m->census, 0, 1);
    loops.tally(
        b.count, m->census.count, m->census.radius,
        [=] SCREE_DEVICE(std::size_t i) -> exec::Tallied {
            b.drift[i] = allowing.drift(b, i, motion_part(m->sums));
            const double r = neighbours::with_margin(b.ball[i], b.drift[i]).r;
            return {i < b.bounded_count ? neighbours::radius_class(r) : exec::Tallied::none, r};
        });
    loops.download(m, &known_, 1);
    for (int axis = 0; axis < 3; ++axis) {
        known_.census.low[axis] = -known_.sums.of[6 + axis];
        known_.census.high[axis] = known_.sums.of[9 + axis];
    }
    bodies.drift_velocity = neighbours::means_of(motion_part(known_.sums)).velocity;
}

template <class Loops>
void DeviceVerletList<Loops>::make(Loops& loops, const state::ModelView& model,
                                   state::BodyColumns<Loops>& bodies,
                                   state::ListColumns<Loops>& list,
                                   state::StoredColumns<Loops>& stored,
                                   state::StoredColumns<Loops>& spare, bool reordered)
{
    const state::BodyView b = bodies.view();
    const bool many = find_pairs(loops, model, b, known_.census, list, grid_, work_);
    list.slot.fit(0);
    list.copies_of.fit(0);
    list.splits.fit(0);
    list.copy_count = 0;
    if (many) {
        split(loops, b, static_cast<std::uint32_t>(model.settings.contacts_per_copy), list, work_);
    }
    finished_.fit(1);
    ListOutput* f = finished_.data();
    loops.fill_bytes(f, 0, 1);
    colour(loops, b, list, &f->runs, work_);
    carry_.give(loops, reordered ? order_.data() : nullptr, list, stored, spare, &f->contacts,
                work_);
    fit_lines(loops, bodies, list.copy_count);

    ListOutput known;
    loops.download(f, &known, 1);
    list.colours = static_cast<int>(known.runs.colours);
    for (std::size_t c = 0; c < std::size(list.colour_begin); ++c) {
        list.colour_begin[c] = c < known.runs.colours ? known.runs.begin[c] : list.count;
    }
    stored.impulse.fit(known.contacts);
    stored.feature.fit(stored.feature.size() > 0 ? known.contacts : 0);
}

}  // namespace scree::neighbours
