// What the device engine does where its own states do not allow an event: it stops, since going on
// would compute with old numbers. Such an exception is a defect of the engine or of its caller.
#pragma once

#include <stdexcept>
#include <string>

namespace scree::engine {

/// Throws std::logic_error if the event is not legal now.
inline void require_legal(bool legal, const char* event)
{
    if (!legal) {
        throw std::logic_error(std::string("device engine: ") + event + " out of turn");
    }
}

}  // namespace scree::engine
