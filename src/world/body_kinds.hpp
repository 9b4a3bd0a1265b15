// From bodies as users describe them to kinds of bodies, and back: what is computed once and shared
// by all bodies of a kind.
#pragma once

#include "scree/body.hpp"
#include "state/bodies.hpp"
#include "state/model.hpp"

namespace scree::world {

/// The kind that a body is of; the body has been checked.
state::Prototype prototype_of(const Body& body);
/// The mass properties that make this kind again, to the same bits.
MassProperties mass_of(const state::Prototype& kind);

bool same_kind(const state::Prototype& a, const state::Prototype& b);
std::uint64_t hash_of(const state::Prototype& kind);

/// A body as users see it.
Body body_at(const state::Model& model, const state::Bodies& bodies, std::size_t i);

}  // namespace scree::world
