// What a device holds of a world: bodies, neighbour list and stored impulses, column by column. The
// host's Bodies, PairList and StoredImpulses have the same content.
#pragma once

#include "state/views.hpp"

#include <algorithm>
#include <iterator>

namespace scree::state {

template <class Loops> struct BodyColumns {
    template <class T> using Buffer = typename Loops::template Buffer<T>;
    Buffer<BodyId> id;
    Buffer<shapes::Ball> ball;
    Buffer<Quat<double>> orientation;
    Buffer<VelocityLine> velocity, velocity_before;
    Buffer<Displacement> drift;
    Buffer<std::uint32_t> prototype;
    Buffer<std::uint8_t> flags;
    Buffer<float> reach;
    Buffer<InertiaLine> inertia;  ///< of size 0 while all bodies are round
    Buffer<Force> force;          ///< of size 0 while no force is set
    Vec3<double> drift_velocity{0, 0, 0};
    std::size_t dynamic_count = 0, bounded_count = 0, count = 0;

    /// f(device's column, host's column)
    template <class F> void for_each_column(Bodies& host, F&& f)
    {
        for_each_shown(host, f);
        for_each_hidden(host, f);
        for_each_momentary(host, f);
    }
    /// What frames show.
    template <class F> void for_each_shown(Bodies& host, F&& f)
    {
        f(id, host.id);
        f(ball, host.ball);
        f(orientation, host.orientation);
        f(velocity, host.velocity);
        f(prototype, host.prototype);
        f(flags, host.flags);
    }
    /// What steps need beside.
    template <class F> void for_each_hidden(Bodies& host, F&& f)
    {
        f(drift, host.drift);
        f(inertia, host.inertia);
        f(force, host.force);
    }
    /// What each step makes anew.
    template <class F> void for_each_momentary(Bodies& host, F&& f)
    {
        f(velocity_before, host.velocity_before);
        f(reach, host.reach);
    }
    [[nodiscard]] std::size_t bytes() const
    {
        return id.bytes() + ball.bytes() + orientation.bytes() + velocity.bytes() +
               velocity_before.bytes() + drift.bytes() + prototype.bytes() + flags.bytes() +
               reach.bytes() + inertia.bytes() + force.bytes();
    }
    [[nodiscard]] BodyView view() const
    {
        return {id.data(),
                ball.data(),
                orientation.data(),
                velocity.data(),
                velocity_before.data(),
                drift.data(),
                prototype.data(),
                flags.data(),
                reach.data(),
                inertia.size() > 0 ? inertia.data() : nullptr,
                force.size() > 0 ? force.data() : nullptr,
                drift_velocity,
                dynamic_count,
                bounded_count,
                count};
    }
};

/// A step goes through the pairs colour by colour, and within a colour in the order of the list:
/// the step's order.
template <class Loops> struct ListColumns {
    template <class T> using Buffer = typename Loops::template Buffer<T>;
    std::size_t count = 0;
    Buffer<BodyPair> pair;        ///< sorted by (first, second)
    Buffer<std::uint8_t> colour;  ///< of each pair
    int colours = 0;
    std::array<int, part_local> leg_end{};  ///< as of PairList
    Buffer<std::uint32_t> place;            ///< of the k-th pair of the step's order, in the list
    Buffer<BodyPair> in_step;               ///< the pairs in the step's order
    std::size_t colour_begin[65] = {};      ///< where each colour begins in the step's order
    // Only where bodies are split or shared (else of size 0):
    Buffer<BodyPair> slot;  ///< in the step's order: whose velocity a pair's contacts change
    Buffer<std::uint32_t> copies_of;  ///< number of copies of each body, on all ranks
    Buffer<SplitBody> splits;
    Buffer<RankSplitBody> shared;  ///< with other ranks
    std::uint32_t copy_count = 0;

    void clear()
    {
        count = 0;
        colours = 0;
        leg_end.fill(0);
        copy_count = 0;
        pair.fit(0);
        colour.fit(0);
        place.fit(0);
        in_step.fit(0);
        std::fill(std::begin(colour_begin), std::end(colour_begin), std::size_t(0));
        slot.fit(0);
        copies_of.fit(0);
        splits.fit(0);
        shared.fit(0);
    }
    [[nodiscard]] std::size_t bytes() const
    {
        return pair.bytes() + colour.bytes() + place.bytes() + in_step.bytes() + slot.bytes() +
               copies_of.bytes() + splits.bytes() + shared.bytes();
    }
};

/// The impulses that the last step left, in the step's order of the pairs.
template <class Loops> struct StoredColumns {
    template <class T> using Buffer = typename Loops::template Buffer<T>;
    Buffer<std::uint8_t> count;     ///< contacts of each pair
    Buffer<std::uint32_t> first;    ///< the first contact of each pair, and the number of all
    Buffer<Vec3<double>> impulse;   ///< world frame, on the pair's first body
    Buffer<std::uint32_t> feature;  ///< of each contact; of size 0: all zero

    void clear()
    {
        count.fit(0);
        first.fit(0);
        impulse.fit(0);
        feature.fit(0);
    }
    [[nodiscard]] std::size_t bytes() const
    {
        return count.bytes() + first.bytes() + impulse.bytes() + feature.bytes();
    }
};

}  // namespace scree::state
