// Worlds on the emulation of a device: tests for machines without a GPU.
#include "device/course_tests.hpp"
#include "engine/emulation.hpp"
#include "exec/memory.hpp"

namespace scree::test {

namespace {
/// These worlds are small: what is old on the host is forgotten all the same.
[[maybe_unused]] const bool forgetful = [] {
    exec::least_forgotten = 1;
    return true;
}();
}  // namespace

INSTANTIATE_TEST_SUITE_P(Emulated, DeviceWorld, ::testing::Values(emulated_gpu));

}  // namespace scree::test
