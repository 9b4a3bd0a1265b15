// Velocities while rows are swept. A line says, with the velocity, how many of its slot's contacts
// have been through: in every word of 16 bytes a quarter is that count. A word is read and written
// at once, so that a thread which sees the count it waits for has what came with it, and neither
// fences nor a second reading are needed.
#pragma once

#include "exec/counted_words.hpp"
#include "stages/relax/row_rule.hpp"

#include <bit>
#include <cstring>

namespace scree::relax {

/// Of a velocity: its six numbers.
template <class T> using TicketLine = exec::WordLine<6 * sizeof(T) / 12>;

template <class T> SCREE_HD void unpack(const TicketLine<T>& line, rows::BodyVelocity<T>& body)
{
    constexpr int parts = 3 * TicketLine<T>::words;
    std::uint32_t part[parts];
    for (int k = 0; k < parts; ++k) {
        part[k] = line.word[k / 3].part[k % 3];
    }
    T x[6];
    std::memcpy(x, part, sizeof(x));
    body.v = {x[0], x[1], x[2]};
    body.w = {x[3], x[4], x[5]};
}
template <class T>
SCREE_HD TicketLine<T> pack(const rows::BodyVelocity<T>& body, std::uint32_t count)
{
    const T x[6] = {body.v.x, body.v.y, body.v.z, body.w.x, body.w.y, body.w.z};
    std::uint32_t part[3 * TicketLine<T>::words];
    std::memcpy(part, x, sizeof(x));
    TicketLine<T> line;
    for (int k = 0; k < TicketLine<T>::words; ++k) {
        line.word[k] = {{part[3 * k], part[3 * k + 1], part[3 * k + 2]}, count};
    }
    return line;
}

template <class T, class S> SCREE_HD Vec3<T> in_numbers(const Vec3<S>& a)
{
    return {static_cast<T>(a.x), static_cast<T>(a.y), static_cast<T>(a.z)};
}
template <class T, class S>
SCREE_HD rows::BodyVelocity<T> in_numbers(const rows::BodyVelocity<S>& a)
{
    return {in_numbers<T>(a.v), in_numbers<T>(a.w), static_cast<T>(a.inverse_mass),
            static_cast<T>(a.inverse_moment)};
}

/// Opens a slot's line, with no contact through.
template <class T> SCREE_HD TicketLine<T> open_line(const state::VelocityLine& from)
{
    return pack<T>(in_numbers<T>(rows::load(from)), 0);
}
/// Brings a line's velocity back. Of floats only the change: what no impulse moved stays as it was.
template <class T> SCREE_HD void close_line(const TicketLine<T>& line, state::VelocityLine& to)
{
    rows::BodyVelocity<T> body{};
    unpack<T>(line, body);
    if constexpr (sizeof(T) == sizeof(double)) {
        rows::store(body, to);
    } else {
        rows::BodyVelocity<double> now = rows::load(to);
        const rows::BodyVelocity<double> end = in_numbers<double>(body);
        const rows::BodyVelocity<double> begin = in_numbers<double>(in_numbers<T>(now));
        now.v = now.v + (end.v - begin.v);
        now.w = now.w + (end.w - begin.w);
        rows::store(now, to);
    }
}

}  // namespace scree::relax
