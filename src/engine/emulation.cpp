#include "engine/emulation.hpp"

#include "engine/device_engine.hpp"

namespace scree::engine {
namespace {

[[maybe_unused]] const bool is_linked = [] {
    make_emulation = [](bool mixed, const WorldData& matter) -> std::unique_ptr<Engine> {
        if (mixed) {
            return std::make_unique<DeviceEngine<exec::HostLoops, float>>(matter);
        }
        return std::make_unique<DeviceEngine<exec::HostLoops, double>>(matter);
    };
    return true;
}();

}  // namespace
}  // namespace scree::engine
