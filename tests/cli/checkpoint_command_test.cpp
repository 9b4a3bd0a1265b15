// `scree checkpoint` from outside: a run is moved in parts and goes on as if it had not been.
#include "support/folder.hpp"
#include "support/program.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

namespace fs = std::filesystem;
using test::Ran;
using test::scree;

constexpr const char* scene = R"([time]
step = "0.5 ms"
end = "0.04 s"
[domain]
min = [0, 0, 0]
max = [0.3, 0.3, 1]
[[material]]
name = "stone"
density = 2000
[[fill]]
type = "pour"
count = 100
region = { min = [0, 0, 0], max = [0.3, 0.3, 0.8] }
shape = { type = "sphere", radius = 0.02 }
[output]
sample = "5 ms"
frames = "10 ms"
)";

class CheckpointCommand : public test::InFolder {
protected:
    void SetUp() override
    {
        InFolder::SetUp();
        write("scene.toml", scene);
        const Ran ran =
            scree("run " + path("scene.toml") + " --quiet --steps 40 --out " + path("here"));
        ASSERT_EQ(ran.status, 0) << ran.out;
    }
};

TEST_F(CheckpointCommand, MovesARun)
{
    const Ran split = scree("checkpoint split " + path("here") + " --size \"4 kB\"");
    ASSERT_EQ(split.status, 0) << split.out;
    std::size_t parts = 0;
    fs::create_directories(path("there"));
    for (const fs::directory_entry& entry : fs::directory_iterator(path("here"))) {
        if (entry.path().filename().string().starts_with("checkpoint.h5.part-")) {
            EXPECT_LE(fs::file_size(entry.path()), 4000U);
            EXPECT_NE(split.out.find(entry.path().string() + "\n"), std::string::npos);
            fs::rename(entry.path(), fs::path(path("there")) / entry.path().filename());
            ++parts;
        }
    }
    EXPECT_GT(parts, 3U);
    const Ran joined = scree("checkpoint join " + path("there"));
    ASSERT_EQ(joined.status, 0) << joined.out;
    EXPECT_EQ(read("there/checkpoint.h5"), read("here/checkpoint.h5"));
    // Again only if it is meant.
    const Ran again = scree("checkpoint join " + path("there"));
    EXPECT_EQ(again.status, 2);
    EXPECT_NE(again.out.find("--force"), std::string::npos) << again.out;
    EXPECT_EQ(scree("checkpoint join --force " + path("there")).status, 0);
    const Ran by_name =
        scree("checkpoint join " + path("there/checkpoint.h5.part-*") + " --out " + path("alone"));
    EXPECT_EQ(by_name.status, 0) << by_name.out;
    EXPECT_EQ(read("alone"), read("here/checkpoint.h5"));

    fs::copy(path("here"), path("there"),
             fs::copy_options::recursive | fs::copy_options::skip_existing);
    EXPECT_EQ(scree("run --quiet --resume " + path("here")).status, 0);
    EXPECT_EQ(scree("run --quiet --resume " + path("there")).status, 0);
    EXPECT_EQ(read("there/checkpoint.h5"), read("here/checkpoint.h5"));
    EXPECT_EQ(read("there/series.csv"), read("here/series.csv"));
}

TEST_F(CheckpointCommand, RefusesWhatIsIncomplete)
{
    ASSERT_EQ(
        scree("checkpoint split " + path("here") + " --size 4KiB --out " + folder.string()).status,
        0);
    const Ran earlier =
        scree("checkpoint split " + path("here") + " --size 5kB --out " + folder.string());
    EXPECT_EQ(earlier.status, 2);
    EXPECT_NE(earlier.out.find("--force"), std::string::npos) << earlier.out;
    ASSERT_EQ(
        scree("checkpoint split " + path("here") + " --force --size 5kB --out " + folder.string())
            .status,
        0);
    fs::path second;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().string().find(".part-2-of-") != std::string::npos) {
            second = entry.path();
        }
    }
    ASSERT_FALSE(second.empty());
    fs::remove(second);
    const Ran missing = scree("checkpoint join " + folder.string());
    EXPECT_EQ(missing.status, 2);
    EXPECT_NE(missing.out.find("2 is missing"), std::string::npos) << missing.out;
    EXPECT_FALSE(fs::exists(path("checkpoint.h5")));
    EXPECT_EQ(scree("checkpoint split " + path("here") + " --size many").status, 2);
    EXPECT_EQ(scree("checkpoint split " + path("here") + " --size 100").status, 2);
    EXPECT_EQ(scree("checkpoint split " + path("nowhere") + " --size 4kB").status, 2);
    EXPECT_EQ(scree("checkpoint join " + path("nowhere")).status, 2);
    EXPECT_EQ(scree("checkpoint join " + path("here")).status, 2);
}

}  // namespace
}  // namespace scree
