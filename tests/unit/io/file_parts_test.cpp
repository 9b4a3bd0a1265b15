// Files in parts: whole again to the byte, or refused with a reason.
#include "io/file_parts.hpp"
#include "scree/error.hpp"
#include "support/folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace scree::io {
namespace {

namespace fs = std::filesystem;

class Parts : public test::InFolder {
protected:
    static std::string text(std::size_t n, unsigned seed)
    {
        std::string bytes(n, '\0');
        unsigned state = seed;
        for (char& c : bytes) {
            state = state * 1664525U + 1013904223U;
            c = static_cast<char>(state >> 24U);
        }
        return bytes;
    }
    /// What joining complains of; nothing may be written then.
    std::string problems_with(const std::vector<fs::path>& parts)
    {
        const std::size_t before = files();
        try {
            join_parts(parts, path("joined"));
        } catch (const Error& error) {
            EXPECT_EQ(files(), before);
            return error.what();
        }
        fs::remove(path("joined"));
        return "";
    }
    void expect_refused(const std::vector<fs::path>& parts, const std::string& why)
    {
        const std::string what = problems_with(parts);
        EXPECT_NE(what.find(why), std::string::npos) << "\"" << what << "\" has not: " << why;
    }
    std::string content(const fs::path& file) { return read(file.filename().string()); }
};

TEST_F(Parts, MakeTheWholeInAnyOrder)
{
    for (const std::size_t n : {0U, 1U, 831U, 832U, 833U, 5000U, 1'000'001U}) {
        const std::string whole = text(n, 7);
        write("data.h5", whole);
        for (const std::uintmax_t size : {1024U, 1031U, 4096U, 3'000'000U}) {
            std::vector<fs::path> parts = split_file(path("data.h5"), size, folder);
            EXPECT_EQ(parts.size(), std::max<std::size_t>(1, (n + (size - 192) / 8 * 8 - 1) /
                                                                 ((size - 192) / 8 * 8)));
            for (const fs::path& part : parts) {
                EXPECT_LE(fs::file_size(part), size);
                EXPECT_EQ(whole_name(part), "data.h5");
            }
            std::vector<fs::path> found = parts_in(folder, "data.h5");
            EXPECT_TRUE(
                std::is_permutation(found.begin(), found.end(), parts.begin(), parts.end()));
            std::reverse(parts.begin(), parts.end());
            join_parts(parts, path("joined"));
            EXPECT_EQ(read("joined"), whole);
            for (const fs::path& part : parts) {
                fs::remove(part);
            }
        }
    }
}

TEST_F(Parts, AreRefused)
{
    write("a", text(3000, 1));
    write("b", text(3000, 2));
    const std::vector<fs::path> a = split_file(path("a"), 1024, folder);
    const std::vector<fs::path> b = split_file(path("b"), 1024, folder);
    ASSERT_EQ(a.size(), 4U);
    EXPECT_EQ(problems_with(a), "");
    expect_refused({}, "no parts");
    expect_refused({a[0], a[2]}, "of its 4 parts 2, 4 are missing");
    expect_refused({a[0], a[1], a[3]}, "of its 4 parts 3 is missing");
    expect_refused({a[0], a[1], b[2], a[3]}, "different files");
    expect_refused({a[0], a[1], a[1], a[3]}, "both part 2 of 4");
    expect_refused({a[0], path("a")}, "is no part");
    expect_refused({a[0], path("nowhere")}, "there is no such file");
    // Another name changes nothing.
    fs::rename(a[1], path("renamed"));
    EXPECT_EQ(problems_with({path("renamed"), a[3], a[0], a[2]}), "");
    fs::rename(path("renamed"), a[1]);

    const std::string good = content(a[2]);
    const std::string name = a[2].filename().string();
    for (const std::size_t n : {0U, 100U, 191U}) {
        write(name, good.substr(0, n));
        expect_refused(a, "is no part");
    }
    write(name, good.substr(0, good.size() - 1));
    expect_refused(a, "is truncated: it has 1023 bytes, and 1024");
    write(name, good + "x");
    expect_refused(a, "is too long");
    // Whichever byte is wrong.
    for (std::size_t at = 0; at < good.size(); at += at < 200 ? 1 : 37) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        write(name, bad);
        EXPECT_NE(problems_with(a), "") << at;
    }
    write(name, good);
    EXPECT_EQ(problems_with(a), "");
}

TEST_F(Parts, OfNothingOrTooSmallAreRefused)
{
    EXPECT_THROW(split_file(path("nowhere"), 4096, folder), Error);
    EXPECT_THROW(split_file(folder, 4096, folder), Error);
    write("a", text(100'000, 1));
    EXPECT_THROW(split_file(path("a"), 1023, folder), Error);
    EXPECT_THROW(split_file(path("a"), 4096, folder / "none"), Error);
    write("large", text(9'000'000, 1));
    EXPECT_THROW(split_file(path("large"), 1024, folder), Error);
    EXPECT_EQ(files(), 2U);
}

}  // namespace
}  // namespace scree::io
