// The stage narrow_phase on a device: candidates of all pairs, in the step's order, and afterwards
// whether any were missed.
#pragma once

#include "exec/atomic.hpp"
#include "stages/candidates/device_found.hpp"
#include "stages/candidates/missed_pairs.hpp"

namespace scree::candidates {

/// Whether two spheres are candidates.
SCREE_HD unsigned meet(const state::ModelView& model, const state::BodyView& b, const Closing& step,
                       Pass pass, state::BodyPair pair, bool was)
{
    const shapes::Ball x = b.ball[pair.first], y = b.ball[pair.second];
    const bool keep = stays_candidate(pass, was, exceeds_margin(b, pair));
    return spheres_meet(step, b, pair, image_difference(x, y, model.box), x.r + y.r,
                        coarse_margin(b.reach, pair), keep);
}

/// Pairs of which contacts may have been missed, for the host.
struct MissedCounts {
    std::uint32_t surprised, missed, first_missed;
};

/// What is expected of a step that is there: it comes, and no body will be gone.
struct ThisStep {
    [[nodiscard]] SCREE_HD bool comes() const { return true; }
    [[nodiscard]] SCREE_HD bool gone(const state::BodyView&, state::BodyPair) const
    {
        return false;
    }
};

/// Keeps what was found of a pair.
template <class Note, class Expected> struct Keep {
    state::BodyView bodies;
    Expected expected;
    Note note;
    std::uint8_t* found;

    SCREE_HD void operator()(std::uint32_t k, state::BodyPair pair, unsigned count,
                             unsigned kind) const
    {
        count = count != 0 && expected.gone(bodies, pair) ? 0 : count;
        found[k] = static_cast<std::uint8_t>(count | kind);
        note(k, found[k]);
    }
};

/// Counts a pair that was missed.
SCREE_HD void note_missed(MissedCounts* counts, std::uint32_t place)
{
    exec::add(counts->missed, 1);
    exec::least(counts->first_missed, place);
}

/// What is asked of a pair of any shapes: where it can touch, or whether contacts of it were
/// missed. The answers are of one kernel, since nvcc compiles the contact points of all shapes for
/// each kernel anew, which takes it longer than all else.
template <class Note, class Expected> struct SpecialPair {
    state::ModelView model;
    state::PairView listed;
    const state::BodyPair* in_step;
    const std::uint32_t *place, *special;
    const std::uint8_t* before;  ///< what was found
    // To find:
    Closing step;
    Pass pass;
    Keep<Note, Expected> keep;
    shapes::ContactPoint* points;
    // To look at what was found:
    MissedCounts* counts;  ///< null: find

    SCREE_HD void operator()(std::size_t j) const
    {
        if (counts == nullptr) {
            find(j);
        } else {
            look(j);
        }
    }

private:
    SCREE_HD void find(std::size_t j) const
    {
        if (!keep.expected.comes()) {
            return;
        }
        const state::BodyView& b = keep.bodies;
        const std::uint32_t k = special[j];
        const state::BodyPair pair = in_step[k];
        const std::uint8_t both = b.flags[pair.first] & b.flags[pair.second];
        unsigned count = 0;
        if ((both & state::flag_round) != 0) {
            count = meet(model, b, step, pass, pair, (before[k] & found_count) != 0);
            if (count != 0 && spheres_are_covered(model, b, listed, place[k])) {
                count = 0;
            }
        } else if ((both & state::flag_alive) != 0) {
            shapes::Manifold manifold;
            candidates::find_candidate_points(model, b, listed, place[k], step.spare, manifold);
            count = static_cast<unsigned>(manifold.count);
            for (unsigned f = 0; f < count; ++f) {
                points[shapes::Manifold::capacity * j + f] = manifold.points[f];
            }
        }
        keep(k, pair, count, found_special | kind_of_rows(model, b, pair));
    }
    SCREE_HD void look(std::size_t j) const
    {
        if (counts->surprised == 0) {
            return;
        }
        const state::BodyView& b = keep.bodies;
        const std::uint32_t k = special[j];
        if (candidates::exceeds_margin(b, in_step[k]) &&
            candidates::is_missed(model, b, listed, place[k], before[k] & found_count)) {
            note_missed(counts, place[k]);
        }
    }
};

/// Of all special pairs but those on walls. What it needs to find is not there yet.
template <class Note, class Expected, class Loops>
SpecialPair<Note, Expected> special_pair(const state::ModelView& model, const state::BodyView& b,
                                         const state::ListColumns<Loops>& list,
                                         const FoundPairs<Loops>& rows, MissedCounts* counts)
{
    SpecialPair<Note, Expected> pair{};
    pair.model = model;
    pair.listed = {list.pair.data(), list.count};
    pair.in_step = list.in_step.data();
    pair.place = list.place.data();
    pair.special = rows.special.data() + rows.on_wall_count;
    pair.before = rows.found.count.data();
    pair.keep.bodies = b;
    pair.counts = counts;
    return pair;
}

/// Which pairs can touch within the step, and where. `out`: those of the rows, or what is expected
/// of the next step. note(k, found): what relaxation wants to know of them.
template <class Loops, class Note, class Expected = ThisStep>
void find_candidates(Loops& loops, const state::ModelView& model, const state::BodyView& b,
                     const state::ListColumns<Loops>& list, double spare, Pass pass,
                     const FoundPairs<Loops>& rows, const FoundColumns<Loops>& out,
                     const Note& note, const Expected& expected = {})
{
    const state::BodyPair* in_step = list.in_step.data();
    const std::uint32_t* special = rows.special.data();
    shapes::ContactPoint* points = out.points.data();
    const std::uint8_t* found = rows.found.count.data();
    const Closing step = candidates::closing(model.settings, spare, pass);
    const Keep<Note, Expected> keep{b, expected, note, out.count.data()};
    const auto plain_pair = [=] SCREE_DEVICE(std::size_t k) {
        const std::uint8_t before = found[k];
        const state::BodyPair pair = in_step[k];
        const bool comes = expected.comes();
        if (comes && (before & found_special) == 0) {
            const bool was = (before & found_count) != 0;
            keep(static_cast<std::uint32_t>(k), pair, meet(model, b, step, pass, pair, was), 0);
        }
    };
    const auto wall_pair = [=] SCREE_DEVICE(std::size_t j) {
        const std::uint32_t k = special[j];
        if (!expected.comes()) {
            return;
        }
        const state::BodyPair pair = in_step[k];
        const std::uint8_t both = b.flags[pair.first] & b.flags[pair.second];
        unsigned count = 0;
        if ((both & state::flag_round) != 0) {
            count = meet(model, b, step, pass, pair, (found[k] & found_count) != 0);
        } else if ((both & state::flag_alive) != 0) {
            count = candidates::find_point(model, b, pair,
                                           candidates::candidate_margin(model, b, pair, step.spare),
                                           points[shapes::Manifold::capacity * j])
                        ? 1
                        : 0;
        }
        keep(k, pair, count, found_special | kind_of_rows(model, b, pair));
    };
    const std::size_t on_wall_count = rows.on_wall_count;
    auto general = special_pair<Note, Expected>(model, b, list, rows, nullptr);
    general.step = step;
    general.pass = pass;
    general.keep = keep;
    general.points = points + shapes::Manifold::capacity * on_wall_count;
    loops.side_by_side([&] { loops.for_each(rows.special_count - on_wall_count, general); },
                       [&] { loops.for_each(on_wall_count, wall_pair); },
                       [&] { loops.for_each(list.count, plain_pair); });
}

/// Of pairs of bodies whose velocity changed more than foreseen: whether contacts of theirs were
/// missed.
template <class Note, class Expected, class Loops>
void look_at_pairs(Loops& loops, const state::ModelView& model, const state::BodyView& b,
                   const state::ListColumns<Loops>& list, const FoundPairs<Loops>& rows,
                   MissedCounts* counts)
{
    const std::uint32_t *place = list.place.data(), *special = rows.special.data();
    const state::BodyPair* in_step = list.in_step.data();
    const std::uint8_t* found = rows.found.count.data();
    // A few pairs to a thread, which waits for all of them together.
    constexpr std::size_t each = 4;
    const std::size_t pairs = list.count, stride = (pairs + each - 1) / each;
    const auto plain_pairs = [=] SCREE_DEVICE(std::size_t first) {
        if (counts->surprised == 0) {
            return;
        }
        state::BodyPair pair[each];
        bool in_question[each];
        for (std::size_t j = 0; j < each; ++j) {
            const std::size_t k = first + j * stride;
            const std::size_t at = k < pairs ? k : first;
            pair[j] = in_step[at];
            in_question[j] = k < pairs && (found[at] & (found_count | found_special)) == 0;
        }
        for (std::size_t j = 0; j < each; ++j) {
            const bool surprised = candidates::exceeds_margin(b, pair[j]);
            in_question[j] = in_question[j] && surprised;
        }
        for (std::size_t j = 0; j < each; ++j) {
            if (in_question[j] && candidates::spheres_missed(model, b, pair[j])) {
                note_missed(counts, place[first + j * stride]);
            }
        }
    };
    const auto wall_pair = [=] SCREE_DEVICE(std::size_t j) {
        if (counts->surprised == 0) {
            return;
        }
        const std::uint32_t k = special[j];
        const state::BodyPair pair = in_step[k];
        if ((found[k] & found_count) == 0 && candidates::exceeds_margin(b, pair) &&
            ((b.flags[pair.second] & state::flag_round) != 0
                 ? candidates::spheres_missed(model, b, pair)
                 : candidates::point_missed(model, b, pair))) {
            note_missed(counts, place[k]);
        }
    };
    const std::size_t on_wall_count = rows.on_wall_count;
    const auto general = special_pair<Note, Expected>(model, b, list, rows, counts);
    loops.side_by_side([&] { loops.for_each(rows.special_count - on_wall_count, general); },
                       [&] { loops.for_each(on_wall_count, wall_pair); },
                       [&] { loops.for_each(stride, plain_pairs); });
}

}  // namespace scree::candidates
