// The device's engine: what is asked of it between steps. Part of device_engine.hpp.
#pragma once

#include "engine/device_engine.hpp"

namespace scree::engine {

template <class Loops, class T>
std::pair<BodyId, BodyId> DeviceEngine<Loops, T>::bodies_of_pair(std::size_t pair)
{
    state::BodyPair p{};
    BodyId first = 0, second = 0;
    loops_.download(list_.pair.data() + pair, &p, 1);
    loops_.download(bodies_.id.data() + p.first, &first, 1);
    loops_.download(bodies_.id.data() + p.second, &second, 1);
    return {first, second};
}

template <class Loops, class T> void DeviceEngine<Loops, T>::contacts(std::vector<Contact>& out)
{
    if (!residency_.on_device() || stored_.count.size() != list_.count ||
        host_counts_.contacts == 0) {
        return;
    }
    const std::size_t n = list_.count, contacts = host_counts_.contacts;
    Buffer<Contact> made;
    made.fit(contacts);
    Contact* to = made.data();
    const state::ModelView model = model_view();
    const state::BodyView b = bodies_.view();
    const state::BodyPair* in_step = list_.in_step.data();
    const std::uint8_t* found = rows_.found.count.data();
    // They are made in the order of the list.
    const ListOrder<Loops> order(loops_, list_, stored_);
    const std::uint32_t *place = list_.place.data(), *first_in_list = order.first.data();
    const std::uint32_t *first = stored_.first.data(), *row_of = rows_.row_of.data();
    const std::uint32_t* special_of = rows_.special_of.data();
    const shapes::ContactPoint* points = rows_.found.points.data();
    const Vec3<double>* impulse = stored_.impulse.data();
    const state::RoundRowsOf<T>* round = rows_.round.data();
    const state::GeneralBlock* general = rows_.general.data();
    loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
        const state::BodyPair pair = in_step[k];
        const bool spheres = (b.flags[pair.first] & b.flags[pair.second] & state::flag_round) != 0;
        for (std::uint32_t f = 0; f < (found[k] & candidates::found_count); ++f) {
            const std::uint32_t c = first[k] + f, shown = first_in_list[place[k]] + f;
            if (!spheres) {
                to[shown] = engine::contact_at(
                    b, pair, points[shapes::Manifold::capacity * special_of[k] + f], impulse[c]);
                continue;
            }
            to[shown] = engine::contact_of_spheres(
                model, b, pair, engine::normal_and_lever(round, general, row_of[c]), impulse[c]);
        }
    });
    out.resize(contacts);
    loops_.download(made.data(), out.data(), contacts);
}

template <class Loops, class T>
std::vector<BodyInBox> DeviceEngine<Loops, T>::find_inside(const Box& box)
{
    bring();
    if (const auto known = prediction_.find_inside(box)) {
        return *known;
    }
    const state::ModelView model = model_view();
    const state::BodyView b = bodies_.view();
    bodies_in_box_.fit(std::max<std::size_t>(bodies_in_box_.size(), 64));
    body_in_box_count_.fit(1);
    std::uint32_t* count = body_in_box_count_.data();
    std::uint32_t n = 0;
    while (true) {
        const std::size_t room = bodies_in_box_.size();
        BodyInBox* found = bodies_in_box_.data();
        loops_.fill_bytes(count, 0, 1);
        loops_.for_each(b.count, [=] SCREE_DEVICE(std::size_t i) {
            if (engine::is_inside(b, i, box)) {
                const std::uint32_t at = exec::add(*count, 1);
                if (at < room) {
                    found[at] = engine::body_in_box(model, b, i);
                }
            }
        });
        loops_.download(count, &n, 1);
        if (n <= room) {
            break;
        }
        bodies_in_box_.fit(n);
    }
    std::vector<BodyInBox> out(n);
    loops_.download(bodies_in_box_.data(), out.data(), n);
    std::sort(out.begin(), out.end(),
              [](const BodyInBox& x, const BodyInBox& y) { return x.body < y.body; });
    return out;
}

template <class Loops, class T>
void DeviceEngine<Loops, T>::make_gaps(const std::vector<BodyInBox>& inside)
{
    const std::size_t n = inside.size();
    const state::BodyView b = bodies_.view();
    // A few at a time, which come with the loop.
    for (std::size_t from = 0; from < n; from += WatchedBoxes::room) {
        const std::size_t count = std::min(n - from, WatchedBoxes::room);
        FewBodies gaps{};
        for (std::size_t k = 0; k < count; ++k) {
            gaps.body[k] = inside[from + k].body;
        }
        loops_.for_each(count,
                        [=] SCREE_DEVICE(std::size_t k) { state::make_gap(b, gaps.body[k]); });
    }
    for (const BodyInBox& gap : inside) {  // what was added and never seen by the device's list
        if (gap.body >= matter_.bodies.dynamic_count) {
            state::make_gap(state::view(matter_.bodies), gap.body);
        }
    }
    prediction_.removed(inside);
    run_ahead();
}

template <class Loops, class T> EngineMemory DeviceEngine<Loops, T>::memory() const
{
    const std::size_t bytes = bodies_.bytes() + list_.bytes() + stored_.bytes() +
                              next_stored_.bytes() + rows_.bytes() + lists_.bytes() +
                              relax_rows_.bytes() + relax_memory_.bytes() + prototypes_.bytes() +
                              solids_.bytes() + surfaces_.bytes() + bodies_in_box_.bytes() +
                              guard_.bytes() + rank_sweeper_.bytes() + loops_.bytes();
    return {
        .host = host_lists_.bytes(), .device = bytes, .forgotten = residency_.forgotten_bytes()};
}

template <class Loops, class T> std::vector<StepContact> DeviceEngine<Loops, T>::problems()
{
    std::vector<StepContact> out;
    if (!residency_.on_device() || host_counts_.contacts == 0) {
        return out;
    }
    const auto brought = [&](const auto& column, std::size_t n) {
        std::vector<std::remove_cvref_t<decltype(*column.data())>> here(n);
        loops_.download(column.data(), here.data(), n);
        return here;
    };
    const auto velocity = brought(velocities_of_contacts(bodies_), bodies_.count);
    const auto splits = brought(list_.splits, list_.splits.size());
    const auto round = brought(rows_.round, rows_.round.size());
    const auto general = brought(rows_.general, host_counts_.general_blocks);
    ProblemBodies bodies(velocity, list_.copy_count);
    bodies.name_copies(splits);
    bodies.name_copies(matter_.list.shared);
    engine::append_problem<state::round_lanes>(
        round.data(), std::size_t(host_counts_.round_blocks) * state::block_lanes, bodies, out);
    engine::append_problem<state::block_lanes>(
        general.data(), std::size_t(host_counts_.general_blocks) * state::block_lanes, bodies, out);
    return out;
}

}  // namespace scree::engine
