// A world's columns between the host and a device, exact to the bit. The host keeps what belongs to
// pairs in the order of the list, a device in the step's order.
#pragma once

#include "device/columns.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace scree::device {

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
    fit(to, from.size());
    loops.download(from.data(), to.data(), from.size());
}

template <class Loops> void upload(Loops& loops, Bodies& host, BodyColumns<Loops>& columns)
{
    columns.for_each_column(host, [&](auto& to, auto& from) { upload_column(loops, from, to); });
    columns.drift_velocity = host.drift_velocity;
    columns.dynamic_count = host.dynamic_count;
    columns.bounded_count = host.bounded_count;
    columns.count = host.count();
}
template <class Loops> void download(Loops& loops, BodyColumns<Loops>& columns, Bodies& host)
{
    columns.for_each_column(host, [&](auto& from, auto& to) { download_column(loops, from, to); });
    host.drift_velocity = columns.drift_velocity;
    host.dynamic_count = columns.dynamic_count;
    host.bounded_count = columns.bounded_count;
}

template <class Loops> void upload(Loops& loops, const PairList& host, ListColumns<Loops>& columns)
{
    const std::size_t n = host.pair.size();
    columns.count = n;
    columns.colours = host.colours;
    columns.copy_count = host.copy_count;
    // A restored list has no colours if it is going to be made anew: any will do.
    std::vector<std::uint8_t> colour = host.colour;
    colour.resize(n);
    std::fill(std::begin(columns.colour_begin), std::end(columns.colour_begin), std::size_t(0));
    for (const std::uint8_t c : colour) {
        ++columns.colour_begin[c + 1U];
    }
    for (std::size_t c = 1; c < std::size(columns.colour_begin); ++c) {
        columns.colour_begin[c] += columns.colour_begin[c - 1];
    }
    auto next = std::to_array(columns.colour_begin);
    std::vector<std::uint32_t> place(n);
    for (std::size_t i = 0; i < n; ++i) {
        place[next[colour[i]]++] = static_cast<std::uint32_t>(i);
    }
    const auto in_step = [&](const std::vector<collide::BodyPair>& by_list) {
        std::vector<collide::BodyPair> out(by_list.size());
        for (std::size_t k = 0; k < out.size(); ++k) {
            out[k] = by_list[place[k]];
        }
        return out;
    };
    upload_column(loops, host.pair, columns.pair);
    upload_column(loops, colour, columns.colour);
    upload_column(loops, place, columns.place);
    upload_column(loops, in_step(host.pair), columns.in_step);
    upload_column(loops, in_step(host.slot), columns.slot);
    upload_column(loops, host.copies_of, columns.copies_of);
    upload_column(loops, host.splits, columns.splits);
}
template <class Loops>
void download(Loops& loops, const ListColumns<Loops>& columns, PairList& host)
{
    std::vector<std::uint32_t> place;
    std::vector<collide::BodyPair> slot;
    download_column(loops, columns.pair, host.pair);
    download_column(loops, columns.colour, host.colour);
    download_column(loops, columns.place, place);
    download_column(loops, columns.slot, slot);
    download_column(loops, columns.copies_of, host.copies_of);
    download_column(loops, columns.splits, host.splits);
    host.colours = columns.colours;
    host.copy_count = columns.copy_count;
    fit(host.slot, slot.size());
    for (std::size_t k = 0; k < slot.size(); ++k) {
        host.slot[place[k]] = slot[k];
    }
}

/// The impulses of the contacts of a list that is on the device already.
template <class Loops>
void upload(Loops& loops, const StoredImpulses& host, const ListColumns<Loops>& list,
            StoredColumns<Loops>& columns)
{
    const std::size_t n = host.count.size();
    std::vector<std::uint32_t> place, first_in_list(n);
    if (n > 0) {
        download_column(loops, list.place, place);
    }
    std::uint32_t contacts = 0;
    for (std::size_t i = 0; i < n; ++i) {
        first_in_list[i] = contacts;
        contacts += host.count[i];
    }
    StoredImpulses out;  // in the step's order
    std::vector<std::uint32_t> first;
    for (const std::uint32_t i : place) {
        first.push_back(static_cast<std::uint32_t>(out.impulse.size()));
        out.count.push_back(host.count[i]);
        for (std::uint32_t c = first_in_list[i]; c < first_in_list[i] + host.count[i]; ++c) {
            out.impulse.push_back(host.impulse[c]);
            if (!host.feature.empty()) {
                out.feature.push_back(host.feature[c]);
            }
        }
    }
    first.push_back(contacts);
    upload_column(loops, out.count, columns.count);
    upload_column(loops, first, columns.first);
    upload_column(loops, out.impulse, columns.impulse);
    upload_column(loops, out.feature, columns.feature);
}
template <class Loops>
void download(Loops& loops, const StoredColumns<Loops>& columns, const ListColumns<Loops>& list,
              StoredImpulses& host)
{
    const std::size_t n = columns.count.size();
    std::vector<std::uint32_t> place, first, step_place(n);
    StoredImpulses in;  // in the step's order
    download_column(loops, columns.count, in.count);
    download_column(loops, columns.first, first);
    download_column(loops, columns.impulse, in.impulse);
    download_column(loops, columns.feature, in.feature);
    if (n > 0) {
        download_column(loops, list.place, place);
    }
    for (std::size_t k = 0; k < n; ++k) {
        step_place[place[k]] = static_cast<std::uint32_t>(k);
    }
    fit(host.count, n);
    fit(host.chunk_first, (n + pair_chunk - 1) / pair_chunk);
    fit(host.impulse, in.impulse.size());
    fit(host.feature, in.feature.size());
    std::uint32_t contacts = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (i % pair_chunk == 0) {
            host.chunk_first[i / pair_chunk] = contacts;
        }
        const std::uint32_t k = step_place[i];
        host.count[i] = in.count[k];
        for (std::uint32_t c = first[k]; c < first[k] + in.count[k]; ++c, ++contacts) {
            host.impulse[contacts] = in.impulse[c];
            if (!in.feature.empty()) {
                host.feature[contacts] = in.feature[c];
            }
        }
    }
}

}  // namespace scree::device
