// The one exception type of the library: bad input, with a message that says what was found, what
// is allowed and what to do.
#pragma once

#include <stdexcept>

namespace scree {

/// Bad input or a request that cannot be met. `what()` says what was found, what is allowed and
/// what to do.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace scree
