#include "engine/emulation.hpp"

#include "engine/device_engine.hpp"

namespace scree::device {
namespace {

[[maybe_unused]] const bool is_linked = [] {
    make_emulation = [](bool mixed, const world::Matter& matter) -> std::unique_ptr<world::Engine> {
        if (mixed) {
            return std::make_unique<DeviceEngine<HostLoops, float>>(matter);
        }
        return std::make_unique<DeviceEngine<HostLoops, double>>(matter);
    };
    return true;
}();

}  // namespace
}  // namespace scree::device
