// A world's columns between the host and a device, exact to the bit. The host keeps what belongs to
// pairs in the order of the list, a device in the step's order; the device itself puts them into
// the one or the other, which the host would take longer for than for all else.
#pragma once

#include "shapes/shared_geometry.hpp"
#include "state/device_columns.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace scree::engine {

template <class Loops, class T>
void upload_column(Loops& loops, const std::vector<T>& from, typename Loops::template Buffer<T>& to)
{
    to.fit(from.size());
    loops.upload(from.data(), to.data(), from.size());
}
template <class Loops, class T>
void download_column(Loops& loops, const typename Loops::template Buffer<T>& from,
                     std::vector<T>& to)
{
    exec::fit(to, from.size());
    loops.download(from.data(), to.data(), from.size());
}

/// Kinds of bodies. Polyhedra, clumps and meshes that their shapes point to are brought along.
template <class Loops>
void upload_kinds(Loops& loops, const std::vector<state::Prototype>& host,
                  typename Loops::template Buffer<state::Prototype>& kinds,
                  typename Loops::template Buffer<std::uint64_t>& solids)
{
    shapes::Solids known;
    for (const state::Prototype& kind : host) {
        known.add(kind.shape);
    }
    std::vector<std::uint64_t> words;
    std::vector<std::size_t> polyhedra, clumps, meshes;  // where they begin
    const auto append = [&](const auto* solid, std::vector<std::size_t>& begin) {
        const auto* from = reinterpret_cast<const std::uint64_t*>(solid);
        begin.push_back(words.size());
        words.insert(words.end(), from, from + solid->bytes / sizeof *from);
    };
    for (const Polyhedron* p : known.polyhedra()) {
        append(p, polyhedra);
    }
    for (const Clump* c : known.clumps()) {
        append(c, clumps);
    }
    for (const Mesh* m : known.meshes()) {
        append(m, meshes);
    }
    solids.fit(words.size());
    const auto point_there = [&](Shape& shape) {
        if (shape.solid != nullptr) {
            shape.solid = reinterpret_cast<const Polyhedron*>(solids.data() +
                                                              polyhedra[known.number(shape.solid)]);
        }
        if (shape.parts != nullptr) {
            shape.parts =
                reinterpret_cast<const Clump*>(solids.data() + clumps[known.number(shape.parts)]);
        }
        if (shape.surface != nullptr) {
            shape.surface =
                reinterpret_cast<const Mesh*>(solids.data() + meshes[known.number(shape.surface)]);
        }
    };
    for (const std::size_t begin : clumps) {
        auto* clump = reinterpret_cast<Clump*>(&words[begin]);
        auto* parts = reinterpret_cast<ClumpPart*>(clump + 1);
        for (std::uint32_t k = 0; k < clump->count; ++k) {
            point_there(parts[k].shape);
        }
    }
    loops.upload(words.data(), solids.data(), words.size());
    std::vector<state::Prototype> there = host;
    for (state::Prototype& kind : there) {
        point_there(kind.shape);
    }
    upload_column(loops, there, kinds);
}

template <class Loops>
void upload(Loops& loops, state::Bodies& host, state::BodyColumns<Loops>& columns)
{
    columns.for_each_column(host, [&](auto& to, auto& from) { upload_column(loops, from, to); });
    columns.drift_velocity = host.drift_velocity;
    columns.dynamic_count = host.dynamic_count;
    columns.bounded_count = host.bounded_count;
    columns.count = host.count();
}
/// What frames show.
template <class Loops>
void download_shown(Loops& loops, state::BodyColumns<Loops>& columns, state::Bodies& host)
{
    columns.for_each_shown(host, [&](auto& from, auto& to) { download_column(loops, from, to); });
    host.dynamic_count = columns.dynamic_count;
    host.bounded_count = columns.bounded_count;
}
/// What steps need beside.
template <class Loops>
void download_hidden(Loops& loops, state::BodyColumns<Loops>& columns, state::Bodies& host)
{
    columns.for_each_hidden(host, [&](auto& from, auto& to) { download_column(loops, from, to); });
    // What bodies have of these is made anew by every step, the lines behind them are not.
    columns.for_each_momentary(host, [&](auto& from, auto& to) {
        exec::fit(to, from.size());
        loops.download(from.data() + columns.count, to.data() + columns.count,
                       from.size() - columns.count);
    });
    host.drift_velocity = columns.drift_velocity;
}

template <class Loops>
void upload(Loops& loops, const state::PairList& host, state::ListColumns<Loops>& columns)
{
    const std::size_t n = host.pair.size();
    columns.count = n;
    columns.colours = host.colours;
    columns.leg_end = host.leg_end;
    columns.copy_count = host.copy_count;
    std::fill(std::begin(columns.colour_begin), std::end(columns.colour_begin), std::size_t(0));
    for (const std::uint8_t c : host.colour) {
        ++columns.colour_begin[c + 1U];
    }
    // A restored list has no colours if it is going to be made anew: any will do.
    columns.colour_begin[1] += n - host.colour.size();
    for (std::size_t c = 1; c < std::size(columns.colour_begin); ++c) {
        columns.colour_begin[c] += columns.colour_begin[c - 1];
    }
    upload_column(loops, host.pair, columns.pair);
    columns.colour.fit(n);
    loops.fill_bytes(columns.colour.data(), 0, n);
    loops.upload(host.colour.data(), columns.colour.data(), host.colour.size());
    upload_column(loops, host.copies_of, columns.copies_of);
    upload_column(loops, host.splits, columns.splits);
    upload_column(loops, host.shared, columns.shared);
    columns.place.fit(n);
    columns.in_step.fit(n);
    columns.slot.fit(host.slot.size());
    typename Loops::template Buffer<std::uint32_t> in_list;
    typename Loops::template Buffer<std::uint8_t> sorted;
    typename Loops::template Buffer<state::BodyPair> slots;
    in_list.fit(n);
    sorted.fit(n);
    upload_column(loops, host.slot, slots);
    std::uint32_t *to = in_list.data(), *place = columns.place.data();
    const state::BodyPair *pair = columns.pair.data(), *slot = slots.data();
    state::BodyPair *in_step = columns.in_step.data(), *slot_in_step = columns.slot.data();
    const bool split = host.slot.size() > 0;
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) { to[i] = static_cast<std::uint32_t>(i); });
    loops.sort(columns.colour.data(), sorted.data(), in_list.data(), place, n, 6);
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
        in_step[k] = pair[place[k]];
        if (split) {
            slot_in_step[k] = slot[place[k]];
        }
    });
}
template <class Loops>
void download(Loops& loops, const state::ListColumns<Loops>& columns, state::PairList& host)
{
    download_column(loops, columns.pair, host.pair);
    download_column(loops, columns.colour, host.colour);
    download_column(loops, columns.copies_of, host.copies_of);
    download_column(loops, columns.splits, host.splits);
    // One part of all pairs.
    host.colours = host.own_colours = columns.colours;
    host.leg_end = columns.leg_end;
    host.parts = 1;
    host.part_chunks =
        std::max<std::size_t>(1, (columns.count + state::pair_chunk - 1) / state::pair_chunk);
    host.copy_count = columns.copy_count;
    typename Loops::template Buffer<state::BodyPair> by_list;
    by_list.fit(columns.slot.size());
    state::BodyPair* to = by_list.data();
    const state::BodyPair* slot = columns.slot.data();
    const std::uint32_t* place = columns.place.data();
    loops.for_each(by_list.size(), [=] SCREE_DEVICE(std::size_t k) { to[place[k]] = slot[k]; });
    download_column(loops, by_list, host.slot);
}

/// Where each pair of the list is in the step's order, and where its contacts begin when they are
/// in the order of the list.
template <class Loops> struct ListOrder {
    typename Loops::template Buffer<std::uint32_t> step_of, first;

    ListOrder(Loops& loops, const state::ListColumns<Loops>& list,
              const state::StoredColumns<Loops>& stored)
    {
        make(loops, list, stored);
    }
    // Device lambdas may not be in constructors. Compiled where it is asked for by name alone.
    void make(Loops& loops, const state::ListColumns<Loops>& list,
              const state::StoredColumns<Loops>& stored);
};
template <class Loops>
void ListOrder<Loops>::make(Loops& loops, const state::ListColumns<Loops>& list,
                            const state::StoredColumns<Loops>& stored)
{
    const std::size_t n = stored.count.size();
    step_of.fit(n);
    first.fit(n + 1);
    std::uint32_t* step = step_of.data();
    const std::uint32_t* place = list.place.data();
    const std::uint8_t* count = stored.count.data();
    loops.for_each(
        n, [=] SCREE_DEVICE(std::size_t k) { step[place[k]] = static_cast<std::uint32_t>(k); });
    loops.scan(n, first.data(),
               [=] SCREE_DEVICE(std::size_t i) -> std::uint32_t { return count[step[i]]; });
}

/// The impulses of the contacts of a list that is on the device already.
template <class Loops>
void upload(Loops& loops, const state::StoredImpulses& host, const state::ListColumns<Loops>& list,
            state::StoredColumns<Loops>& columns)
{
    const std::size_t n = host.count.size();
    state::StoredColumns<Loops> by_list;
    upload_column(loops, host.count, by_list.count);
    upload_column(loops, host.impulse, by_list.impulse);
    upload_column(loops, host.feature, by_list.feature);
    columns.count.fit(n);
    columns.first.fit(n + 1);
    columns.impulse.fit(host.impulse.size());
    columns.feature.fit(host.feature.size());
    const std::uint32_t* place = list.place.data();
    const std::uint8_t* count = by_list.count.data();
    std::uint32_t* first = columns.first.data();
    std::uint8_t* to = columns.count.data();
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) { to[k] = count[place[k]]; });
    loops.scan(n, first, [=] SCREE_DEVICE(std::size_t k) -> std::uint32_t { return to[k]; });
    const ListOrder<Loops> order(loops, list, columns);
    const std::uint32_t* first_in_list = order.first.data();
    const Vec3<double>* from = by_list.impulse.data();
    Vec3<double>* impulse = columns.impulse.data();
    const std::uint32_t* from_feature = by_list.feature.data();
    std::uint32_t* feature = columns.feature.data();
    const bool features = !host.feature.empty();
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
        const std::uint32_t old = first_in_list[place[k]];
        for (std::uint32_t c = 0; c < to[k]; ++c) {
            impulse[first[k] + c] = from[old + c];
            if (features) {
                feature[first[k] + c] = from_feature[old + c];
            }
        }
    });
}
template <class Loops>
void download(Loops& loops, const state::StoredColumns<Loops>& columns,
              const state::ListColumns<Loops>& list, state::StoredImpulses& host)
{
    const std::size_t n = columns.count.size();
    const ListOrder<Loops> order(loops, list, columns);
    state::StoredColumns<Loops> by_list;
    by_list.count.fit(n);
    by_list.impulse.fit(columns.impulse.size());
    by_list.feature.fit(columns.feature.size());
    const std::uint32_t *place = list.place.data(), *first = columns.first.data();
    const std::uint32_t* first_in_list = order.first.data();
    const std::uint8_t* count = columns.count.data();
    const Vec3<double>* impulse = columns.impulse.data();
    const std::uint32_t* feature = columns.feature.data();
    std::uint8_t* to = by_list.count.data();
    Vec3<double>* to_impulse = by_list.impulse.data();
    std::uint32_t* to_feature = by_list.feature.data();
    const bool features = columns.feature.size() > 0;
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
        const std::uint32_t at = first_in_list[place[k]];
        to[place[k]] = count[k];
        for (std::uint32_t c = 0; c < count[k]; ++c) {
            to_impulse[at + c] = impulse[first[k] + c];
            if (features) {
                to_feature[at + c] = feature[first[k] + c];
            }
        }
    });
    download_column(loops, by_list.count, host.count);
    download_column(loops, by_list.impulse, host.impulse);
    download_column(loops, by_list.feature, host.feature);
    exec::fit(host.chunk_first, (n + state::pair_chunk - 1) / state::pair_chunk);
    std::uint32_t contacts = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (i % state::pair_chunk == 0) {
            host.chunk_first[i / state::pair_chunk] = contacts;
        }
        contacts += host.count[i];
    }
}

}  // namespace scree::engine
