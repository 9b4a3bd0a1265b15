// Worlds that tests of ranks step, and what all ranks have of them, on each.
#pragma once

#include "engine/emulation.hpp"
#include "scree/device.hpp"
#include "scree/mpi.hpp"
#include "scree/query.hpp"
#include "support/jumble.hpp"
#include "support/same_contacts.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::test {

inline std::shared_ptr<Ranks> all() { return mpi_ranks(); }
inline bool is_first() { return all()->rank() == 0; }

/// What steps them.
inline int device = no_gpu;

inline Settings one_thread(Settings s)
{
    s.threads = 1;
    s.gpu = device;
    return s;
}

/// Spheres, and this part of boxes, polyhedra and clumps, of several sizes in a box with walls, on
/// a jittered lattice with steps of d.
inline World heap(const Settings& settings, int nx, int ny, int nz, std::uint64_t seed,
                  double d = 0.02, double boxes = 0.25)
{
    World world(settings);
    Random random(seed);
    world.add(obstacle(Shape::half_space(), {0, 0, 0}));
    if (settings.period.x == 0) {
        world.add(obstacle(Shape::half_space(), {0, 0, 0}, orientation_of_z({1, 0, 0})));
        world.add(obstacle(Shape::half_space(), {d * nx, 0, 0}, orientation_of_z({-1, 0, 0})));
    }
    world.add(obstacle(Shape::half_space(), {0, 0, 0}, orientation_of_z({0, 1, 0})));
    world.add(obstacle(Shape::half_space(), {0, d * ny, 0}, orientation_of_z({0, -1, 0})));
    for (int z = 0; z < nz; ++z) {
        for (int y = 0; y < ny; ++y) {
            for (int x = 0; x < nx; ++x) {
                Vec at;
                at.x = d * (x + 0.5) + random.uniform(-0.0005, 0.0005);
                at.y = d * (y + 0.5) + random.uniform(-0.0005, 0.0005);
                at.z = d * (z + 0.5) + random.uniform(-0.0005, 0.0005);
                const double r = random.uniform(0.008, 0.0099);
                Vec v;
                v.x = random.uniform(-0.3, 0.3);
                v.y = random.uniform(-0.3, 0.3);
                v.z = random.uniform(-0.3, 0.3);
                Body body = sphere(r, at, v);
                if (random.chance(boxes)) {
                    body = block({1.1 * r, 1.1 * r, 1.1 * r}, at, orientation_of_z(v));
                    body.velocity = v;
                    if ((x + y + z) % 3 == 0) {
                        body.shape = stone(0.0098);
                        body.shape.size.x = r / 0.0098;
                    } else if ((x + y + z) % 3 == 1) {
                        body.shape = pair_of_stones(0.0098);
                        body.shape.size.x = r / 0.0098;
                    }
                }
                world.add(body);
            }
        }
    }
    return world;
}

/// What all ranks have, rank after rank.
template <class T> std::vector<T> of_all(std::span<const T> here)
{
    const auto bytes = std::as_bytes(here);
    const Ranks::Bytes in = all()->everywhere({bytes.begin(), bytes.end()});
    std::vector<T> values(in.size() / sizeof(T));
    if (!in.empty()) {
        std::memcpy(static_cast<void*>(values.data()), in.data(), in.size());
    }
    return values;
}

/// A frame of all ranks, on each of them; of bodies those that ranks count as theirs.
struct WholeFrame {
    std::vector<BodyId> ids;
    std::vector<Vec> positions;
    std::vector<Contact> contacts;
    double volume = 0;  ///< of dynamic bodies

    explicit WholeFrame(const Frame& frame)
        : ids(of_all(frame.ids.first(frame.dynamic_count))),
          positions(of_all(frame.positions.first(frame.dynamic_count))),
          contacts(of_all(frame.contacts)), volume(volume_of(frame))
    {
        all()->sum(std::span<double>(&volume, 1));
    }
    static double volume_of(const Frame& frame)
    {
        double sum = 0;
        for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
            sum += scree::volume(frame.shapes[i]);
        }
        return sum;
    }
};

std::map<BodyId, Vec> positions_of(const auto& frame)
{
    std::map<BodyId, Vec> positions;
    for (std::size_t i = 0; i < frame.ids.size(); ++i) {
        positions[frame.ids[i]] = frame.positions[i];
    }
    return positions;
}

using Columns = std::vector<Column>;

inline Columns columns_of(const World& world)
{
    Columns columns;
    world.save([&](Column&& c) { columns.push_back(std::move(c)); });
    return columns;
}

inline World restored(const Columns& columns)
{
    return World::restore([&](std::string_view name) { return find_column(columns, name); });
}

/// The shares that all ranks save, on every rank.
inline std::vector<Columns> shares_of(const World& world)
{
    Ranks::Bytes mine;
    const auto put = [&](std::span<const std::byte> bytes) {
        mine.insert(mine.end(), bytes.begin(), bytes.end());
    };
    for (const Column& c : columns_of(world)) {
        const std::uint64_t head[]{std::uint64_t(all()->rank()), c.name.size(),
                                   std::uint64_t(c.type), c.width, c.bytes.size()};
        put(std::as_bytes(std::span(head)));
        put(std::as_bytes(std::span(c.name)));
        put(c.bytes);
    }
    const Ranks::Bytes bytes = all()->everywhere(mine);
    std::vector<Columns> shares(static_cast<std::size_t>(all()->size()));
    for (std::size_t at = 0; at < bytes.size();) {
        std::uint64_t head[5];
        std::memcpy(head, &bytes[at], sizeof head);
        at += sizeof head;
        Column c{std::string(head[1], ' '), static_cast<ColumnType>(head[2]), head[3], {}};
        std::memcpy(c.name.data(), &bytes[at], head[1]);
        at += head[1];
        c.bytes.assign(bytes.begin() + std::ptrdiff_t(at),
                       bytes.begin() + std::ptrdiff_t(at + head[4]));
        at += head[4];
        shares[head[0]].push_back(std::move(c));
    }
    return shares;
}

inline World joined(const std::vector<Columns>& shares, int rank = 0, int ranks = 1)
{
    World world = World::join_shares(
        shares.size(), [&](std::size_t k) { return restored(shares[k]); }, rank, ranks);
    world.set_settings(one_thread(world.settings()));
    return world;
}

}  // namespace scree::test
