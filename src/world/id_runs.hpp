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
    void add(BodyId id) { add(id, id + 1); }
    /// All of [first, end).
    void add(BodyId first, BodyId end)
    {
        // What it meets becomes part of it.
        auto at = runs_.upper_bound(first);
        if (at != runs_.begin() && std::prev(at)->second >= first) {
            --at;
        }
        while (at != runs_.end() && at->first <= end) {
            first = at->first < first ? at->first : first;
            end = at->second > end ? at->second : end;
            at = runs_.erase(at);
        }
        runs_.emplace(first, end);
    }
    [[nodiscard]] std::size_t size() const { return runs_.size(); }
    /// The first of each run, and one past its last.
    [[nodiscard]] const std::map<BodyId, BodyId>& runs() const { return runs_; }

private:
    std::map<BodyId, BodyId> runs_;
};

}  // namespace scree::world
