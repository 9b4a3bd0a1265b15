// Frames on disk come back bit for bit, and whatever is not a frame of ours is refused.
#include "scree/error.hpp"
#include "scree/io/pvtp_index.hpp"
#include "scree/io/vtp_reader.hpp"
#include "scree/io/vtp_writer.hpp"
#include "support/folder.hpp"
#include "support/mixed_world.hpp"
#include "support/random.hpp"
#include "support/rank_frames.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>

namespace scree::io {
namespace {

template <class T> bool same_bits(std::span<const T> a, std::span<const T> b)
{
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// `kept` is what of the contacts is stored.
void expect_same(const Frame& a, const Frame& b, const std::vector<Contact>& kept)
{
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.time_step, b.time_step);
    EXPECT_EQ(a.dynamic_count, b.dynamic_count);
    EXPECT_TRUE(same_bits(a.ids, b.ids));
    EXPECT_TRUE(same_bits(a.positions, b.positions));
    EXPECT_TRUE(same_bits(a.orientations, b.orientations));
    EXPECT_TRUE(same_bits(a.velocities, b.velocities));
    EXPECT_TRUE(same_bits(a.angular_velocities, b.angular_velocities));
    EXPECT_TRUE(same_bits(a.masses, b.masses));
    EXPECT_TRUE(same_bits(a.materials, b.materials));
    ASSERT_EQ(a.shapes.size(), b.shapes.size());
    for (std::size_t i = 0; i < a.shapes.size(); ++i) {
        EXPECT_EQ(a.shapes[i].kind, b.shapes[i].kind);
        EXPECT_TRUE(same_bits(std::span(&a.shapes[i].size, 1), std::span(&b.shapes[i].size, 1)));
    }
    ASSERT_EQ(b.contacts.size(), kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const Contact &c = kept[i], &d = b.contacts[i];
        EXPECT_EQ(c.first, d.first);
        EXPECT_EQ(c.second, d.second);
        EXPECT_EQ(c.touching, d.touching);
        EXPECT_TRUE(same_bits(std::span(&c.point, 1), std::span(&d.point, 1)));
        EXPECT_TRUE(same_bits(std::span(&c.normal, 1), std::span(&d.normal, 1)));
        EXPECT_TRUE(same_bits(std::span(&c.impulse, 1), std::span(&d.impulse, 1)));
        EXPECT_TRUE(same_bits(std::span(&c.gap, 1), std::span(&d.gap, 1)));
    }
}

class FrameFiles : public test::InFolder {
protected:
    void store(const Frame& frame) const
    {
        write_particles(path("p.vtp"), frame);
        write_contacts(path("c.vtp"), frame);
    }
    [[nodiscard]] StoredFrame stored() const { return read_frame(path("p.vtp"), path("c.vtp")); }

    /// The complaint about the two files, or nothing if they are good.
    [[nodiscard]] std::string problems_with() const
    {
        try {
            (void)stored();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }
    void expect_complaint(const std::string& text) const
    {
        EXPECT_NE(problems_with().find(text), std::string::npos) << text << "\n" << problems_with();
    }
};

TEST_F(FrameFiles, RoundTripKeepsEveryBit)
{
    const World world = test::mixed_world();
    const Frame frame = world.frame();
    std::vector<Contact> kept;
    for (const Contact& c : frame.contacts) {
        if (c.touching || !is_zero(c.impulse)) {
            kept.push_back(c);
        }
    }
    ASSERT_GE(kept.size(), 10u);
    ASSERT_LT(kept.size(), frame.contacts.size());  // some are left out
    store(frame);
    const StoredFrame back = stored();
    expect_same(frame, back.view(), kept);
    expect_same(frame, read_frame(path("p.vtp")).view(), {});
    const FrameStamp stamp = read_stamp(path("c.vtp"));
    EXPECT_EQ(stamp.step, frame.step);
    EXPECT_EQ(stamp.time, frame.time);
    EXPECT_EQ(stamp.time_step, frame.time_step);
    // Written again from what was read, the files are the same.
    const std::string particles = read("p.vtp"), contacts = read("c.vtp");
    store(back.view());
    EXPECT_EQ(read("p.vtp"), particles);
    EXPECT_EQ(read("c.vtp"), contacts);
}

/// The files of several ranks, by way of their index, are the frame.
class FramesOfRanks : public FrameFiles {
protected:
    static constexpr std::size_t ranks = 3;

    void SetUp() override
    {
        FrameFiles::SetUp();
        test::write_frame_of_ranks(path("p.pvtp"), path("c.pvtp"), world.frame(), ranks);
    }
    void expect_complaint(const std::string& text) const
    {
        try {
            (void)read_frame(path("p.pvtp"), path("c.pvtp"));
            ADD_FAILURE() << "not refused: " << text;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
        }
    }

    const World world = test::mixed_world();
};

TEST_F(FramesOfRanks, AreRead)
{
    const Frame frame = world.frame();
    const StoredFrame back = read_frame(path("p.pvtp"), path("c.pvtp"));
    // Bodies come rank after rank, prescribed ones last, and contacts likewise.
    std::vector<BodyId> ids;
    std::vector<Contact> kept;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const test::RankFrame own(frame, rank, ranks);
        const auto dynamic = own.frame().ids.first(own.frame().dynamic_count);
        ids.insert(ids.end(), dynamic.begin(), dynamic.end());
        for (const Contact& c : own.frame().contacts) {
            if (c.touching || !is_zero(c.impulse)) {
                kept.push_back(c);
            }
        }
    }
    ids.insert(ids.end(), frame.ids.begin() + std::ptrdiff_t(frame.dynamic_count), frame.ids.end());
    ASSERT_EQ(back.ids, ids);
    ASSERT_EQ(ids.size(), frame.ids.size());
    // The same frame in this order.
    StoredFrame wanted = back;
    for (std::size_t k = 0; k < ids.size(); ++k) {
        const auto i = static_cast<std::size_t>(
            std::find(frame.ids.begin(), frame.ids.end(), ids[k]) - frame.ids.begin());
        wanted.positions[k] = frame.positions[i];
        wanted.orientations[k] = frame.orientations[i];
        wanted.velocities[k] = frame.velocities[i];
        wanted.angular_velocities[k] = frame.angular_velocities[i];
        wanted.masses[k] = frame.masses[i];
        wanted.shapes[k] = frame.shapes[i];
        wanted.materials[k] = frame.materials[i];
    }
    wanted.step = frame.step;
    wanted.time = frame.time;
    wanted.time_step = frame.time_step;
    wanted.dynamic_count = frame.dynamic_count;
    ASSERT_GE(kept.size(), 10U);
    expect_same(wanted.view(), back.view(), kept);
    expect_same(wanted.view(), read_frame(path("p.pvtp")).view(), {});
    EXPECT_EQ(read_stamp(path("c.pvtp")).step, frame.step);
    EXPECT_EQ(read_stamp(path("c.pvtp")).time, frame.time);
}

TEST_F(FramesOfRanks, WhatDoesNotBelongTogetherIsRefused)
{
    const std::string index = read("p.pvtp"), piece = read("p/1.vtp"), contacts = read("c/1.vtp");
    write("p.pvtp", index.substr(0, index.size() - 30));
    expect_complaint("p.pvtp: is incomplete or damaged: its last lines are missing");
    std::string other = index;
    other.replace(other.find("p/1.vtp"), 7, "p/0.vtp");
    write("p.pvtp", other);
    expect_complaint("p.pvtp: is damaged: its checksum is wrong");
    write("p.pvtp", index);

    write("p/1.vtp", piece.substr(0, piece.size() - 1000));
    expect_complaint("p/1.vtp: is incomplete or damaged");
    write("p/1.vtp", read("p/2.vtp"));
    expect_complaint("p/1.vtp: is a piece of another frame");
    std::filesystem::remove(path("p/1.vtp"));
    expect_complaint("p/1.vtp: there is no such file");
    write("p/1.vtp", piece);
    write("c/1.vtp", read("c/2.vtp"));
    expect_complaint("c/1.vtp: is a piece of another frame");
    write("c/1.vtp", contacts);
    EXPECT_EQ(read_frame(path("p.pvtp"), path("c.pvtp")).ids.size(), world.frame().ids.size());

    test::write_frame_of_ranks(path("q.pvtp"), path("d.pvtp"), world.frame(), 2);
    EXPECT_THROW((void)read_frame(path("p.pvtp"), path("d.pvtp")), Error);
}

/// Files of more ranks, left by a run that was cut off, go when the index comes.
TEST_F(FramesOfRanks, AreWrittenAgainByFewer)
{
    test::write_frame_of_ranks(path("p.pvtp"), path("c.pvtp"), world.frame(), 2);
    EXPECT_FALSE(std::filesystem::exists(path("p/2.vtp")));
    EXPECT_EQ(read_frame(path("p.pvtp"), path("c.pvtp")).ids.size(), world.frame().ids.size());
    remove_frame(path("p.pvtp"));
    EXPECT_FALSE(std::filesystem::exists(path("p.pvtp")) || std::filesystem::exists(path("p")));
}

TEST_F(FrameFiles, StrangeNumbersComeBackToo)
{
    test::Random random(5);
    StoredFrame f;
    f.step = ~std::uint64_t(0);
    f.time = 0.1 + 0.2;
    f.time_step = 4.9e-324;
    f.dynamic_count = 400;
    const auto any = [&] { return std::bit_cast<double>(random.bits()); };
    const auto vec = [&] {
        const double x = any(), y = any(), z = any();
        return Vec3<double>{x, y, z};
    };
    for (std::size_t i = 0; i < 500; ++i) {
        f.ids.push_back(random.bits());
        f.positions.push_back(vec());
        const Vec3<double> q = vec();
        f.orientations.push_back({any(), q.x, q.y, q.z});
        f.velocities.push_back(vec());
        f.angular_velocities.push_back(vec());
        f.masses.push_back(any());
        const auto kind = static_cast<ShapeKind>(i % shape_kind_count);
        f.shapes.push_back({kind, vec(), nullptr});
        if (kind == ShapeKind::clump) {
            const double r = 0.5 + 0.1 * random.uniform();
            f.shapes.back().parts =
                Shape::clump(
                    std::vector<Part>{{Shape::sphere(r)}, {Shape::box(r, 1, 1), {2, 0, 0}}})
                    .parts;
        }
        if (kind == ShapeKind::mesh) {
            const Vec3<double> top = random.in_ball();
            f.shapes.back().surface =
                Shape::mesh(std::vector<Vec3<double>>{{2, 0, -2}, {-2, 2, -2}, {-2, -2, -2}, top},
                            std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {1, 2, 3}})
                    .surface;
        }
        if (kind == ShapeKind::polyhedron) {
            const Vec3<double> top = random.in_ball();
            f.shapes.back().solid =
                Shape::polyhedron(
                    std::vector<Vec3<double>>{{2, 0, -2}, {-2, 2, -2}, {-2, -2, -2}, top})
                    .solid;
        }
        f.materials.push_back(static_cast<MaterialId>(random.bits()));
    }
    for (std::size_t i = 0; i < 300; ++i) {
        Contact c{};
        c.first = f.ids[i];
        c.second = random.bits();  // of no body
        c.point = vec();
        c.normal = vec();
        c.gap = any();
        c.touching = true;
        c.impulse = vec();
        f.contacts.push_back(c);
    }
    store(f.view());
    expect_same(f.view(), stored().view(), f.contacts);
}

TEST_F(FrameFiles, AnEmptyWorldIsAFrame)
{
    const World world;
    store(world.frame());
    expect_same(world.frame(), stored().view(), {});
}

TEST_F(FrameFiles, TheOtherFileIsRefused)
{
    World world = test::mixed_world();
    store(world.frame());
    const std::string particles = read("p.vtp"), contacts = read("c.vtp");
    write("p.vtp", contacts);
    expect_complaint("p.vtp: holds contacts, not particles");
    write("p.vtp", particles);
    write("c.vtp", particles);
    expect_complaint("c.vtp: holds particles, not contacts");
    world.step();
    store(world.frame());
    write("c.vtp", contacts);
    expect_complaint("c.vtp: holds the contacts of another frame");
    std::filesystem::remove(path("c.vtp"));
    expect_complaint("c.vtp: there is no such file");
    std::filesystem::create_directory(path("c.vtp"));
    expect_complaint("c.vtp: is no regular file");
}

TEST_F(FrameFiles, ForeignFilesAreRefused)
{
    const World world = test::mixed_world(1);
    store(world.frame());
    const std::string good = read("p.vtp");
    for (const std::string& text :
         {std::string(), std::string("\n"), std::string("solid stl"), std::string(3000, '\0'),
          std::string("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\"></VTKFile>\n")}) {
        write("p.vtp", text);
        expect_complaint("was not written by scree");
    }
    std::string later = good;
    later.replace(later.find(" 1, crc32"), 2, " 2");
    write("p.vtp", later);
    expect_complaint("a format that this version of scree does not know");
}

// A checksum of 32 bits sees every change of a single byte.
TEST_F(FrameFiles, EveryDamagedByteIsSeen)
{
    const World world = test::mixed_world();
    store(world.frame());
    test::Random random(11);
    for (const char* name : {"p.vtp", "c.vtp"}) {
        const std::string good = read(name);
        for (std::size_t at = 0; at < good.size(); at += 1 + random.bits() % 7) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ static_cast<int>(1 + random.bits() % 255));
            write(name, bad);
            ASSERT_NE(problems_with(), "") << name << " " << at;
        }
        for (std::size_t size = 0; size < good.size(); size += 1 + random.bits() % 11) {
            write(name, std::string_view(good).substr(0, size));
            ASSERT_NE(problems_with(), "") << name << " " << size;
        }
        write(name, good + " ");
        ASSERT_NE(problems_with(), "");
        write(name, good);
        ASSERT_EQ(problems_with(), "");
    }
}

/// The checksum of a changed file set right, as one would who means harm.
std::string signed_anew(std::string bytes)
{
    const std::string mark = "crc32 ";
    const std::size_t at = bytes.find(mark) + mark.size();
    const std::size_t body = bytes.find('\n', at) + 1;
    const auto sum =
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + body), bytes.size() - body);
    return bytes.replace(at, 8, fmt::format("{:08x}", sum));
}

// Behind a good checksum anything may stand: it is read or refused, and memory stays small.
TEST_F(FrameFiles, DamageWithAGoodChecksumIsHarmless)
{
    const World world = test::mixed_world(5);
    store(world.frame());
    test::Random random(12);
    int refused = 0, read_back = 0;
    for (const char* name : {"p.vtp", "c.vtp"}) {
        const std::string good = read(name);
        const std::size_t header = good.find("\n_") + 2, body = good.find("<VTKFile");
        for (int i = 0; i < 4000; ++i) {
            std::string bad = good;
            const std::size_t end = i % 2 == 0 ? header : good.size();
            for (std::uint64_t k = random.bits() % 4 + 1; k > 0; --k) {
                const std::size_t at = body + random.bits() % (end - body);
                switch (random.bits() % 4) {
                case 0: bad[at] = static_cast<char>(random.bits()); break;
                case 1: bad[at] = static_cast<char>('0' + random.bits() % 10); break;
                case 2: bad.erase(at, random.bits() % 30); break;
                default: bad.insert(at, "\"<>/= 9"); break;
                }
                bad.resize(std::max(bad.size(), good.size()), ' ');
            }
            write(name, signed_anew(bad));
            ++(problems_with().empty() ? read_back : refused);
        }
        write(name, good);
    }
    EXPECT_GT(refused, 1000);
    EXPECT_GT(read_back, 10);
}

TEST_F(FrameFiles, LiesOfTheHeaderAreNamed)
{
    const World world = test::mixed_world(5);
    store(world.frame());
    const std::string particles = read("p.vtp"), contacts = read("c.vtp");
    const auto lie = [&](const std::string& name, const std::string& from, const std::string& to,
                         const std::string& text) {
        write("p.vtp", particles);
        write("c.vtp", contacts);
        std::string bad = read(name);
        ASSERT_NE(bad.find(from), std::string::npos) << from;
        bad.replace(bad.find(from), from.size(), to);
        write(name, signed_anew(bad));
        expect_complaint(name + ": " + text);
    };
    const std::string points = "NumberOfPoints=\"19\"";
    lie("p.vtp", points, "NumberOfPoints=\"99999999999999\"", "says NumberOfPoints = 9999");
    lie("p.vtp", points, "NumberOfPoints=\"18446744073709551615\"", "says NumberOfPoints = 1844");
    lie("p.vtp", points, "NumberOfPoints=\"-1\"", "has \"-1\" where a number belongs");
    lie("p.vtp", points, "NumberOfPoints=\"1e3\"", "has \"1e3\" where a number belongs");
    lie("p.vtp", points, "NumberOfPoints=\"14\"", "says that array id has 152 bytes; expected 112");
    lie("p.vtp", points, "", "a tag Piece has no attribute NumberOfPoints");
    const std::size_t at = particles.find("offset=", particles.find("Name=\"id\""));
    const std::string offset = particles.substr(at, particles.find('/', at) - at);
    lie("p.vtp", offset, "offset=\"1000000\"", "says that array id is beyond its end");
    lie("p.vtp", offset, "offset=\"18446744073709551615\"", "says that array id is beyond");
    lie("p.vtp", offset, "offset=\"3\"", "says that array id has");
    lie("p.vtp", "polyhedron_corner\" NumberOfComponents=\"3\" NumberOfTuples=\"5\"",
        "polyhedron_corner\" NumberOfComponents=\"3\" NumberOfTuples=\"4\"",
        "says that array polyhedron_corner has 120 bytes; expected 96");
    lie("p.vtp", "Name=\"polyhedron_begin\"", "Name=\"polyhedron_bogin\"",
        "has no DataArray polyhedron_begin");
    lie("p.vtp", "Float64\" Name=\"mass", "Float32\" Name=\"mass",
        "has an array mass of 1 × Float32; expected 1 × Float64");
    lie("p.vtp", "Name=\"mass\"", "Name=\"mess\"", "has no DataArray mass");
    lie("p.vtp", "<AppendedData", "<AppendedDate", "is incomplete: its XML has no end");
    lie("c.vtp", "Name=\"gap\"", "Name=\"gap", "has no DataArray gap");
    lie("c.vtp", "    </Piece>\n  </PolyData>\n", "<Piece Name=\"", "the XML ends within a tag");
}

TEST_F(FrameFiles, UnknownShapesAreRefused)
{
    StoredFrame f;
    f.ids = {1, 2};
    f.positions.resize(2);
    f.orientations.resize(2);
    f.velocities.resize(2);
    f.angular_velocities.resize(2);
    f.masses.resize(2);
    f.materials.resize(2);
    f.shapes.resize(2);
    store(f.view());
    ASSERT_EQ(problems_with(), "");
    const std::string good = read("p.vtp");
    const std::size_t data = good.find("\n_") + 2;
    const auto with = [&](const std::string& array, std::size_t byte, char value) {
        std::string bad = good;
        const std::size_t entry = good.find("Name=\"" + array + "\"");
        const std::size_t offset = std::stoul(good.substr(good.find("offset=\"", entry) + 8));
        bad[data + offset + 8 + byte] = value;
        write("p.vtp", signed_anew(bad));
    };
    with("shape", 1, 12);
    expect_complaint("has a body of shape 12; there are shapes 0 to 11");
    with("shape", 1, 11);
    expect_complaint("has no DataArray mesh_point");
    with("shape", 1, 10);
    expect_complaint("has no DataArray part_shape");
    with("shape", 1, 9);
    expect_complaint("has no DataArray polyhedron_corner");
    with("dynamic", 0, 2);
    expect_complaint("has dynamic = 2, which must be 0 or 1");
    with("dynamic", 1, 1);
    expect_complaint("has a dynamic body behind a prescribed one");
}

}  // namespace
}  // namespace scree::io
