// `scree run` from outside: exit statuses, resumed and killed runs, what is written and what is
// not.
#include "support/folder.hpp"
#include "support/program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

namespace scree {
namespace {

namespace fs = std::filesystem;
using test::Ran;
using test::scree;

/// A hopper with all that a run can have: a source, a sink, a gate, a moving obstacle of several
/// shapes, mixed shapes, friction and restitution.
constexpr const char* busy_scene = R"(title = "busy"
[time]
step = "0.5 ms"
end = "0.6 s"
[domain]
min = [0, 0, 0]
max = [0.3, 0.3, 1]
x = "wall"
y = "periodic"
[[material]]
name = "stone"
density = 2000
friction = 0.4
restitution = 0.2
[solver]
sweeps = 12
tolerance = 0
[[obstacle]]
name = "floor"
shapes = [{ type = "half_space", position = [0, 0, 0.1] }]
remove_at = 0.45
[[obstacle]]
name = "paddle"
position = [0.15, 0.15, 0.2]
shapes = [{ type = "box", size = [0.12, 0.02, 0.02] }, { type = "box", size = [0.02, 0.02, 0.12] }]
motion = { type = "rotate", axis = [0, 1, 0], rate = "60 rpm", start = 0.05 }
[[fill]]
type = "pour"
count = 60
region = { min = [0, 0, 0.35], max = [0.3, 0.3, 0.8] }
shape = { type = "box", size = [0.03, 0.02, 0.02] }
orientation = "random"
[[source]]
name = "rain"
type = "rain"
rate = 500
region = { min = [0, 0, 0.7], max = [0.3, 0.3, 0.9] }
shape = { type = "sphere", radius = 0.01 }
sizes = { type = "lognormal", mean = 0.02, deviation = 0.004, max = 0.03 }
[[sink]]
name = "below"
max = ["inf", "inf", 0]
[[measure]]
name = "floor"
type = "force"
obstacle = "floor"
[[measure]]
name = "laws"
type = "laws"
[output]
sample = "7 ms"
frames = "50 ms"
)";

class RunCommand : public test::InFolder {
protected:
    void SetUp() override
    {
        InFolder::SetUp();
        write_scene("busy.toml", busy_scene);
    }
    void write_scene(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder / name) << text;
    }
    [[nodiscard]] std::string at(const std::string& name) const { return (folder / name).string(); }
    [[nodiscard]] Ran run(const std::string& arguments) const
    {
        return scree("run " + arguments + " --quiet");
    }
    /// A minute at most.
    static void wait_for(const fs::path& file)
    {
        for (int i = 0; i < 12000 && !fs::exists(file); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        ASSERT_TRUE(fs::exists(file)) << file;
    }
    /// Everything that does not tell of machine and time is the same.
    void expect_same(const std::string& a, const std::string& b) const
    {
        for (const char* file : {"series.csv", "summary.json", "particles.pvd", "contacts.pvd"}) {
            EXPECT_EQ(read(a + "/" + file), read(b + "/" + file)) << file;
        }
        std::size_t frames = 0;
        for (const auto& entry : fs::directory_iterator(folder / a / "frames")) {
            const std::string name = "/frames/" + entry.path().filename().string();
            EXPECT_EQ(read(a + name), read(b + name)) << name;
            ++frames;
        }
        EXPECT_EQ(frames, 26U);  // 0, 50 ms … 600 ms, particles and contacts
    }
};

TEST_F(RunCommand, ResumedRunsLeaveTheSameFiles)
{
    ASSERT_EQ(run(at("busy.toml") + " --out " + at("whole") + " --threads 1").status, 0);
    ASSERT_EQ(run(at("busy.toml") + " --out " + at("parts") + " --threads 2 --steps 123").status,
              0);
    ASSERT_EQ(run("--resume " + at("parts") + " --threads 1 --steps 277").status, 0);
    ASSERT_EQ(run("--resume " + at("parts") + " --threads 3").status, 0);
    expect_same("whole", "parts");
    // once more: nothing is left to do and nothing changes
    ASSERT_EQ(run("--resume " + at("parts")).status, 0);
    expect_same("whole", "parts");
}

TEST_F(RunCommand, BranchesStartFromTheStateOfAnotherRun)
{
    const auto hash = [&](const std::string& dir) {
        return nlohmann::json::parse(read(dir + "/run.json")).at("state_hash").get<std::string>();
    };
    ASSERT_EQ(run(at("busy.toml") + " --out " + at("trunk") + " --steps 798").status, 0);
    const std::string trunk = hash("trunk"), rows = read("trunk/series.csv");
    const std::string from = "--branch " + at("trunk") + " --out ";
    ASSERT_EQ(run(from + at("same")).status, 0);
    ASSERT_EQ(run(from + at("coulomb") + " --law coulomb").status, 0);
    ASSERT_EQ(run(from + at("swept") + " --set solver.sweeps=3").status, 0);
    // what it starts from stays as it is
    EXPECT_EQ(hash("trunk"), trunk);
    EXPECT_EQ(read("trunk/series.csv"), rows);
    // without changes it goes where the other one would have gone
    ASSERT_EQ(run("--resume " + at("trunk")).status, 0);
    EXPECT_EQ(hash("same"), hash("trunk"));
    EXPECT_NE(hash("coulomb"), hash("trunk"));
    EXPECT_NE(hash("swept"), hash("trunk"));
    // its rows are the later ones alone; the other one had a row at the checkpoint
    const std::string all = read("trunk/series.csv"), later = read("same/series.csv");
    const std::string header = all.substr(0, all.find('\n') + 1);
    ASSERT_EQ(later.substr(0, header.size()), header);
    const std::string tail = later.substr(header.size());
    ASSERT_FALSE(tail.empty());
    EXPECT_LT(later.size(), all.size());
    EXPECT_EQ(all.substr(all.size() - tail.size()), tail);

    EXPECT_EQ(run("--branch " + at("trunk")).status, 2);  // where to?
    EXPECT_EQ(run("--branch " + at("trunk") + " --force --out " + at("trunk")).status, 2);
    EXPECT_TRUE(fs::exists(folder / "trunk" / "checkpoint.h5"));
    EXPECT_EQ(run(from + at("never") + " --set material.stone.friction=0.1").status, 2);
    EXPECT_EQ(run(from + at("never") + " " + at("busy.toml")).status, 2);
    EXPECT_FALSE(fs::exists(folder / "never"));
}

TEST_F(RunCommand, KilledRunsResumeToTheSameBits)
{
    const std::string often = " --set output.checkpoint_steps=20";
    ASSERT_EQ(run(at("busy.toml") + often + " --out " + at("whole")).status, 0);
    for (int attempt = 0; attempt < 3; ++attempt) {
        const std::string dir = "killed" + std::to_string(attempt);
        const pid_t child = fork();
        if (child == 0) {
            execl(SCREE_PROGRAM, "scree", "run", at("busy.toml").c_str(), "--set",
                  "output.checkpoint_steps=20", "--out", at(dir).c_str(), "--quiet", nullptr);
            _exit(127);
        }
        const fs::path checkpoint = folder / dir / "checkpoint.h5";
        wait_for(checkpoint);
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + 130 * attempt));
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_EQ(run("--resume " + at(dir)).status, 0) << attempt;
        expect_same("whole", dir);
    }
}

TEST_F(RunCommand, InterruptionWritesACheckpointAndSaysHowToGoOn)
{
    const pid_t child = fork();
    if (child == 0) {
        std::freopen(at("message").c_str(), "w", stderr);
        execl(SCREE_PROGRAM, "scree", "run", at("busy.toml").c_str(), "--until", "100 s", "--out",
              at("stopped").c_str(), "--quiet", nullptr);
        _exit(127);
    }
    wait_for(folder / "stopped/particles.pvd");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(child, SIGINT);
    kill(child, SIGTERM);  // as when a batch system ends a job: to the process and to its group
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 4);
    EXPECT_NE(read("message").find("scree run --resume"), std::string::npos);
    EXPECT_TRUE(fs::exists(folder / "stopped/checkpoint.h5"));
    EXPECT_EQ(run("--resume " + at("stopped") + " --steps 1").status, 0);
}

TEST_F(RunCommand, WhatWillBeWrittenHasToFit)
{
    const auto frames = [&](const std::string& more) {
        return run(at("busy.toml") +
                   " --until 1e9 --set source.rain.rate=0.001 --set output.frames=0.0005 --out " +
                   at("frames") + more);
    };
    const Ran all = frames("");
    EXPECT_EQ(all.status, 2);
    EXPECT_NE(all.out.find("(2000000000002 frames)"), std::string::npos) << all.out;
    EXPECT_FALSE(fs::exists(folder / "frames" / "run.json"));
    EXPECT_EQ(frames(" --steps 2").status, 0);  // no more than it does now
    EXPECT_TRUE(fs::exists(folder / "frames" / "run.json"));
}

TEST_F(RunCommand, BadInputWritesNothing)
{
    write_scene("bad.toml", "[time]\nstep = 1\n");
    EXPECT_EQ(run(at("bad.toml") + " --out " + at("never")).status, 2);
    EXPECT_FALSE(fs::exists(folder / "never"));
    EXPECT_EQ(run(at("busy.toml") + " --set solver.sweeps=0 --out " + at("never")).status, 2);
    EXPECT_FALSE(fs::exists(folder / "never"));
    EXPECT_EQ(run(at("busy.toml") + " --set solver.precision=mixed --out " + at("never")).status,
              2);
    EXPECT_FALSE(fs::exists(folder / "never"));
    EXPECT_EQ(run(at("busy.toml") + " --out " + at("busy.toml")).status, 2);
    EXPECT_EQ(run("--resume " + at("nowhere")).status, 2);
    EXPECT_EQ(run("").status, 2);
}

TEST_F(RunCommand, ARunIsNotOverwrittenUnlessAskedTo)
{
    const std::string command = at("busy.toml") + " --out " + at("run");
    ASSERT_EQ(run(command + " --steps 10").status, 0);
    const std::string before = read("run/series.csv");
    const Ran again = run(command);
    EXPECT_EQ(again.status, 2);
    EXPECT_NE(again.out.find("--force"), std::string::npos);
    EXPECT_EQ(read("run/series.csv"), before);
    // A run that is refused leaves the earlier one.
    EXPECT_EQ(run(command + " --force --set solver.precision=mixed").status, 2);
    EXPECT_EQ(read("run/series.csv"), before);
    EXPECT_TRUE(fs::exists(folder / "run/checkpoint.h5"));
    EXPECT_EQ(run(command + " --steps 20 --force").status, 0);
}

TEST_F(RunCommand, TwoDoNotWriteToOneFolder)
{
    ASSERT_EQ(run(at("busy.toml") + " --out " + at("run") + " --steps 10").status, 0);
    const std::string before = read("run/series.csv");
    const int other = ::open(at("run").c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
    for (const std::string& command :
         {"--resume " + at("run"), at("busy.toml") + " --force --out " + at("run")}) {
        const Ran ran = run(command);
        EXPECT_EQ(ran.status, 2);
        EXPECT_NE(ran.out.find("another run is writing to it"), std::string::npos) << ran.out;
    }
    EXPECT_EQ(read("run/series.csv"), before);
    ::close(other);
    EXPECT_EQ(run("--resume " + at("run") + " --steps 1").status, 0);
}

TEST_F(RunCommand, NoStepsAreEnoughToGoOnFrom)
{
    const std::string often = " --set output.checkpoint_steps=5";
    ASSERT_EQ(run(at("busy.toml") + " --out " + at("run") + " --steps 0" + often).status, 0);
    fs::remove_all(folder / "run/frames");
    EXPECT_EQ(run("--resume " + at("run") + " --steps 3").status, 0);
    const Ran branch =
        run("--branch " + at("run") + " --out " + at("branch") + " --until \"1.5 ms\"");
    EXPECT_EQ(branch.status, 2);
    EXPECT_NE(branch.out.find("--until"), std::string::npos) << branch.out;
    EXPECT_FALSE(fs::exists(folder / "branch"));
}

TEST_F(RunCommand, DamagedCheckpointsAreRefused)
{
    ASSERT_EQ(run(at("busy.toml") + " --out " + at("run") + " --steps 10").status, 0);
    const std::string whole = read("run/checkpoint.h5");
    for (const std::size_t size :
         {std::size_t(0), std::size_t(100), whole.size() / 2, whole.size() - 1}) {
        std::ofstream(folder / "run/checkpoint.h5", std::ios::binary) << whole.substr(0, size);
        const Ran ran = run("--resume " + at("run"));
        EXPECT_EQ(ran.status, 2) << size;
        EXPECT_NE(ran.out.find("checkpoint.h5"), std::string::npos);
    }
    std::ofstream(folder / "run/checkpoint.h5", std::ios::binary) << whole;
    EXPECT_EQ(run("--resume " + at("run") + " --steps 1").status, 0);
}

TEST_F(RunCommand, ResultsThatCannotBeTrustedHaveTheirOwnStatus)
{
    const Ran ran = scree("run " + at("busy.toml") + " --out " + at("run") +
                          " --set solver.sweeps=1 --set solver.tolerance=1e-12 --steps 300");
    EXPECT_EQ(ran.status, 3);
    EXPECT_NE(ran.out.find("unconverged in"), std::string::npos) << ran.out;
    const auto summary = nlohmann::json::parse(read("run/summary.json"));
    EXPECT_FALSE(summary["trusted"].get<bool>());
}

TEST_F(RunCommand, NumbersThatAreNotFiniteEndARunWithResults)
{
    write_scene("wild.toml", "gravity = [1e9, 1e9, -1e9]\n[time]\nstep = 1e6\nend = 1e8\n"
                             "[domain]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\nx = \"periodic\"\n"
                             "z = [\"wall\", \"open\"]\n[output]\ncheckpoint_steps = 1\n"
                             "[[fill]]\ntype = \"grid\"\nspacing = 0.2\n"
                             "region = { min = [0, 0, 0], max = [1, 1, 1] }\n"
                             "shape = { type = \"sphere\", radius = 0.09 }\n"
                             "velocity_spread = [1e9, 1e9, 1e9]\n");
    const Ran ran = scree("run " + at("wild.toml") + " --out " + at("run"));
    EXPECT_EQ(ran.status, 3);
    EXPECT_NE(ran.out.find("not_finite in 1 of"), std::string::npos) << ran.out;
    const auto summary = nlohmann::json::parse(read("run/summary.json"));
    EXPECT_FALSE(summary["trusted"].get<bool>());
    EXPECT_TRUE(summary["state_hash"].is_null());
    EXPECT_EQ(nlohmann::json::parse(read("run/run.json"))["outcome"], "untrusted");
    EXPECT_TRUE(fs::exists(folder / "run/checkpoint.h5"));  // of the last good step
}

TEST_F(RunCommand, ExpectationsThatFailHaveTheirOwnStatus)
{
    write_scene("expect.toml", std::string(busy_scene) + "[expect]\n\"particles.last\" = [0, 1]\n");
    EXPECT_EQ(run(at("expect.toml") + " --out " + at("run")).status, 5);
    write_scene("unknown.toml", std::string(busy_scene) + "[expect]\n\"no.such\" = [0, 1]\n");
    EXPECT_EQ(run(at("unknown.toml") + " --out " + at("run2")).status, 5);
}

TEST_F(RunCommand, TheExampleOfInitIsGood)
{
    ASSERT_EQ(scree("init " + at("marbles")).status, 0);
    EXPECT_EQ(scree("init " + at("marbles")).status, 2);
    const Ran checked = scree("check " + at("marbles.toml"));
    EXPECT_EQ(checked.status, 0) << checked.out;
    EXPECT_NE(checked.out.find("400"), std::string::npos);
    EXPECT_EQ(run(at("marbles.toml") + " --out " + at("run") + " --steps 200").status, 0);
    const Ran info = scree("info " + at("run"));
    EXPECT_EQ(info.status, 0);
    EXPECT_NE(info.out.find("Marbles poured into a box"), std::string::npos);
    const Ran analysed = scree("analyse " + at("run") + " --json");
    EXPECT_EQ(analysed.status, 0);
    EXPECT_EQ(nlohmann::json::parse(analysed.out)["particles.last"]["value"], 400);
}

}  // namespace
}  // namespace scree
