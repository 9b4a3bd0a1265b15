// Two worlds to which the same is done, one stepped by the host and one by a device: whatever can
// be asked of them must be the same to the bit. Asking for bodies brings them from the device; what
// goes wrong only while they are there is seen if steps are compared by their reports alone.
#pragma once

#include "math/hash.hpp"
#include "scree/device.hpp"
#include "support/eventful_worlds.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <map>

namespace scree::test {

inline std::uint64_t digest(const auto&... spans)
{
    math::Digest d;
    (d.add(std::as_bytes(std::span(spans))), ...);
    return d.value();
}

/// A digest of each column of a frame.
inline std::map<std::string, std::uint64_t> columns_of(const Frame& f)
{
    math::Digest shapes, pairs, places, impulses;
    for (const Shape& s : f.shapes) {
        shapes.add(std::uint64_t(s.kind));
        shapes.add(std::as_bytes(std::span(&s.size, 1)));
    }
    for (const Contact& c : f.contacts) {
        pairs.add(c.first);
        pairs.add(c.second);
        pairs.add(std::uint64_t(c.touching));
        for (const Vec3<double>* v : {&c.point, &c.normal}) {
            places.add(std::as_bytes(std::span(v, 1)));
        }
        places.add(c.gap);
        impulses.add(std::as_bytes(std::span(&c.impulse, 1)));
    }
    return {{"bodies", f.ids.size()},
            {"dynamic", f.dynamic_count},
            {"ids", digest(f.ids)},
            {"positions", digest(f.positions)},
            {"orientations", digest(f.orientations)},
            {"velocities", digest(f.velocities)},
            {"angular velocities", digest(f.angular_velocities)},
            {"masses", digest(f.masses)},
            {"materials", digest(f.materials)},
            {"shapes", shapes.value()},
            {"contacts", f.contacts.size()},
            {"pairs in contact", pairs.value()},
            {"points of contact", places.value()},
            {"impulses", impulses.value()}};
}

/// A digest of each column that a world is saved as.
inline std::map<std::string, std::uint64_t> saved_columns(const World& world)
{
    std::map<std::string, std::uint64_t> all;
    for (const Column& column : columns_of(world)) {
        all[column.name] = digest(column.bytes);
    }
    return all;
}

/// The names under which two maps differ.
inline std::string differences(const std::map<std::string, std::uint64_t>& a,
                               const std::map<std::string, std::uint64_t>& b)
{
    std::string names;
    for (const auto& [name, value] : a) {
        const auto other = b.find(name);
        if (other == b.end() || other->second != value) {
            names += name + "; ";
        }
    }
    return names + (a.size() != b.size() ? "number of columns" : "");
}

inline void move_to(World& world, int gpu)
{
    Settings s = world.settings();
    s.gpu = gpu;
    world.set_settings(s);
}

/// What occurred while twins were stepped.
struct SeenInSteps {
    std::uint64_t contacts = 0, copies = 0, accelerated_sweeps = 0, lists = 0, passes = 0,
                  restitution_reduced = 0, restitutions = 0, most_colours = 0;
};

class Twins {
public:
    Twins(World made, World twin, int gpu) : host(std::move(made)), device(std::move(twin))
    {
        for (World* world : {&host, &device}) {
            Settings s = world->settings();
            s.region_pairs = 0;
            world->set_settings(s);
        }
        move_to(device, gpu);
    }
    /// make() gives a world, the same one every time.
    template <class Make>
    requires std::is_invocable_r_v<World, Make> Twins(Make make, int gpu)
        : Twins(make(), make(), gpu)
    {
    }

    /// Does something to both, and compares what that gives or throws.
    template <class F> void both(F&& f)
    {
        const auto done = [&](World& world) -> std::string {
            try {
                if constexpr (std::is_void_v<decltype(f(world))>) {
                    f(world);
                    return "done";
                } else {
                    char number[40];
                    std::snprintf(number, sizeof number, "%a", static_cast<double>(f(world)));
                    return number;
                }
            } catch (const std::exception& error) {
                return error.what();
            }
        };
        EXPECT_EQ(done(device), done(host)) << "after step " << host.steps();
    }
    /// Steps both and compares the reports.
    void step()
    {
        const StepReport& r = host.step();
        ASSERT_EQ(text_of(device.step()), text_of(r));
        seen.contacts += r.contacts;
        seen.copies += static_cast<std::uint64_t>(r.split_copies);
        seen.accelerated_sweeps += static_cast<std::uint64_t>(r.accelerated_sweeps);
        seen.lists += r.list_rebuilt ? 1 : 0;
        seen.passes += static_cast<std::uint64_t>(r.passes);
        seen.restitution_reduced += r.restitution_reduced ? 1 : 0;
        seen.restitutions += r.energy.restitution_work != 0 ? 1 : 0;
        seen.most_colours = std::max(seen.most_colours, static_cast<std::uint64_t>(r.colours));
    }
    /// Compares everything that can be asked.
    void compare()
    {
        ASSERT_EQ(differences(saved_columns(device), saved_columns(host)), "")
            << "after step " << host.steps();
        ASSERT_EQ(device.state_hash(), host.state_hash());
        ASSERT_EQ(differences(columns_of(device.frame()), columns_of(host.frame())), "");
        ASSERT_EQ(device.body_count(), host.body_count());
        ASSERT_EQ(device.dynamic_count(), host.dynamic_count());
        both([](World& w) { return w.true_residual(); });
        const World::Momentum m = device.momentum(), n = host.momentum();
        ASSERT_EQ(digest(std::span(&m, 1)), digest(std::span(&n, 1)));
        ASSERT_EQ(digest(std::span(&device.energy(), 1)), digest(std::span(&host.energy(), 1)));
        const Box box{{-0.1, -0.1, 0}, {0.1, 0.1, 0.1}};
        ASSERT_EQ(device.bodies_in(box), host.bodies_in(box));
        ASSERT_FALSE(::testing::Test::HasFailure());
    }

    World host, device;
    SeenInSteps seen;
};

}  // namespace scree::test
