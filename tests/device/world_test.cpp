// Worlds on the emulation of a device: tests for machines without a GPU.
#include "device/world_tests.hpp"

namespace scree::test {

INSTANTIATE_TEST_SUITE_P(Emulated, DeviceWorld, ::testing::Values(emulated_gpu));

}  // namespace scree::test
