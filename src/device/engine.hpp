// The stages of a step on a device. Dynamic bodies, neighbour list and stored impulses live there
// between steps; prescribed bodies are moved on the host as well, with the same verbs, so that
// driving them costs no transfer. The host's columns always have the right lengths, and their
// dynamic part is brought up to date only when somebody asks.
#pragma once

#include "device/contact_rows.hpp"
#include "device/lists.hpp"
#include "device/relax_rows.hpp"
#include "device/transfer.hpp"
#include "world/contact_report.hpp"
#include "world/engine.hpp"
#include "world/stage_clock.hpp"

namespace scree::device {

/// Boxes that bodies are looked for in, time and again: sinks.
struct Watched {
    static constexpr std::size_t capacity = 8, room = 64;
    Box box[capacity];
};
/// A body in one of them.
struct InsideBox {
    world::Inside body;
    std::uint32_t box;
};
inline bool same(const Box& a, const Box& b)
{
    const auto equal = [](const Vec3<double>& x, const Vec3<double>& y) {
        return x.x == y.x && x.y == y.y && x.z == y.z;
    };
    return equal(a.min, b.min) && equal(a.max, b.max);
}

/// What the host learns at the end of a step.
struct EndNumbers {
    sweeps::WorkSums work;
    world::BodySums bodies;
    exec::Sums<3> round;    ///< touching, penetrating, depth
    exec::Sums<3> general;  ///< the same
    std::uint32_t stale;    ///< the list may miss a pair in the next step
    /// Bodies in the watched boxes: how many, and as many of them as there is room for.
    std::uint32_t inside;
    InsideBox found[Watched::room];
};

template <class Loops> class Engine final : public world::Engine {
public:
    template <class T> using Buffer = typename Loops::template Buffer<T>;

    template <class... Arguments>
    explicit Engine(const world::Matter& matter, Arguments&&... arguments)
        : m_(matter), loops_(std::forward<Arguments>(arguments)...), sweeper_(loops_),
          relax_rows_(loops_, sweeper_)
    {
        numbers_.fit(1);
        end_.fit(1);
    }

    bool stale(double margin) override;
    bool rebuild(bool changed, bool relaxed) override;
    void begin_step(double spare) override;
    world::PassReport pass(collide::Pass pass, double spare, StepReport& report) override;
    world::BounceReport bounce(double velocity_scale) override;
    world::Unseen look_again(double spare) override;
    void store_impulses() override;
    world::EndReport end_step(StepReport& report) override;
    std::pair<BodyId, BodyId> bodies_of_pair(std::size_t pair) override;
    void contacts(std::vector<Contact>& out) override;
    double true_residual() override;
    void fetch(bool change) override;
    [[nodiscard]] bool elsewhere() const override { return ahead_; }
    void touch() override { tail_changed_ = true; }
    std::vector<world::Inside> find_inside(const Box& box) override;
    void make_gaps(const std::vector<world::Inside>& inside) override;
    [[nodiscard]] std::size_t pairs() const override { return list_.count; }
    [[nodiscard]] int colours() const override { return list_.colours; }
    [[nodiscard]] int copies() const override { return static_cast<int>(list_.copy_count); }
    [[nodiscard]] std::uint32_t rebuilds() const override { return lists_.rebuilds(); }
    void set_rebuilds(std::uint32_t rebuilds) override { lists_.set_rebuilds(rebuilds); }
    [[nodiscard]] std::size_t bytes() const override;

    // Parts of the above; public since device lambdas may not be in private functions.
    void bring();
    void bring_model();
    void push();
    [[nodiscard]] SweepView sweep_view() const;
    void look(double spare);
    [[nodiscard]] ModelView model_view() const;
    [[nodiscard]] std::size_t sweep_items() const;
    void refer_to_rows();
    [[nodiscard]] world::Unseen unseen() const;

private:
    world::Matter m_;
    Loops loops_;
    BodyColumns<Loops> bodies_;
    ListColumns<Loops> list_;
    StoredColumns<Loops> stored_, next_stored_;
    DeviceRows<Loops> rows_;
    Lists<Loops> lists_;
    Sweeper<Loops> sweeper_;
    RelaxRows<Loops, Sweeper<Loops>> relax_rows_;
    sweeps::RelaxMemory<Loops> memory_;
    sweeps::GuardControl<Loops> guard_;
    Buffer<Prototype> prototypes_;
    Buffer<Surface> surfaces_;
    Buffer<Numbers> numbers_;
    Buffer<EndNumbers> end_;
    Buffer<world::Inside> found_inside_;
    Buffer<std::uint32_t> inside_count_;
    Watched watched_;
    std::size_t watched_count_ = 0;
    bool inside_known_ = false;  ///< found_ has all bodies in the watched boxes
    std::vector<InsideBox> found_;
    Numbers known_{};
    bool ahead_ = false;         ///< the host's dynamic bodies, list and impulses are old
    bool here_ = false;          ///< the device has everything but what was appended or touched
    bool tail_changed_ = false;  ///< prescribed bodies were changed on the host
    bool stale_known_ = false;   ///< end_ says whether the list is stale
    bool stale_ = false;
};

template <class Loops> ModelView Engine<Loops>::model_view() const
{
    return {m_.model.settings, prototypes_.data(), surfaces_.data(), m_.model.materials,
            m_.model.box};
}

/// Kinds of bodies and surfaces.
template <class Loops> void Engine<Loops>::bring_model()
{
    upload_column(loops_, m_.model.prototypes, prototypes_);
    upload_column(loops_, m_.model.surfaces, surfaces_);
}

/// Brings what the host has changed to the device.
template <class Loops> void Engine<Loops>::bring()
{
    if (!here_) {
        bring_model();
        upload(loops_, m_.bodies, bodies_);
        upload(loops_, m_.list, list_);
        upload(loops_, m_.stored, list_, stored_);
        if (list_.count > 0) {
            follow_list(loops_, model_view(), bodies_, list_, rows_);
        }
        here_ = true;
        tail_changed_ = false;
        stale_known_ = inside_known_ = false;
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
    }
    tail_changed_ = false;
}

template <class Loops> bool Engine<Loops>::stale(double margin)
{
    bring();
    if (!stale_known_) {
        stale_ = lists_.stale(loops_, model_view(), bodies_.view(), margin);
    }
    stale_known_ = false;
    return stale_;
}

template <class Loops> bool Engine<Loops>::rebuild(bool changed, bool relaxed)
{
    bring();
    const bool moved = lists_.rebuild(loops_, model_view(), bodies_, list_, stored_, next_stored_,
                                      changed, relaxed);
    follow_list(loops_, model_view(), bodies_, list_, rows_);
    // The host follows: lengths, and the bodies that it moves itself.
    const std::size_t n = bodies_.count, tail = bodies_.dynamic_count;
    m_.bodies.dynamic_count = tail;
    m_.bodies.bounded_count = bodies_.bounded_count;
    m_.bodies.drift_velocity = bodies_.drift_velocity;
    if (moved) {
        bodies_.for_each_column(m_.bodies, [&](auto& from, auto& host) {
            host.resize(from.size());
            if (from.size() >= n) {
                loops_.download(from.data() + tail, host.data() + tail, n - tail);
            }
        });
    } else {
        loops_.download(bodies_.drift.data() + tail, m_.bodies.drift.data() + tail, n - tail);
    }
    ahead_ = true;
    return moved;
}

template <class Loops> void Engine<Loops>::begin_step(double spare)
{
    bring();
    ahead_ = true;
    const ModelView model = model_view();
    const BodyView b = bodies_.view();
    loops_.for_each(b.count,
                    [=] SCREE_DEVICE(std::size_t i) { collide::begin_step(model, b, i, spare); });
}

/// Velocities at the end of the step without contacts.
template <class Loops> void Engine<Loops>::push()
{
    const ModelView model = model_view();
    const BodyView b = bodies_.view();
    Numbers* numbers = numbers_.data();
    // Without room for all rows the pass is made again, from the velocities that are there.
    for_largest<1>(loops_, b.dynamic_count, &numbers->pushed,
                   [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<1> {
                       return {{numbers->overflow == 0 ? move::push(model, b, i) : 0}};
                   });
}

template <class Loops> SweepView Engine<Loops>::sweep_view() const
{
    return {rows_.round.data(),
            rows_.general.data(),
            {bodies_.velocity.data(), bodies_.inertia.data(),
             static_cast<std::uint32_t>(bodies_.dynamic_count),
             static_cast<std::uint32_t>(bodies_.count)},
            rows_.places.data(),
            rows_.next_on_wall.data(),
            rows_.next_point.data(),
            rows_.round_turn.data(),
            rows_.general_turn.data(),
            rows_.done.data(),
            rows_.done.size(),
            list_.splits.data(),
            list_.splits.size(),
            list_.colours,
            m_.model.settings.law,
            rows_.any_general};
}

/// As many threads as the largest colour may use.
template <class Loops> std::size_t Engine<Loops>::sweep_items() const
{
    std::size_t most = 1;
    for (int c = 0; c < list_.colours; ++c) {
        const std::size_t n = list_.colour_begin[c + 1] - list_.colour_begin[c];
        most = n > most ? n : most;
    }
    return most;
}

/// Says to what relaxes rows where these are; how many there are is known.
template <class Loops> void Engine<Loops>::refer_to_rows()
{
    sweeper_.refer_to(sweep_view(), sweep_items());
    relax_rows_.refer_to(
        model_view(), bodies_.view(), list_,
        {rows_.round.data(), known_.round_blocks, rows_.general.data(), known_.general_blocks});
}

/// Looks for pairs that the velocities now let pass into each other.
template <class Loops> void Engine<Loops>::look(double spare)
{
    const ModelView model = model_view();
    const BodyView b = bodies_.view();
    const PairView listed{list_.pair.data(), list_.count};
    const std::uint32_t *place = list_.place.data(), *special = rows_.special.data();
    const collide::BodyPair* in_step = list_.in_step.data();
    const std::uint8_t* found = rows_.found.data();
    Numbers* numbers = numbers_.data();
    const collide::Straying strays(model.settings, bodies_.drift_velocity, 0);
    loops_.for_each(b.count, [=] SCREE_DEVICE(std::size_t i) {
        if (i == 0) {
            numbers->missed = 0;
            numbers->first_missed = 0xffffffffU;
        }
        if (numbers->overflow != 0) {
            return;
        }
        if (strays(b.drift[i], b.velocity[i].v)) {
            numbers->stale = 1;
        }
        if (i < b.dynamic_count && collide::surprise(model, b, i, spare)) {
            numbers->surprised = 1;
        }
    });
    loops_.for_each(list_.count, [=] SCREE_DEVICE(std::size_t k) {
        const collide::BodyPair pair = in_step[k];
        if (numbers->surprised != 0 && (found[k] & found_count) == 0 && is_plain(model, b, pair) &&
            collide::spheres_missed(model, b, pair)) {
            add(numbers->missed, 1);
            least(numbers->first_missed, place[k]);
        }
    });
    loops_.for_each(rows_.special_count, [=] SCREE_DEVICE(std::size_t j) {
        const std::uint32_t k = special[j];
        if (numbers->surprised != 0 &&
            collide::is_missed(model, b, listed, place[k], found[k] & found_count)) {
            add(numbers->missed, 1);
            least(numbers->first_missed, place[k]);
        }
    });
}

template <class Loops>
world::PassReport Engine<Loops>::pass(collide::Pass pass, double spare, StepReport& report)
{
    const world::StageClock clock(report, Stage::relax);
    const ModelView model = model_view();
    const Settings& s = m_.model.settings;
    Numbers* numbers = numbers_.data();
    const double fall = norm(s.time_step * s.gravity);
    // Where acceleration may be needed, the host decides after every few sweeps.
    const bool controlled = s.tolerance > 0 && s.accelerate;
    do {
        rows_.fit_rows(
            std::max<std::size_t>(rows_.round.size(), known_.round_blocks * 33UL / 32),
            std::max<std::size_t>(rows_.general.size(), known_.general_blocks * 33UL / 32));
        loops_.for_each(1, [=] SCREE_DEVICE(std::size_t) {
            *numbers = Numbers{};
            numbers->pushed = fall;
            numbers->first_deep = numbers->first_degenerate = numbers->first_missed = 0xffffffffU;
        });
        find_candidates(loops_, model, bodies_, list_, spare, pass, rows_);
        place_rows(loops_, list_, bodies_.count + list_.copy_count, rows_, numbers);
        make_rows(loops_, model, bodies_, list_, stored_, next_stored_, rows_, numbers);
        push();
        const bool tensors = bodies_.inertia.size() > 0;
        InertiaLine* inertia = bodies_.inertia.data();
        const Split* splits = list_.splits.data();
        loops_.for_each(1 + list_.splits.size(), [=] SCREE_DEVICE(std::size_t i) {
            if (i == 0) {
                const double speed = lane::sqrt(numbers->speed2);
                const double scale = speed > numbers->pushed ? speed : numbers->pushed;
                numbers->scale = scale > 0 ? scale : 1;
            } else if (tensors) {
                sweeps::give_copies_inertia(splits[i - 1], inertia);
            }
        });
        if (!controlled) {
            const double* scale = &numbers->scale;
            start<RelaxTask>(loops_, sweep_items(), sweep_view(), s.sweeps, s.warm_start > 0,
                             s.tolerance, scale, &numbers->relaxed);
            look(spare);
        }
        loops_.download(numbers, &known_, 1);
    } while (known_.overflow != 0);

    world::PassReport out;
    if (controlled) {
        refer_to_rows();
        out.relaxed = sweeps::relax(relax_rows_, s, list_.splits.size() > 0, known_.scale, memory_);
        look(spare);
        loops_.download(numbers, &known_, 1);
    } else if (known_.contacts > 0) {
        out.relaxed.sweeps = static_cast<int>(known_.relaxed.sweeps);
        out.relaxed.residual = known_.relaxed.residual() / known_.scale;
    }
    out.candidates = known_.contacts;
    out.velocity_scale = known_.scale;
    out.contacts.max_penetration = known_.max_depth;
    out.contacts.relative_speed = lane::sqrt(known_.speed2);
    out.contacts.bouncing = known_.bouncing;
    out.contacts.deep = known_.deep;
    out.contacts.degenerate = known_.degenerate;
    const auto pair = [](std::uint32_t p) { return p == 0xffffffffU ? SIZE_MAX : p; };
    out.contacts.first_deep = pair(known_.first_deep);
    out.contacts.first_degenerate = pair(known_.first_degenerate);
    out.unseen = unseen();
    return out;
}

template <class Loops> world::Unseen Engine<Loops>::unseen() const
{
    return {known_.stale != 0, known_.missed, known_.first_missed};
}

template <class Loops> world::BounceReport Engine<Loops>::bounce(double velocity_scale)
{
    const Settings& s = m_.model.settings;
    world::BounceReport out;
    refer_to_rows();
    out.any = relax_rows_.choose_bounces(s.tolerance * velocity_scale) > 0;
    if (out.any) {
        guard_.keep_inelastic(relax_rows_);
        relax_rows_.push();
        out.relaxed =
            sweeps::relax(relax_rows_, s, list_.splits.size() > 0, velocity_scale, memory_);
        out.guarded = known_.contacts > 1 && guard_.run(relax_rows_);
    }
    return out;
}

template <class Loops> world::Unseen Engine<Loops>::look_again(double spare)
{
    look(spare);
    loops_.download(numbers_.data(), &known_, 1);
    return unseen();
}

template <class Loops> void Engine<Loops>::store_impulses()
{
    const std::size_t contacts = known_.contacts;
    next_stored_.impulse.fit(contacts);
    if (next_stored_.feature.size() > 0) {
        next_stored_.feature.fit(contacts);
    }
    Vec3<double>* impulse = next_stored_.impulse.data();
    const std::uint32_t* row_of = rows_.row_of.data();
    const RoundBlock* round = rows_.round.data();
    const GeneralBlock* general = rows_.general.data();
    loops_.for_each(contacts, [=] SCREE_DEVICE(std::size_t c) {
        const std::uint32_t at = row_of[c] & ~general_bit;
        impulse[c] = (row_of[c] & general_bit) == 0
                         ? contact::impulse_of(round[at / block_lanes], at % block_lanes)
                         : contact::impulse_of(general[at / block_lanes], at % block_lanes);
    });
    stored_.count.swap(next_stored_.count);
    stored_.first.swap(next_stored_.first);
    stored_.impulse.swap(next_stored_.impulse);
    stored_.feature.swap(next_stored_.feature);
}

template <class Loops> world::EndReport Engine<Loops>::end_step(StepReport& report)
{
    const world::StageClock clock(report, Stage::integrate_pose);
    const ModelView model = model_view();
    const BodyView b = bodies_.view();
    EndNumbers* end = end_.data();
    refer_to_rows();
    relax_rows_.sum_work(&end->work);
    const auto count = [&](std::size_t rows, const std::uint8_t* mark, const double* depth,
                           exec::Sums<3>* out) {
        loops_.sum(rows, out, [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<3> {
            return {{(mark[i] & mark_touching) != 0 ? 1.0 : 0.0,
                     (mark[i] & mark_penetrating) != 0 ? 1.0 : 0.0, depth[i]}};
        });
    };
    count(std::size_t(known_.round_blocks) * block_lanes, rows_.round_mark.data(),
          rows_.round_depth.data(), &end->round);
    count(std::size_t(known_.general_blocks) * block_lanes, rows_.general_mark.data(),
          rows_.general_depth.data(), &end->general);
    loops_.sum(b.count, &end->bodies, [=] SCREE_DEVICE(std::size_t i) -> world::BodySums {
        if (i == 0) {
            end->stale = 0;
            end->inside = 0;
        }
        return world::finish_body(model, b, i);
    });
    const collide::Straying strays(model.settings, bodies_.drift_velocity, world::list_margin);
    const Watched watched = watched_;
    const std::size_t watched_count = watched_count_;
    loops_.for_each(b.count, [=] SCREE_DEVICE(std::size_t i) {
        if (strays(b.drift[i], b.velocity[i].v)) {
            end->stale = 1;
        }
        for (std::size_t w = 0; w < watched_count; ++w) {
            if (world::is_inside(b, i, watched.box[w])) {
                const std::uint32_t at = add(end->inside, 1);
                if (at < Watched::room) {
                    end->found[at] = {world::inside_of(model, b, i), static_cast<std::uint32_t>(w)};
                }
            }
        }
    });
    // The host moves what is prescribed meanwhile.
    const ModelView host_model = view(m_.model);
    const BodyView host = view(m_.bodies);
    for (std::size_t i = host.dynamic_count; i < host.count; ++i) {
        world::finish_body(host_model, host, i);
    }
    EndNumbers known;
    loops_.download(end, &known, 1);
    if (b.count == 0) {  // no loop has set them
        known.stale = known.inside = 0;
    }
    stale_ = known.stale != 0;
    stale_known_ = true;
    inside_known_ = known.inside <= Watched::room;
    found_.assign(known.found, known.found + std::min<std::size_t>(known.inside, Watched::room));
    std::sort(found_.begin(), found_.end(),
              [](const InsideBox& x, const InsideBox& y) { return x.body.body < y.body.body; });
    world::EndReport out;
    out.work = sweeps::contact_work(known.work);
    out.sums = known.bodies;
    out.touching = static_cast<std::size_t>(known.round.of[0] + known.general.of[0]);
    out.penetrating = static_cast<std::size_t>(known.round.of[1] + known.general.of[1]);
    out.penetration_sum = known.round.of[2] + known.general.of[2];
    return out;
}

template <class Loops> std::pair<BodyId, BodyId> Engine<Loops>::bodies_of_pair(std::size_t pair)
{
    collide::BodyPair p{};
    BodyId first = 0, second = 0;
    loops_.download(list_.pair.data() + pair, &p, 1);
    loops_.download(bodies_.id.data() + p.first, &first, 1);
    loops_.download(bodies_.id.data() + p.second, &second, 1);
    return {first, second};
}

template <class Loops> void Engine<Loops>::contacts(std::vector<Contact>& out)
{
    if (!here_ || stored_.count.size() != list_.count || known_.contacts == 0) {
        return;
    }
    const std::size_t n = list_.count, contacts = known_.contacts;
    Buffer<Contact> made;
    made.fit(contacts);
    Contact* to = made.data();
    const ModelView model = model_view();
    const BodyView b = bodies_.view();
    const collide::BodyPair* in_step = list_.in_step.data();
    const std::uint8_t* found = rows_.found.data();
    const std::uint32_t *first = stored_.first.data(), *row_of = rows_.row_of.data();
    const std::uint32_t* special_before = rows_.special_before.data();
    const collide::ContactPoint* points = rows_.points.data();
    const Vec3<double>* impulse = stored_.impulse.data();
    const RoundBlock* round = rows_.round.data();
    const GeneralBlock* general = rows_.general.data();
    loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
        const collide::BodyPair pair = in_step[k];
        const bool spheres = (b.flags[pair.first] & b.flags[pair.second] & flag_round) != 0;
        for (std::uint32_t f = 0; f < (found[k] & found_count); ++f) {
            const std::uint32_t c = first[k] + f;
            if (!spheres) {
                to[c] = world::contact_at(
                    b, pair, points[collide::Manifold::capacity * special_before[k] + f],
                    impulse[c]);
                continue;
            }
            const std::uint32_t at = row_of[c] & ~general_bit;
            Vec3<double> n_{};
            double lever = 0;
            if ((row_of[c] & general_bit) == 0) {
                const sweeps::RoundRow<double> row =
                    sweeps::load(round[at / block_lanes], static_cast<int>(at % block_lanes));
                n_ = row.n;
                lever = row.lever_a;
            } else {
                const sweeps::GeneralRow<double> row =
                    sweeps::load(general[at / block_lanes], static_cast<int>(at % block_lanes));
                n_ = row.n;
                lever = -dot(row.n, row.lever_a);
            }
            to[c] = world::contact_of_spheres(model, b, pair, n_, lever, impulse[c]);
        }
    });
    std::vector<Contact> by_step(contacts);
    std::vector<std::uint32_t> place(n), firsts(n + 1), step_of(n);
    loops_.download(made.data(), by_step.data(), contacts);
    loops_.download(list_.place.data(), place.data(), n);
    loops_.download(stored_.first.data(), firsts.data(), n + 1);
    for (std::size_t k = 0; k < n; ++k) {
        step_of[place[k]] = static_cast<std::uint32_t>(k);
    }
    for (const std::uint32_t k : step_of) {
        out.insert(out.end(), by_step.begin() + firsts[k], by_step.begin() + firsts[k + 1]);
    }
}

template <class Loops> double Engine<Loops>::true_residual()
{
    // Contacts are judged by the velocities they left, before bodies turned.
    const bool kept = bodies_.inertia.size() > 0;
    if (kept) {
        bodies_.velocity.swap(bodies_.velocity_before);
    }
    refer_to_rows();
    const double residual = relax_rows_.measure();
    if (kept) {
        bodies_.velocity.swap(bodies_.velocity_before);
    }
    return residual;
}

template <class Loops> void Engine<Loops>::fetch(bool change)
{
    if (ahead_) {
        bring();  // what was appended or touched meanwhile
        download(loops_, bodies_, m_.bodies);
        download(loops_, list_, m_.list);
        download(loops_, stored_, list_, m_.stored);
        ahead_ = false;
    }
    here_ = here_ && !change;
}

template <class Loops> std::vector<world::Inside> Engine<Loops>::find_inside(const Box& box)
{
    bring();
    std::size_t watched = 0;
    while (watched < watched_count_ && !same(watched_.box[watched], box)) {
        ++watched;
    }
    if (watched < watched_count_ && inside_known_) {
        std::vector<world::Inside> out;
        for (const InsideBox& found : found_) {
            if (found.box == watched) {
                out.push_back(found.body);
            }
        }
        return out;
    }
    if (watched == watched_count_ && watched_count_ < Watched::capacity) {
        watched_.box[watched_count_++] = box;
        inside_known_ = false;  // of this one
    }
    const ModelView model = model_view();
    const BodyView b = bodies_.view();
    found_inside_.fit(std::max<std::size_t>(found_inside_.size(), 64));
    inside_count_.fit(1);
    std::uint32_t* count = inside_count_.data();
    std::uint32_t n = 0;
    while (true) {
        const std::size_t room = found_inside_.size();
        world::Inside* found = found_inside_.data();
        loops_.fill_bytes(count, 0, 1);
        loops_.for_each(b.count, [=] SCREE_DEVICE(std::size_t i) {
            if (world::is_inside(b, i, box)) {
                const std::uint32_t at = add(*count, 1);
                if (at < room) {
                    found[at] = world::inside_of(model, b, i);
                }
            }
        });
        loops_.download(count, &n, 1);
        if (n <= room) {
            break;
        }
        found_inside_.fit(n);
    }
    std::vector<world::Inside> out(n);
    loops_.download(found_inside_.data(), out.data(), n);
    std::sort(out.begin(), out.end(),
              [](const world::Inside& x, const world::Inside& y) { return x.body < y.body; });
    return out;
}

template <class Loops> void Engine<Loops>::make_gaps(const std::vector<world::Inside>& inside)
{
    const std::size_t n = inside.size();
    found_inside_.fit(std::max(found_inside_.size(), n));
    loops_.upload(inside.data(), found_inside_.data(), n);
    const world::Inside* gaps = found_inside_.data();
    const BodyView b = bodies_.view();
    loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) { make_gap(b, gaps[k].body); });
    for (const world::Inside& gap : inside) {  // what was added and never seen by the device's list
        if (gap.body >= m_.bodies.dynamic_count) {
            make_gap(view(m_.bodies), gap.body);
        }
    }
    inside_known_ = false;
    ahead_ = true;
    stale_known_ = false;  // one that is gone may have been the one to stray
}

template <class Loops> std::size_t Engine<Loops>::bytes() const
{
    return bodies_.bytes() + list_.bytes() + stored_.bytes() + next_stored_.bytes() +
           rows_.bytes() + lists_.bytes() + relax_rows_.bytes() + memory_.bytes() +
           prototypes_.bytes() + surfaces_.bytes() + found_inside_.bytes();
}

}  // namespace scree::device
