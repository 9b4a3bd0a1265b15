// The rows of a device and what they refer to, as plain pointers.
#pragma once

#include "solve/copies.hpp"
#include "solve/row_verbs.hpp"

namespace scree::device {

struct BlockColumns {
    RoundBlock* round;
    std::size_t round_count;
    GeneralBlock* general;
    std::size_t general_count;
};

struct RowsView : BlockColumns {
    sweeps::Slots slots;
    const Split* splits;
    std::size_t split_count;
    Law law;
};

}  // namespace scree::device
