#pragma once

#include "stages/candidates/device_find.hpp"
#include "stages/relax/device_sweep_memory.hpp"
#include "stages/rows/device_make_rows.hpp"

namespace scree::engine {

/// What the host learns of a pass.
struct PassCounts : rows::RowCounts, candidates::MissedCounts {
    relax::SweepResult relaxed;
    std::uint32_t stale;
};

/// What a device holds of the contacts of a pass.
template <class Loops, class T>
struct DeviceRows : candidates::FoundPairs<Loops>,
                    rows::RowColumns<Loops, T>,
                    relax::SweepColumns<Loops, T> {
    [[nodiscard]] rows::RowScans scans() const { return rows::scans_of<Loops, T>(*this, *this); }
    [[nodiscard]] std::size_t bytes() const
    {
        return this->found_bytes() + this->row_bytes() + this->sweep_bytes();
    }
};

}  // namespace scree::engine
