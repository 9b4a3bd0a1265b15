// Where a body of a given id stands in a frame. Contacts name bodies by id; columns are by index.
#pragma once

#include "scree/world.hpp"

#include <optional>
#include <unordered_map>

namespace scree::analyse {

class BodyIndex {
public:
    explicit BodyIndex(const Frame& frame)
    {
        by_id_.reserve(frame.ids.size());
        for (std::size_t i = 0; i < frame.ids.size(); ++i) {
            by_id_.emplace(frame.ids[i], i);
        }
    }
    /// Nothing for a body that was removed after the step that made the contact.
    [[nodiscard]] std::optional<std::size_t> operator()(BodyId id) const
    {
        const auto found = by_id_.find(id);
        return found == by_id_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    std::unordered_map<BodyId, std::size_t> by_id_;
};

/// Calls visit(contact, first index, second index) for every contact whose bodies are there.
template <class Visit> void for_each_contact(const Frame& frame, const Visit& visit)
{
    const BodyIndex index(frame);
    for (const Contact& c : frame.contacts) {
        const auto first = index(c.first), second = index(c.second);
        if (first && second) {
            visit(c, *first, *second);
        }
    }
}

}  // namespace scree::analyse
