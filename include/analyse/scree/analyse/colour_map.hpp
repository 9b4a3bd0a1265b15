// The colours of maps, which say numbers. Equal steps look equally different in both.
#pragma once

namespace scree::analyse {

/// The colours from the least to the greatest value.
enum class ColourMap {
    sequential,  ///< from dark violet over blue, teal and green to yellow; also reads in grey
    diverging    ///< from blue over white to red, for quantities with a sign
};

}  // namespace scree::analyse
