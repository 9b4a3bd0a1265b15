#pragma once

#include "stages/candidates/device_find.hpp"
#include "stages/relax/device_sweep_memory.hpp"
#include "stages/rows/device_make_rows.hpp"

namespace scree::device {

/// What the host learns of a pass.
struct Numbers : RowCounts, MissedCounts {
    SweepResult relaxed;
    std::uint32_t stale;
};

/// What a device holds of the contacts of a pass.
template <class Loops, class T>
struct DeviceRows : FoundPairs<Loops>, RowColumns<Loops, T>, SweepColumns<Loops, T> {
    [[nodiscard]] RowScans scans() const { return scans_of<Loops, T>(*this, *this); }
    [[nodiscard]] std::size_t bytes() const
    {
        return this->found_bytes() + this->row_bytes() + this->sweep_bytes();
    }
};

}  // namespace scree::device
