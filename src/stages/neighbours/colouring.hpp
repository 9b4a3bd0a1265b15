// Colours for pairs of bodies, so that pairs of one colour share no body that moves and can be
// relaxed at once; and the splitting of bodies that would need too many colours.
#pragma once

#include "exec/memory.hpp"
#include "scree/body.hpp"
#include "state/pairs.hpp"

#include <span>

namespace scree::neighbours {

/// Gives each pair the lowest colour that neither body has yet, in an order that is a pure function
/// of the pairs: first a hash of the two ids, so that a parallel machine finds the same colours in
/// few rounds, then the place in the list. Bodies [0, dynamic_count) move. Copies of split bodies
/// get the slots from `first_copy` on. Colours go by the legs of a sweep, unless that takes more
/// than `most_colours_of_legs` in all: pairs on bodies that other ranks hold come first, those
/// between parts of the list last. There are parts if there is more than one region of so many
/// pairs (0: one of all).
void colour(state::PairList& list, std::span<const BodyId> ids, std::size_t dynamic_count,
            std::size_t first_copy, int contacts_per_copy, std::size_t region_pairs,
            exec::Scratch scratch);
/// How much scratch memory that takes.
std::size_t colour_scratch(std::size_t pairs, std::size_t bodies, int contacts_per_copy);

}  // namespace scree::neighbours
