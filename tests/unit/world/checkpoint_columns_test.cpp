// Columns that no world has saved: each kind of damage is refused by name, and random damage never
// leads outside of memory (run it under the address sanitizer too).
#include "scree/error.hpp"
#include "support/eventful_worlds.hpp"
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace scree {
namespace {

using test::columns_of;
using test::world_of;

/// A world with everything in it: gaps, forces, splits, general contacts.
const std::vector<Column>& good_columns()
{
    static const std::vector<Column> columns = [] {
        World world = test::eventful_world(0);
        for (std::uint64_t k = 0; k < 57; ++k) {
            test::happen(world, 0, k);
            world.step();
        }
        return columns_of(world);
    }();
    return columns;
}

Column& column(std::vector<Column>& columns, std::string_view name)
{
    return const_cast<Column&>(*find_column(columns, name));
}

template <class T> void set(Column& column, std::size_t at, T value)
{
    ASSERT_EQ(column.type, column_type<T>());
    ASSERT_LT(at, column.bytes.size() / sizeof(T));
    std::memcpy(&column.bytes[at * sizeof(T)], &value, sizeof value);
}

/// The complaint about a damaged set of columns.
std::string complaint_about(const std::function<void(std::vector<Column>&)>& damage)
{
    std::vector<Column> columns = good_columns();
    damage(columns);
    try {
        world_of(columns);
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

void expect_refused(const std::string& name, const std::string& why,
                    const std::function<void(Column&)>& damage)
{
    const std::string text = complaint_about([&](auto& columns) { damage(column(columns, name)); });
    EXPECT_NE(text.find("checkpoint: "), std::string::npos) << text;
    EXPECT_NE(text.find(name.substr(0, name.find('/'))), std::string::npos) << name << ": " << text;
    EXPECT_NE(text.find(why), std::string::npos) << name << ": " << text;
}

TEST(CheckpointColumns, UndamagedOnesAreTaken)
{
    EXPECT_EQ(complaint_about([](auto&) {}), "nothing");
    EXPECT_GT(find_column(good_columns(), "gaps/place")->rows(), 0U);
    EXPECT_GT(find_column(good_columns(), "forces/place")->rows(), 0U);
    EXPECT_GT(find_column(good_columns(), "kinds/free")->rows(), 0U);
    EXPECT_GT(find_column(good_columns(), "pairs/feature")->rows(), 0U);
}

TEST(CheckpointColumns, EveryOneIsNeededInTypeAndSize)
{
    for (std::size_t i = 0; i < good_columns().size(); ++i) {
        const std::string& name = good_columns()[i].name;
        const auto refused = [&](const char* why, const std::function<void(Column&)>& damage) {
            const std::string text =
                complaint_about([&](std::vector<Column>& columns) { damage(columns[i]); });
            EXPECT_NE(text.find(name + ": " + why), std::string::npos) << name << ": " << text;
        };
        refused("is missing", [](Column& c) { c.name += "?"; });
        refused("holds", [](Column& c) {
            c.type = c.type == ColumnType::f64 ? ColumnType::u64 : ColumnType::f64;
        });
        refused("holds", [](Column& c) { c.width += 1; });
        const bool bytes = good_columns()[i].type == ColumnType::u8;
        if (!bytes) {
            refused("has", [](Column& c) { c.bytes.resize(c.bytes.size() + 1); });
        }
        const std::string text = complaint_about([&](std::vector<Column>& columns) {
            Column& c = columns[i];
            c.bytes.resize(c.bytes.size() + c.width * size_of(c.type));
        });
        EXPECT_NE(text, "nothing") << name << " with a row too many";
    }
}

TEST(CheckpointColumns, ValuesThatNoWorldHasAreRefused)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    expect_refused("settings/time_step", "must be above 0", [](Column& c) { set(c, 0, -1.0); });
    expect_refused("settings/gravity", "not finite", [&](Column& c) { set(c, 1, nan); });
    expect_refused("settings/law", "below 4", [](Column& c) { set(c, 0, std::uint8_t(4)); });
    expect_refused("settings/rotation", "below 2", [](Column& c) { set(c, 0, std::uint8_t(9)); });
    expect_refused("settings/sweeps", "below", [](Column& c) { set(c, 0, 0xffffffffU); });
    expect_refused("surfaces", "friction", [](Column& c) { set(c, 0, -1.0); });
    expect_refused("surfaces", "other order", [](Column& c) { set(c, 2, 0.77); });
    expect_refused("surfaces", "square", [](Column& c) { c.bytes.resize(2 * 16); });
    expect_refused("surfaces", "square", [](Column& c) { c.bytes.resize(257 * 257 * 16); });
    expect_refused("kinds/shape", "shape kind 200",
                   [](Column& c) { set(c, 3, std::uint8_t(200)); });
    expect_refused("kinds/size", "", [](Column& c) { set(c, c.bytes.size() / 8 - 3, -1.0); });
    expect_refused("kinds/material", "material 7", [](Column& c) { set(c, 5, std::uint16_t(7)); });
    expect_refused("kinds/mass", "mass", [](Column& c) { set(c, c.bytes.size() / 8 - 10, 0.0); });
    expect_refused("kinds/free", "no free kind", [](Column& c) { set(c, 0, 1U << 30U); });
    expect_refused("bodies/kind", "kinds", [](Column& c) { set(c, 4, 1U << 31U); });
    expect_refused("bodies/position", "row 3 is not finite", [&](Column& c) { set(c, 9, nan); });
    expect_refused("bodies/velocity", "row 5 is not finite",
                   [&](Column& c) { set(c, 17, infinity); });
    expect_refused("bodies/angular_velocity", "not finite", [&](Column& c) { set(c, 1, nan); });
    expect_refused("bodies/orientation", "unit", [](Column& c) { set(c, 8, 2.0); });
    expect_refused("bodies/drift", "not finite",
                   [&](Column& c) { set(c, 2, static_cast<float>(nan)); });
    expect_refused("bodies/id", "like that of row",
                   [](Column& c) { std::memcpy(&c.bytes[8 * 20], &c.bytes[8 * 21], 8); });
    expect_refused("bodies/id", "next_id", [](Column& c) { set(c, 20, ~std::uint64_t(0)); });
    expect_refused("gaps/place", "above the one before", [](Column& c) { set(c, 0, ~0U); });
    expect_refused("gaps/radius", "negative", [](Column& c) { set(c, 0, -0.1); });
    expect_refused("forces/place", "below", [](Column& c) { set(c, 0, ~0U); });
    expect_refused("forces/value", "not finite", [&](Column& c) { set(c, 5, nan); });
    expect_refused("pairs/number", "larger", [](Column& c) { set(c, 0, ~0U); });
    expect_refused("pairs/second", "must be above", [](Column& c) { set(c, 0, 0U); });
    expect_refused("pairs/second", "must be above", [](Column& c) { set(c, 7, ~0U); });
    expect_refused("pairs/contacts", "at most 8", [](Column& c) { set(c, 0, std::uint8_t(9)); });
    expect_refused("pairs/active", "pairs/active", [](Column& c) { set(c, 0, std::uint8_t(64)); });
    expect_refused("pairs/impulse", "not finite", [&](Column& c) { set(c, 3, nan); });
    expect_refused("world/time", "not finite", [&](Column& c) { set(c, 0, infinity); });
    expect_refused("world/changed", "below 2", [](Column& c) { set(c, 0, std::uint8_t(2)); });
    expect_refused("world/lists_since_order", "below 32",
                   [](Column& c) { set(c, 0, std::uint64_t(32)); });
    expect_refused("world/dynamic_places", "below",
                   [](Column& c) { set(c, 0, ~std::uint64_t(0)); });
    const std::string order = complaint_about([](std::vector<Column>& columns) {
        Column& kinds = column(columns, "bodies/kind");
        const auto values = values_of<std::uint32_t>(kinds);
        set(kinds, 0, values.back());
        set(kinds, values.size() - 1, values.front());
    });
    EXPECT_NE(order.find("out of the order"), std::string::npos) << order;
}

TEST(CheckpointColumns, AWorldThatIsNotFiniteIsNotSaved)
{
    Settings settings;
    settings.time_step = 1e6;
    World world(settings);
    Body body;
    body.velocity = {1e308, 0, 0};
    world.add(body);
    for (int k = 0; k < 3; ++k) {
        world.step();
    }
    ASSERT_GT(world.report()[Condition::not_finite].count, 0U);
    try {
        columns_of(world);
        FAIL() << "was saved";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("bodies/position: row 0 is not finite"),
                  std::string::npos)
            << error.what();
    }
}

/// Damages a column somehow.
void damage(Column& c, test::Random& random)
{
    const auto byte = [&]() -> std::byte& { return c.bytes[random.bits() % c.bytes.size()]; };
    switch (c.bytes.empty() ? 4 : random.bits() % 6) {
    case 0: byte() ^= static_cast<std::byte>(1U << random.bits() % 8); break;
    case 1: byte() = static_cast<std::byte>(random.bits()); break;
    case 2: c.bytes.resize(random.bits() % c.bytes.size()); break;
    case 3: {
        const std::size_t size = size_of(c.type);
        constexpr std::uint64_t extremes[] = {
            0, ~std::uint64_t(0), 1, 0x7ff0ULL << 48U, 0x7fefULL << 48U, 0x80000000U};
        const std::uint64_t value = extremes[random.bits() % 6];
        const std::size_t at = random.bits() % (c.bytes.size() / size) * size;
        std::memcpy(&c.bytes[at], &value, size);
        break;
    }
    case 4: c.bytes.resize(c.bytes.size() + random.bits() % 64); break;
    default:
        for (int k = 0; k < 20; ++k) {
            byte() = static_cast<std::byte>(random.bits());
        }
    }
}

TEST(CheckpointColumns, RandomDamageIsRefusedOrHarmless)
{
    test::Random random(5);
    int refused = 0;
    const int tries = 3000 / test::shorter;
    for (int k = 0; k < tries; ++k) {
        std::vector<Column> columns = good_columns();
        // Large columns more often than the many small ones.
        Column* chosen = &columns[random.bits() % columns.size()];
        if (chosen->rows() == 1 && random.chance(0.8)) {
            chosen = &columns[random.bits() % columns.size()];
        }
        damage(*chosen, random);
        Column& threads = column(columns, "settings/threads");
        Column& sweeps = column(columns, "settings/sweeps");
        const bool may_step = chosen != &threads && chosen != &sweeps;
        try {
            World world = world_of(columns);
            (void)world.state_hash();
            if (may_step && k % 10 == 0) {
                world.step();
            }
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, tries / 4);
    EXPECT_LT(refused, tries);
}

}  // namespace
}  // namespace scree
