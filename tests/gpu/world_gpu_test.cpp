// Worlds on the first GPU of this machine.
#include "device/course_tests.hpp"

#include <cstdio>

namespace scree::test {

INSTANTIATE_TEST_SUITE_P(Gpu, DeviceWorld, ::testing::Values(0));

}  // namespace scree::test

int main(int argc, char** argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    if (scree::gpus().empty()) {
        std::printf("no GPU: %s\n", scree::gpu_support().c_str());
        return 77;
    }
    return RUN_ALL_TESTS();
}
