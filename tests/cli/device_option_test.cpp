// The option --device, and what the program says of GPUs, on machines with and without one.
#include "device_option.hpp"
#include "engine/emulation.hpp"
#include "machine.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"
#include "support/folder.hpp"
#include "support/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace scree {
namespace {

namespace fs = std::filesystem;
using test::emulating_scree;
using test::Ran;
using test::scree;

/// Grains of two kinds, an obstacle that moves, a source, a sink.
constexpr const char* small_scene = R"(title = "small"
[time]
step = "1 ms"
end = "0.12 s"
[domain]
min = [0, 0, 0]
max = [0.2, 0.2, 1]
x = "wall"
y = "periodic"
z = "wall"
[[material]]
name = "stone"
density = 2000
friction = 0.4
restitution = 0.2
[solver]
tolerance = 1e-3
sweeps = 400
[[obstacle]]
name = "paddle"
position = [0.1, 0.1, 0.05]
shapes = [{ type = "box", size = [0.08, 0.02, 0.02] }]
motion = { type = "rotate", axis = [0, 1, 0], rate = "60 rpm" }
[[fill]]
type = "pour"
count = 25
region = { min = [0, 0, 0.1], max = [0.2, 0.2, 0.4] }
shape = { type = "box", size = [0.03, 0.02, 0.02] }
orientation = "random"
[[source]]
name = "rain"
type = "rain"
rate = 300
region = { min = [0, 0, 0.5], max = [0.2, 0.2, 0.7] }
shape = { type = "sphere", radius = 0.01 }
[[sink]]
name = "corner"
min = [0.15, 0, 0]
max = [0.2, 0.2, 0.02]
[output]
sample = "20 ms"
frames = "60 ms"
)";

class DeviceOption : public test::InFolder {
protected:
    void SetUp() override
    {
        InFolder::SetUp();
        std::ofstream(folder / "small.toml") << small_scene;
    }
    [[nodiscard]] std::string at(const std::string& name) const { return (folder / name).string(); }
    [[nodiscard]] Ran run(const std::string& out, const std::string& options) const
    {
        return emulating_scree("run " + at("small.toml") + " --quiet --out " + at(out) + " " +
                               options);
    }
    [[nodiscard]] std::string device_of(const std::string& run) const
    {
        return nlohmann::json::parse(read(run + "/run.json"))["machine"]["device"];
    }
    void expect_same(const std::string& a, const std::string& b) const
    {
        for (const char* file : {"series.csv", "summary.json", "frames/particles_000000000120.vtp",
                                 "frames/contacts_000000000120.vtp"}) {
            EXPECT_FALSE(read(a + "/" + file).empty()) << file;
            EXPECT_EQ(read(a + "/" + file), read(b + "/" + file)) << file;
        }
    }
};

TEST_F(DeviceOption, OfAnotherNameIsRefused)
{
    for (const char* name : {"gpu", "CUDA", "cuda:", "cuda:x", "cuda:1x", "cuda1", "\"\""}) {
        const Ran ran = run("never", std::string("--device ") + name);
        EXPECT_EQ(ran.status, 2) << name;
        EXPECT_NE(ran.out.find("is no device: use cpu, cuda, or cuda:N"), std::string::npos)
            << name << ": " << ran.out;
    }
    EXPECT_FALSE(fs::exists(folder / "never"));
}

/// Only the tests' program has it.
TEST_F(DeviceOption, OfTestsIsRefused)
{
    for (const std::string& command :
         {"run " + at("small.toml") + " --quiet --out " + at("never"), std::string("bench bed")}) {
        const Ran ran = scree(command + " --device emulated");
        EXPECT_EQ(ran.status, 2);
        EXPECT_NE(ran.out.find("is for Scree's tests and not part of this program: use cpu, cuda"),
                  std::string::npos)
            << ran.out;
    }
    EXPECT_FALSE(fs::exists(folder / "never"));
}

TEST_F(DeviceOption, ThatIsNotThereIsRefusedWithTheReason)
{
    const std::size_t count = gpus().size();
    const std::string reason = count == 0 ? "there is no GPU to use: " + gpu_support()
                                          : fmt::format("this machine has {}", count);
    for (const std::string number : {"1000", "-1", "99999999999", "-99999999999"}) {
        const Ran ran = run("never", "--device cuda:" + number);
        EXPECT_EQ(ran.status, 2);
        EXPECT_NE(ran.out.find(reason), std::string::npos) << ran.out;
    }
    if (count == 0) {
        const Ran ran = scree("bench bed --particles 100 --steps 1 --device cuda");
        EXPECT_EQ(ran.status, 2);
        EXPECT_NE(ran.out.find(reason), std::string::npos) << ran.out;
    }
    EXPECT_FALSE(fs::exists(folder / "never"));
}

TEST(NumberedGpu, IsOneOfThoseThatAreThere)
{
    using cli::numbered_gpu;
    EXPECT_EQ(numbered_gpu("cuda", 2), 0);
    EXPECT_EQ(numbered_gpu("cuda:0", 2), 0);
    EXPECT_EQ(numbered_gpu("cuda:1", 2), 1);
    for (const char* name :
         {"cuda:2", "cuda:-1", "cuda:2147483648", "cuda:99999999999", "cuda:-99999999999"}) {
        EXPECT_EQ(numbered_gpu(name, 2), std::nullopt) << name;
    }
    EXPECT_EQ(numbered_gpu("cuda", 0), std::nullopt);
    for (const char* name :
         {"", "cud", "cuda:", "cuda1", "cuda: 1", "cuda:1x", "cuda:99999999999x"}) {
        EXPECT_THROW((void)numbered_gpu(name, 2), Error) << name;
    }
}

TEST(GpuOfRank, IsTheNextOfItsMachine)
{
    const std::size_t count = 4;
    for (const int first : {0, 3}) {
        for (int rank = 0; rank < 9; ++rank) {
            EXPECT_EQ(cli::gpu_of_rank(first, rank, count), (first + rank) % 4);
        }
    }
    EXPECT_EQ(cli::gpu_of_rank(no_gpu, 3, 0), no_gpu);
    EXPECT_EQ(cli::gpu_of_rank(emulated_gpu, 3, 0), emulated_gpu);
}

TEST_F(DeviceOption, ChangesNoResult)
{
    ASSERT_EQ(run("host", "").status, 0);
    ASSERT_EQ(run("emulated", "--device emulated").status, 0);
    expect_same("host", "emulated");
    EXPECT_EQ(device_of("host"), cli::processor());
    EXPECT_EQ(device_of("emulated"), "emulated GPU");
    // A run goes on elsewhere, and back.
    ASSERT_EQ(run("parts", "--device emulated --steps 37").status, 0);
    const std::string resume = "run --quiet --resume " + at("parts");
    ASSERT_EQ(emulating_scree(resume + " --device cpu --steps 40").status, 0);
    ASSERT_EQ(emulating_scree(resume + " --device emulated").status, 0);
    expect_same("host", "parts");
    if (!gpus().empty()) {
        ASSERT_EQ(run("gpu", "--device cuda").status, 0);
        expect_same("host", "gpu");
        EXPECT_EQ(device_of("gpu"), gpus()[0].name);
    }
}

/// What is said to do where a CPU cannot go on is taken.
TEST_F(DeviceOption, OfMixedPrecisionIsLeftForTheCpu)
{
    ASSERT_EQ(run("mixed", "--device emulated --set solver.precision=mixed --set output.frames=1 "
                           "--steps 40")
                  .status,
              0);
    const std::string resume = "run --quiet --resume " + at("mixed");
    const Ran refused = emulating_scree(resume);
    EXPECT_EQ(refused.status, 2);
    const std::string advice = "--set solver.precision=double";
    EXPECT_NE(refused.out.find(advice), std::string::npos) << refused.out;
    EXPECT_EQ(emulating_scree(resume + " --device emulated --steps 20").status, 0);
    const Ran taken = emulating_scree(resume + " --steps 20 " + advice);
    EXPECT_EQ(taken.status, 0) << taken.out;
    EXPECT_EQ(device_of("mixed"), cli::processor());
    // From there on it is a run in doubles, like any other.
    const Ran on = emulating_scree(resume);
    EXPECT_EQ(on.status, 0) << on.out;
    const Ran other = emulating_scree(resume + " --set solver.sweeps=7");
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(other.out.find("solver.precision alone"), std::string::npos) << other.out;
}

TEST_F(DeviceOption, IsNamedByTheBench)
{
    const Ran ran = emulating_scree("bench bed --particles 100 --steps 2 --device emulated");
    EXPECT_EQ(ran.status, 0);
    EXPECT_NE(ran.out.find(" spheres on emulated GPU\n"), std::string::npos) << ran.out;
}

TEST(Info, SaysWhichGpusThereAre)
{
    const Ran ran = scree("info");
    EXPECT_EQ(ran.status, 0);
    EXPECT_NE(ran.out.find("\n  GPU         " + gpu_support() + "\n"), std::string::npos)
        << ran.out;
    for (const Gpu& gpu : gpus()) {
        EXPECT_NE(ran.out.find(fmt::format("    cuda:{}    {}, ", gpu.number, gpu.name)),
                  std::string::npos)
            << ran.out;
    }
    EXPECT_EQ(ran.out.find("cuda:") == std::string::npos, gpus().empty());
}

}  // namespace
}  // namespace scree
