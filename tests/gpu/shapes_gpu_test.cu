// Contact points of random pairs of every two kinds of shapes, found by a GPU: to the bit those
// that the CPU finds.
#include "device/cuda_parts.cuh"
#include "device/narrow_phase.hpp"

namespace scree::test {
namespace {

TEST(GpuShapes, TouchAsOnTheCpuForEveryTwoKinds)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        GTEST_SKIP() << "no GPU";
    }
    compare_all_kinds<device::CudaLoops>(20000, 500);
}

}  // namespace
}  // namespace scree::test
