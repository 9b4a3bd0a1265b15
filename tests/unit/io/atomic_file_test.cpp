// Files appear whole or not at all, whatever goes wrong.
#include "io/new_file.hpp"
#include "scree/error.hpp"
#include "support/folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <sys/resource.h>

namespace scree::io {
namespace {

using NewFileTest = test::InFolder;

TEST_F(NewFileTest, AppearsWhenCommitted)
{
    write("old", "old");
    {
        NewFile file(path("old"));
        file.write("ne");
        file.write("w");
        EXPECT_EQ(read("old"), "old");
        file.commit();
    }
    EXPECT_EQ(read("old"), "new");
    {
        NewFile(path("dropped")).write("text");
    }
    EXPECT_EQ(files(), 1u);
}

TEST_F(NewFileTest, FoldersThatTakeNoFileAreErrors)
{
    EXPECT_THROW(NewFile(path("no/where")), Error);
    EXPECT_THROW(NewFile(folder.string()), Error);
    EXPECT_THROW(NewFile("/proc/new"), Error);
    try {
        NewFile file(path("no/where"));
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("cannot be written: No such file"),
                  std::string::npos)
            << error.what();
    }
}

/// Exit status 0 if writing and committing failed as they must on a full disk.
void write_to_full_disk(const std::string& path)
{
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    NewFile file(path);
    int failures = 0;
    try {
        for (int i = 0; i < 100; ++i) {
            file.write(std::string(10'000, 'x'));
        }
    } catch (const std::runtime_error& error) {
        failures += std::string(error.what()).find("writing failed: ") != std::string::npos ? 1 : 0;
    }
    try {
        file.commit();  // what was written is not the whole
    } catch (const std::runtime_error&) {
        ++failures;
    }
    file.~NewFile();
    std::_Exit(failures == 2 ? 0 : 1);
}

TEST_F(NewFileTest, AFullDiskLeavesTheOldFile)
{
    write("out", "old");
    EXPECT_EXIT(write_to_full_disk(path("out")), testing::ExitedWithCode(0), "");
    EXPECT_EQ(read("out"), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_F(NewFileTest, MayBeOneOfSeveral)
{
    {
        NewFile a(path("a"));
        NewFile b(path("b"));
        a.write("1");
        b.write("2");
        a.commit();
        b.write("3");
        b.commit();
    }
    EXPECT_EQ(read("a"), "1");
    EXPECT_EQ(read("b"), "23");
    EXPECT_EQ(files(), 2u);
}

TEST_F(NewFileTest, TakesNoOffenceAtWhatAnotherLeft)
{
    for (int i = 0; i < 30; ++i) {
        write(fmt::format(".scree-{}-{}.tmp", ::getpid(), i), "left behind");
    }
    NewFile file(path("a"));
    file.write("1");
    file.commit();
    EXPECT_EQ(read("a"), "1");
    EXPECT_EQ(files(), 31u);
}

TEST_F(NewFileTest, SignalsRemoveWhatIsUnfinished)
{
    const auto interrupted = [&] {
        NewFile a(path("a"));
        NewFile b(path("b"));
        NewFile c(path("c"));
        a.write("1");
        b.commit();
        std::raise(SIGTERM);
    };
    EXPECT_EXIT(interrupted(), testing::KilledBySignal(SIGTERM), "");
    EXPECT_EQ(files(), 1u);
    EXPECT_TRUE(std::filesystem::exists(path("b")));
}

volatile std::sig_atomic_t signals = 0;

// A program that means to finish its work when it is interrupted is let to.
TEST_F(NewFileTest, HandlersOfTheProgramStay)
{
    std::signal(SIGINT, [](int) { signals = signals + 1; });
    {
        NewFile file(path("a"));
        std::raise(SIGINT);
        file.write("1");
        file.commit();
    }
    std::raise(SIGINT);
    std::signal(SIGINT, SIG_DFL);
    EXPECT_EQ(signals, 2);
    EXPECT_EQ(read("a"), "1");
}

}  // namespace
}  // namespace scree::io
