// What loops of several ranks agree on: sums and maxima over all of them. Where there is one
// process it agrees with itself.
#pragma once

#include "scree/ranks.hpp"

#include <span>

namespace scree::exec {

class AcrossRanks {
public:
    /// Null: there is one process.
    void agree_with(Ranks* ranks) { ranks_ = ranks; }

    [[nodiscard]] bool several_ranks() const { return ranks_ != nullptr; }
    void sum_over_ranks(std::span<double> values) const
    {
        if (ranks_ != nullptr) {
            ranks_->sum(values);
        }
    }
    [[nodiscard]] double largest_of_ranks(double here) const
    {
        if (ranks_ != nullptr) {
            ranks_->largest(std::span<double>(&here, 1));
        }
        return here;
    }
    [[nodiscard]] bool on_any_rank(bool here) const { return largest_of_ranks(here ? 1 : 0) > 0; }

private:
    Ranks* ranks_ = nullptr;
};

}  // namespace scree::exec
