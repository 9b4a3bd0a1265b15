// Values with units.
#include "scene/units.hpp"

#include "scree/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::scene {
namespace {

TEST(Units, ConvertsToTheUnitAskedFor)
{
    EXPECT_DOUBLE_EQ(quantity("0.47 mm", "m"), 0.47e-3);
    EXPECT_DOUBLE_EQ(quantity("2.65 g/cm^3", "kg/m3"), 2650);
    EXPECT_DOUBLE_EQ(quantity("1 m/s", "m/s"), 1);
    EXPECT_DOUBLE_EQ(quantity("-3.5e2 cm/s", "m/s"), -3.5);
    EXPECT_DOUBLE_EQ(quantity("2 kg", "kg"), 2);
    EXPECT_DOUBLE_EQ(quantity("45 deg", "rad"), std::numbers::pi / 4);
    EXPECT_DOUBLE_EQ(quantity("  7  ", "m"), 7);
    EXPECT_DOUBLE_EQ(quantity("1 N s", "kg m/s"), 1);
    EXPECT_DOUBLE_EQ(quantity("50 %", "1"), 0.5);
    EXPECT_EQ(quantity("inf", "kg"), HUGE_VAL);
    EXPECT_EQ(quantity("inf kg", "kg"), HUGE_VAL);
    EXPECT_EQ(quantity("-inf", "kg"), -HUGE_VAL);
}

TEST(Units, SaysWhatIsWrong)
{
    const auto message = [](const char* text, const char* unit) {
        try {
            (void)quantity(text, unit);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_NE(message("2 mm", "kg").find("wrong dimension; expected a value in kg"),
              std::string::npos);
    EXPECT_NE(message("2 parsnips", "kg").find("unknown unit \"parsnips\""), std::string::npos);
    EXPECT_NE(message("mm", "m").find("does not start with a number"), std::string::npos);
    EXPECT_NE(message("", "m").find("does not start with a number"), std::string::npos);
    // What udunits itself would accept: reciprocals, further numbers, offsets, angles as pure
    // numbers.
    for (const char* text : {"2 kg-1", "1 500 kg", "2 3 kg", "1.5.2 kg", "-5 -3 kg", "2 kg @ 3",
                             "2 kg 3", "2 .5 kg"}) {
        EXPECT_NE(message(text, "kg"), "accepted") << text;
    }
    EXPECT_NE(message("--5 kg", "kg").find("does not start with a number"), std::string::npos);
    EXPECT_NE(message("2 s/m", "m/s").find("wrong dimension"), std::string::npos);
    EXPECT_NE(message("30 deg", "1").find("wrong dimension"), std::string::npos);
    EXPECT_NE(message("1 Hz", "rad/s").find("wrong dimension"), std::string::npos);
    EXPECT_EQ(message("3 1/kg", "kg-1"), "accepted");
    EXPECT_EQ(message("3 rpm", "rad/s"), "accepted");
    EXPECT_EQ(message("3 kg.m2/s2", "J"), "accepted");
    EXPECT_EQ(message("3 kg m^2", "kg m2"), "accepted");
    EXPECT_NE(message("3 m", "1").find("a number without unit"), std::string::npos);
}

}  // namespace
}  // namespace scree::scene
