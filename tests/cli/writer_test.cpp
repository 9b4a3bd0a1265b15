// The thread that writes: in order, not too far behind, and heard when it fails.
#include "writer.hpp"

#include "scree/error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <numeric>
#include <vector>

namespace scree::cli {
namespace {

using Size = Writer::Size;

TEST(Writer, KeepsTheOrder)
{
    std::vector<int> done;
    std::thread::id worker;
    Writer writer;
    for (int k = 0; k < 3000; ++k) {
        writer.give(k % 3 == 0 ? Size::large : Size::small, [&, k] {
            done.push_back(k);
            worker = std::this_thread::get_id();
        });
    }
    writer.finish();
    std::vector<int> all(3000);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(done, all);
    EXPECT_NE(worker, std::this_thread::get_id());
    writer.finish();  // nothing is left
    EXPECT_GE(writer.seconds(), 0);
}

TEST(Writer, LetsOneLargeJobWait)
{
    std::promise<void> go;
    std::atomic<int> given = 0, done = 0;
    Writer writer;
    writer.give(Size::large, [&, may = go.get_future().share()] {
        may.wait();
        ++done;
    });
    std::thread giver([&] {
        for (int k = 0; k < 3; ++k) {
            writer.give(Size::large, [&] { ++done; });
            ++given;
        }
    });
    while (given < 1) {
        std::this_thread::yield();
    }
    for (int k = 0; k < 20; ++k) {
        writer.give(Size::small, [&] { ++done; });  // these need not wait
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(given, 1);
    EXPECT_EQ(done, 0);
    go.set_value();
    giver.join();
    writer.finish();
    EXPECT_EQ(done, 24);
}

TEST(Writer, SaysWhatFailed)
{
    int after = 0;
    std::promise<void> go;
    Writer writer;
    writer.give(Size::small, [may = go.get_future().share()] {
        may.wait();
        throw Error("the disk is full");
    });
    writer.give(Size::large, [&] { ++after; });
    go.set_value();
    const auto problems_with = [](const auto& f) {
        try {
            f();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(problems_with([&] { writer.finish(); }), "the disk is full");
    EXPECT_EQ(problems_with([&] { writer.give(Size::large, [&] { ++after; }); }),
              "the disk is full");
    EXPECT_EQ(after, 0);
}

TEST(Writer, FinishesWhenItGoes)
{
    int done = 0;
    {
        Writer writer;
        for (int k = 0; k < 100; ++k) {
            writer.give(Size::small, [&] { ++done; });
        }
    }
    EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace scree::cli
