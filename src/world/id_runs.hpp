// Which ids bodies have ever had, as runs of consecutive ones: sources give ids in order, so there
// are few runs, and a new id is known to be new without looking at any body.
#pragma once

#include "scree/body.hpp"

#include <iterator>
#include <map>

namespace scree::world {

class IdRuns {
public:
    [[nodiscard]] bool contains(BodyId id) const
    {
        const auto after = runs_.upper_bound(id);
        return after != runs_.begin() && id < std::prev(after)->second;
    }
    void add(BodyId id)
    {
        if (contains(id)) {
            return;
        }
        const auto after = runs_.upper_bound(id);
        BodyId end = id + 1;
        if (after != runs_.end() && after->first == end) {
            end = after->second;
            runs_.erase(after);
        }
        const auto next = runs_.upper_bound(id);
        if (next != runs_.begin() && std::prev(next)->second == id) {
            std::prev(next)->second = end;
        } else {
            runs_.emplace(id, end);
        }
    }
    [[nodiscard]] std::size_t size() const { return runs_.size(); }

private:
    std::map<BodyId, BodyId> runs_;  ///< the first, and one past the last
};

}  // namespace scree::world
