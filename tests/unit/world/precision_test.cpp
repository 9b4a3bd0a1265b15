// The precision of sweeps is a GPU's: the host does not pass over it in silence.
#include "engine/emulation.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"
#include "scree/world.hpp"

#include <gtest/gtest.h>

#include <string>

namespace scree {
namespace {

TEST(Precision, MixedIsRefusedWithoutAGpu)
{
    Settings s;
    s.precision = Precision::mixed;
    try {
        const World world(s);
        FAIL() << "a world was made";
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()),
                  "settings: precision is Precision::mixed, but the host's threads have doubles "
                  "only: set gpu to the number of a GPU, or precision to Precision::full");
    }
}

TEST(Precision, MixedStaysOnItsGpu)
{
    Settings s;
    s.gpu = emulated_gpu;
    s.precision = Precision::mixed;
    World world(s);
    s.gpu = no_gpu;
    EXPECT_THROW(world.set_settings(s), Error);
    EXPECT_EQ(world.settings().gpu, emulated_gpu);
    s.precision = Precision::full;
    world.set_settings(s);
    EXPECT_EQ(world.settings().gpu, no_gpu);
}

}  // namespace
}  // namespace scree
