// The one exception type of the library: bad input, with a message that says what was found, what
// is allowed and what to do.
#pragma once

#include <stdexcept>

namespace scree {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace scree
