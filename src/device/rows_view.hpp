// The rows of a device and what they refer to, as plain pointers.
#pragma once

#include "device/turn_lines.hpp"
#include "solve/copies.hpp"

namespace scree::device {

template <class T> struct BlockColumns {
    RoundBlockOf<T>* round;
    std::size_t round_count;
    GeneralBlock* general;
    std::size_t general_count;
};

template <class T> struct RowsView : BlockColumns<T> {
    sweeps::Slots slots;
    const Split* splits;
    std::size_t split_count;
    Law law;
};

}  // namespace scree::device
