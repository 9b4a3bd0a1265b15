// What a GPU would do, done by one thread of the host: tests on machines without a GPU. Only
// programs that link the target scree_emulation have it, and the program scree does not.
#pragma once

#include <memory>

namespace scree {

namespace engine {
class Engine;
struct WorldData;
}  // namespace engine

/// For Settings::gpu.
inline constexpr int emulated_gpu = -2;

namespace engine {
/// Makes the emulation's engine, of sweeps in floats if `mixed`; null where it is not linked.
extern std::unique_ptr<engine::Engine> (*make_emulation)(bool mixed,
                                                         const engine::WorldData& matter);
}  // namespace engine

}  // namespace scree
