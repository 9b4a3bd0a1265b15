// Checkpoints on disk: what is read is what was written, to the bit; whatever else a file holds is
// refused with a reason; and no failure, full disk or sudden death costs the checkpoint before.
#include "io/hdf5_file.hpp"
#include "math/hash.hpp"
#include "scree/error.hpp"
#include "scree/io/checkpoint.hpp"
#include "support/eventful_worlds.hpp"
#include "support/lone_rank.hpp"
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put_content(const fs::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

constexpr std::size_t trailer_size = 64;

/// HDF5's part of a file with an end that vouches for it.
std::string sealed(const std::string& bytes)
{
    math::Digest digest;
    digest.add(std::as_bytes(std::span(bytes)));
    char line[trailer_size + 1];
    std::snprintf(line, sizeof line, "scree checkpoint %zu %016llx", bytes.size(),
                  static_cast<unsigned long long>(digest.value()));
    std::string end = line;
    end.resize(trailer_size, ' ');
    end.back() = '\n';
    return bytes + end;
}

class CheckpointFile : public ::testing::Test {
protected:
    void SetUp() override
    {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder = fs::temp_directory_path() /
                 ("scree-" + std::to_string(::getpid()) + "-" + test->name());
        fs::create_directories(folder);
        path = (folder / "checkpoint.h5").string();
        for (std::uint64_t k = 0; k < 57; ++k) {
            test::happen(world, 0, k);
            world.step();
        }
    }
    void TearDown() override { fs::remove_all(folder); }

    std::size_t files() const
    {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
    std::string problems_with() const
    {
        try {
            io::read_checkpoint(path);
        } catch (const Error& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(path + ": ")) << error.what();
            return std::string(error.what()).substr(path.size() + 2);
        }
        return "nothing";
    }
    void expect_refused(const std::string& why) const
    {
        EXPECT_NE(problems_with().find(why), std::string::npos) << problems_with();
    }

    fs::path folder;
    std::string path;
    World world = test::eventful_world(0);
};

TEST_F(CheckpointFile, GoesOnToTheSameBits)
{
    const std::vector<std::uint64_t> phases{1, 2, 3, ~std::uint64_t(0)};
    const std::vector<double> keys{0.5, -1, 2, 1e300, 5, 6};
    const std::vector<Column> extras{
        column_of<double>("random/keys", keys, 2), column_of("scene", "a = \"Gestein\"\n"),
        column_of<std::uint64_t>("source/phases", phases, 1),
        column_of<std::uint32_t>("source/none", std::span<const std::uint32_t>(), 3)};
    io::write_checkpoint(path, world, extras);
    EXPECT_EQ(files(), 1U);
    io::Checkpoint saved = io::read_checkpoint(path);
    EXPECT_EQ(saved.world.state_hash(), world.state_hash());
    EXPECT_EQ(saved.program, "scree " SCREE_VERSION);
    ASSERT_EQ(saved.extras.size(), extras.size());
    for (const Column& extra : extras) {
        const Column* again = find_column(saved.extras, extra.name);
        ASSERT_NE(again, nullptr) << extra.name;
        EXPECT_EQ(again->type, extra.type);
        EXPECT_EQ(again->width, extra.width);
        EXPECT_EQ(again->bytes, extra.bytes);
    }
    for (std::uint64_t k = 57; k < 80; ++k) {
        for (World* w : {&world, &saved.world}) {
            test::happen(*w, 0, k);
            w->step();
        }
        ASSERT_EQ(saved.world.state_hash(), world.state_hash()) << k;
        ASSERT_EQ(test::text_of(saved.world.report()), test::text_of(world.report())) << k;
    }
}

/// Writes what one rank saves, and the checkpoint that names it.
void write_shares(const std::string& path, const World& world)
{
    io::SavedWorld share = io::save(world);
    const std::vector<std::uint64_t> hashes{state_hash_of(share.columns)};
    io::write_share(path, 0, std::move(share), hashes[0]);
    const std::vector<Column> extras{column_of("scene", "a = 1\n")};
    io::write_checkpoint_of_shares(path, world.steps(), world.time(), hashes, extras);
}

TEST_F(CheckpointFile, IsReadAsAWholeFromSharesOfRanks)
{
    const auto rank = std::make_shared<test::LoneRank>();
    world.distribute(rank);
    world.step();
    write_shares(path, world);
    EXPECT_EQ(io::share_count(path), 1U);
    EXPECT_EQ(files(), 2U);
    const std::string first = io::share_of(path, world.steps(), 0).string();
    ASSERT_TRUE(fs::exists(first));
    io::Checkpoint whole = io::read_checkpoint(path);
    EXPECT_EQ(text_of(whole.extras.at(0)), "a = 1\n");
    EXPECT_EQ(whole.world.body_count(), world.body_count());
    EXPECT_EQ(whole.world.dynamic_count(), world.dynamic_count());
    whole.world.distribute(rank);
    EXPECT_EQ(whole.world.state_hash(), world.state_hash());
    // Of two ranks the first gets all there is, and the other what is prescribed, which is no
    // world.
    World more = io::read_checkpoint(path, 0, 2).world,
          none = io::read_checkpoint(path, 1, 2).world;
    more.distribute(rank);
    EXPECT_EQ(more.state_hash(), world.state_hash());
    EXPECT_EQ(none.frame().dynamic_count, 0U);
    EXPECT_EQ(none.frame().ids.size(), world.body_count() - world.dynamic_count());
    EXPECT_THROW(none.distribute(rank), Error);
    for (int k = 0; k < 5; ++k) {
        world.step();
        whole.world.step();
        more.step();
    }
    EXPECT_EQ(whole.world.state_hash(), world.state_hash());
    EXPECT_EQ(more.state_hash(), world.state_hash());

    // A later one takes the place of the first; what may be on its way to the next stays.
    const fs::path next = io::share_of(path, world.steps() + 1, 0);
    fs::copy_file(first, next);
    write_shares(path, world);
    EXPECT_FALSE(fs::exists(first));
    EXPECT_TRUE(fs::exists(io::share_of(path, world.steps(), 0)));
    EXPECT_TRUE(fs::exists(next));
    fs::remove(next);
    // So does that of one process, which has no shares.
    const World alone = io::read_checkpoint(path).world;
    io::write_checkpoint(path, alone);
    EXPECT_EQ(files(), 1U);
    EXPECT_EQ(io::share_count(path), 0U);
    EXPECT_EQ(io::read_checkpoint(path).world.state_hash(), alone.state_hash());
}

TEST_F(CheckpointFile, IsRefusedWithAShareThatIsNotRight)
{
    world.distribute(std::make_shared<test::LoneRank>());
    world.step();
    write_shares(path, world);
    const fs::path share = io::share_of(path, world.steps(), 0);
    const std::string good = content(share), name = share.string() + ": ";
    put_content(share, good.substr(0, good.size() - 100));
    expect_refused(name + "is truncated");
    std::string damaged = good;
    damaged[good.size() / 2] ^= 1;
    put_content(share, damaged);
    expect_refused(name + "is damaged");
    fs::remove(share);
    expect_refused(name + "is missing");
    const std::string index = content(path);
    world.step();
    write_shares(path, world);
    fs::copy_file(io::share_of(path, world.steps(), 0), share);
    put_content(path, index);
    expect_refused(name + "is a share of another checkpoint");
    put_content(path, good);
    expect_refused("is one rank's share of a checkpoint");
}

TEST_F(CheckpointFile, EqualWorldsHaveEqualFiles)
{
    io::write_checkpoint(path, world);
    const std::string first = content(path);
    io::Checkpoint saved = io::read_checkpoint(path);
    io::write_checkpoint(path, saved.world);
    EXPECT_EQ(content(path), first);
}

TEST_F(CheckpointFile, LargeColumnsAreCompressedAndReadBack)
{
    test::Random random(3);
    std::vector<std::uint32_t> few(1'000'003);
    for (std::uint32_t& x : few) {
        x = static_cast<std::uint32_t>(random.bits() % 3);
    }
    const std::vector<Column> extras{column_of<std::uint32_t>("few", few, 1)};
    io::write_checkpoint(path, world, extras);
    EXPECT_LT(fs::file_size(path), few.size());
    EXPECT_EQ(values_of<std::uint32_t>(io::read_checkpoint(path).extras.at(0)), few);
}

TEST_F(CheckpointFile, CutOffAndFlippedFilesAreRefused)
{
    io::write_checkpoint(path, world);
    const std::string good = content(path);
    test::Random random(7);
    for (std::size_t k = 0; k < 200; ++k) {
        put_content(path, good.substr(0, good.size() * k / 200));
        ASSERT_NE(problems_with(), "nothing") << k;
    }
    put_content(path, good + ' ');
    expect_refused("is truncated");
    for (int k = 0; k < 2000; ++k) {
        std::string bad = good;
        // Its end is a small part, and has to be hit as well.
        const std::size_t part = k % 4 == 0 ? trailer_size : bad.size();
        const std::size_t at = bad.size() - 1 - random.bits() % part;
        bad[at] = static_cast<char>(bad[at] ^ (1 << random.bits() % 8));
        put_content(path, bad);
        ASSERT_NE(problems_with(), "nothing") << "byte " << at;
    }
    put_content(path, good);
    EXPECT_EQ(problems_with(), "nothing");
}

TEST_F(CheckpointFile, OtherFilesAreRefused)
{
    const std::string signature = "\x89HDF\r\n\x1a\n";
    expect_refused("no such file");
    put_content(path, "");
    expect_refused("is no checkpoint: it is not an HDF5 file");
    put_content(path, "time_step = 1e-4\n");
    expect_refused("is no checkpoint: it is not an HDF5 file");
    put_content(path, signature);
    expect_refused("is truncated, or an HDF5 file that is no checkpoint");
    put_content(path, signature + std::string(5000, 'x'));
    expect_refused("is truncated, or an HDF5 file that is no checkpoint");
    put_content(path, sealed(signature + std::string(5000, 'x')));
    expect_refused("opening as HDF5 failed");
    fs::remove(path);
    fs::create_directory(path);
    expect_refused("no regular file");
}

/// A file with the columns of a world and these notes.
std::string file_with(const World& world, const std::string& format, std::uint64_t version,
                      std::uint64_t hash, const std::function<bool(Column&)>& keep)
{
    io::Hdf5Image image;
    image.note("format", format);
    image.note("version", version);
    image.note("program", "9.9");
    image.note("state_hash", hash);
    world.save([&](Column&& column) {
        if (keep(column)) {
            image.put("world", column);
        }
    });
    const auto bytes = image.bytes();
    return sealed({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

TEST_F(CheckpointFile, OtherContentsAreRefused)
{
    const auto all = [](Column&) { return true; };
    const std::uint64_t hash = world.state_hash();
    const std::string name = "scree checkpoint";
    put_content(path, file_with(world, name, checkpoint_version, hash, all));
    EXPECT_EQ(problems_with(), "nothing");
    put_content(path, file_with(world, "another", checkpoint_version, hash, all));
    expect_refused("is no checkpoint of scree");
    put_content(path, file_with(world, name, checkpoint_version + 1, hash, all));
    expect_refused("is of version 2, written by 9.9");
    put_content(path, file_with(world, name, checkpoint_version, hash + 1, all));
    expect_refused("does not give back the state");
    put_content(path, file_with(world, name, checkpoint_version, hash,
                                [](Column& c) { return c.name != "bodies/velocity"; }));
    expect_refused("checkpoint: bodies/velocity: is missing");
    put_content(path, file_with(world, name, checkpoint_version, hash, [](Column& c) {
                    c.width *= c.name == "bodies/kind" ? 2 : 1;
                    return true;
                }));
    expect_refused("checkpoint: bodies/kind: holds u32 in rows of 2");
}

// Bytes of HDF5's own that are damaged where the digest does not tell.
TEST_F(CheckpointFile, DamageBehindAGoodDigestIsRefusedQuietly)
{
    io::write_checkpoint(path, world);
    const std::string whole = content(path);
    const std::string good = whole.substr(0, whole.size() - trailer_size);
    ::testing::internal::CaptureStderr();
    test::Random random(11);
    int refused = 0;
    for (int k = 0; k < 500; ++k) {
        std::string bad = good;
        bad[random.bits() % bad.size()] = static_cast<char>(random.bits());
        put_content(path, sealed(bad));
        refused += problems_with() != "nothing" ? 1 : 0;
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_GT(refused, 450);
}

TEST_F(CheckpointFile, AFullDiskLeavesTheFileOfBefore)
{
    io::write_checkpoint(path, world);
    const std::string before = content(path);
    world.step();
    // Files may not grow further: the same failure as on a full disk, in the middle of writing.
    rlimit limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit small{static_cast<rlim_t>(before.size() / 2), limit.rlim_max};
    auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string said;
    try {
        io::write_checkpoint(path, world);
    } catch (const std::runtime_error& error) {
        said = error.what();
    }
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    ::signal(SIGXFSZ, handler);
    EXPECT_EQ(said, path + ": writing failed: File too large");
    EXPECT_EQ(files(), 1U);
    EXPECT_EQ(content(path), before);
    io::write_checkpoint(path, world);
    EXPECT_EQ(io::read_checkpoint(path).world.state_hash(), world.state_hash());
}

TEST_F(CheckpointFile, WhatCannotBeWrittenIsRefused)
{
    EXPECT_THROW(io::write_checkpoint(folder / "no/where.h5", world), Error);
    for (const char* name : {"", "/a", "a/", "a//b", ".", "a/..", "a b", "ä"}) {
        const std::vector<Column> extras{column_of(name, "text")};
        EXPECT_THROW(io::write_checkpoint(path, world, extras), Error) << name;
    }
    const std::vector<Column> twice{column_of("a", "text"), column_of("a", "text")};
    EXPECT_THROW(io::write_checkpoint(path, world, twice), Error);
    EXPECT_EQ(files(), 0U);
}

// Killed at any moment, there is always a good file.
TEST_F(CheckpointFile, SuddenDeathLeavesAGoodFile)
{
    io::write_checkpoint(path, world);
    test::Random random(13);
    std::uint64_t newest = world.steps();
    for (int k = 0; k < 12; ++k) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            for (;;) {
                world.step();
                io::write_checkpoint(path, world);
            }
        }
        ::usleep(static_cast<useconds_t>(20'000 + random.bits() % 60'000));
        ASSERT_EQ(::kill(child, SIGKILL), 0);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status));
        io::Checkpoint saved = io::read_checkpoint(path);
        EXPECT_GE(saved.world.steps(), newest);
        newest = saved.world.steps();
        world = std::move(saved.world);
    }
    EXPECT_GT(newest, 57U);
}

}  // namespace
}  // namespace scree
