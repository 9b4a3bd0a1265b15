// The order of the groups that rows are kept in, by kind, colour and number in the manifold, and
// which kind a contact's row is of. Candidates are counted by group before there are rows.
#pragma once

#include "scree/settings.hpp"
#include "shapes/manifold.hpp"
#include "state/bodies.hpp"
#include "state/rows.hpp"

namespace scree::candidates {

/// Whether contacts of bodies with these flags have round rows: both spheres, or a sphere on
/// something prescribed that does not turn and is no mesh.
SCREE_HD bool round_rows(std::uint8_t a, std::uint8_t b)
{
    return (a & state::flag_round) != 0 &&
           ((b & state::flag_round) != 0 ||
            (b & (state::flag_prescribed | state::flag_turning)) == state::flag_prescribed);
}
/// Of the contacts of two bodies with these flags.
SCREE_HD state::RowKind row_kind(Law law, std::uint8_t a, std::uint8_t b)
{
    if (law == Law::projected || !round_rows(a, b)) {
        return state::RowKind::general;
    }
    return (b & state::flag_prescribed) != 0 ? state::RowKind::round_on_wall
                                             : state::RowKind::round;
}

/// Contacts are grouped by colour, and within that: round ones, round ones on prescribed bodies,
/// general ones by their number in the manifold.
inline constexpr int group_kinds = 2 + shapes::Manifold::capacity;
/// The group of a manifold's f-th point. General ones of a colour follow each other, so that a
/// sweep balances a pair before it goes on.
SCREE_HD std::size_t group_of(std::size_t colours, state::RowKind kind, std::size_t colour,
                              std::size_t f)
{
    return kind == state::RowKind::general
               ? 2 * colours + shapes::Manifold::capacity * colour + f
               : (kind == state::RowKind::round_on_wall ? colours : 0) + colour;
}
constexpr state::RowKind kind_of_group(std::size_t colours, std::size_t group)
{
    return group < colours       ? state::RowKind::round
           : group < 2 * colours ? state::RowKind::round_on_wall
                                 : state::RowKind::general;
}
constexpr std::size_t colour_of_group(std::size_t colours, std::size_t group)
{
    return group < 2 * colours ? group % colours
                               : (group - 2 * colours) / shapes::Manifold::capacity;
}

}  // namespace scree::candidates
