// A fresh folder for every test of a fixture, gone afterwards.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>

namespace scree::test {

class InFolder : public testing::Test {
protected:
    void SetUp() override
    {
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        folder = std::filesystem::path(testing::TempDir()) /
                 ("scree-" + std::string(test->test_suite_name()) + "-" + test->name() + "-" +
                  std::to_string(::getpid()));
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    [[nodiscard]] std::string path(const std::string& name) const
    {
        return (folder / name).string();
    }
    void write(const std::string& name, std::string_view text) const
    {
        // Not emptied first: file systems bring a file to the disk that is emptied and rewritten.
        const std::string file = path(name);
        std::ofstream(file, std::ios::binary | std::ios::app);
        std::fstream(file, std::ios::binary | std::ios::in | std::ios::out) << text;
        std::filesystem::resize_file(file, text.size());
    }
    [[nodiscard]] std::string read(const std::string& name) const
    {
        std::ifstream in(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    [[nodiscard]] std::size_t files() const
    {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                      std::filesystem::directory_iterator()));
    }

    std::filesystem::path folder;
};

}  // namespace scree::test
