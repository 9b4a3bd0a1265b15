// The stage narrow_phase of a device, run by the host's loops, against the CPU's.
#include "device/narrow_phase.hpp"

#include "device/host_loops.hpp"

namespace scree::test {
namespace {

TEST(DeviceNarrowPhase, EveryTwoKinds) { compare_all_kinds<device::HostLoops>(400, 40); }

}  // namespace
}  // namespace scree::test
