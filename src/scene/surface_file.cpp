#include "scene/surface_file.hpp"

#include "math/hash.hpp"
#include "scene/printable.hpp"
#include "scene/reader.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <unordered_map>

namespace scree::scene {

namespace {

using Vec = Vec3<double>;

/// Points by their coordinates, so that triangles that share a corner share its number.
class Corners {
public:
    explicit Corners(SurfaceFile& surface) : surface_(surface) {}

    std::uint32_t number(const Vec& p)
    {
        const auto [at, fresh] = numbers_.emplace(
            Bits{std::bit_cast<std::uint64_t>(p.x + 0.0), std::bit_cast<std::uint64_t>(p.y + 0.0),
                 std::bit_cast<std::uint64_t>(p.z + 0.0)},
            static_cast<std::uint32_t>(surface_.points.size()));
        if (fresh) {
            surface_.points.push_back(p);
        }
        return at->second;
    }

private:
    using Bits = std::array<std::uint64_t, 3>;
    struct Hash {
        std::size_t operator()(const Bits& b) const
        {
            return math::hash(math::hash(b[0], b[1]), b[2]);
        }
    };
    SurfaceFile& surface_;
    std::unordered_map<Bits, std::uint32_t, Hash> numbers_;
};

/// The words of a text, line by line.
class Words {
public:
    explicit Words(std::string_view text) : rest_(text) {}

    /// Goes to the next line that is not empty; false at the end.
    bool line()
    {
        while (!rest_.empty()) {
            ++number_;
            const std::size_t end = rest_.find('\n');
            line_ = rest_.substr(0, end);
            rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
            skip();
            if (!line_.empty()) {
                return true;
            }
        }
        return false;
    }
    std::string_view word()
    {
        std::size_t n = 0;
        while (n < line_.size() && std::isspace(static_cast<unsigned char>(line_[n])) == 0) {
            ++n;
        }
        const std::string_view found = line_.substr(0, n);
        line_.remove_prefix(n);
        skip();
        return found;
    }
    Vec point()
    {
        const double x = number(), y = number(), z = number();
        return {x, y, z};
    }
    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(fmt::format("line {}: {}", number_, what));
    }

private:
    double number()
    {
        std::string_view text = word();
        text.remove_prefix(text.starts_with('+') ? 1 : 0);
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size()) {
            fail(fmt::format("expected three numbers, found \"{}\"", printable(text)));
        }
        return value;
    }
    void skip()
    {
        while (!line_.empty() && std::isspace(static_cast<unsigned char>(line_.front())) != 0) {
            line_.remove_prefix(1);
        }
    }

    std::string_view rest_, line_;
    std::size_t number_ = 0;
};

SurfaceFile binary_stl(std::string_view bytes)
{
    SurfaceFile surface;
    Corners corners(surface);
    for (std::size_t at = 84; at + 50 <= bytes.size(); at += 50) {
        std::array<std::uint32_t, 3> t{};
        for (std::size_t i = 0; i < 3; ++i) {
            float p[3];
            std::memcpy(p, bytes.data() + at + 12 * (i + 1), sizeof p);
            t[i] = corners.number({p[0], p[1], p[2]});
        }
        surface.triangles.push_back(t);
    }
    return surface;
}

SurfaceFile text_stl(std::string_view text)
{
    SurfaceFile surface;
    Corners corners(surface);
    Words words(text);
    std::vector<std::uint32_t> loop;
    while (words.line()) {
        const std::string_view word = words.word();
        if (word == "vertex") {
            loop.push_back(corners.number(words.point()));
        } else if (word == "endloop") {
            if (loop.size() != 3) {
                words.fail(fmt::format("a facet has {} corners, must have 3", loop.size()));
            }
            surface.triangles.push_back({loop[0], loop[1], loop[2]});
            loop.clear();
        }
    }
    if (!loop.empty()) {
        words.fail("the file ends within a facet");
    }
    if (surface.triangles.empty()) {
        throw Error("has no facets, or is a binary STL file that is cut off");
    }
    return surface;
}

/// An STL file is binary if it is as long as the count of triangles in it says.
SurfaceFile stl(std::string_view bytes)
{
    static_assert(std::endian::native == std::endian::little);
    std::uint32_t count = 0;
    if (bytes.size() >= 84) {
        std::memcpy(&count, bytes.data() + 80, sizeof count);
        if (bytes.size() == 84 + 50 * std::size_t(count)) {
            return binary_stl(bytes);
        }
    }
    if (!bytes.starts_with("solid")) {
        throw Error(bytes.size() < 84
                        ? "is too short for an STL file"
                        : fmt::format("is cut off or no STL file: it says that it has {} "
                                      "triangles, and has {} bytes instead of {}",
                                      count, bytes.size(), 84 + 50 * std::size_t(count)));
    }
    return text_stl(bytes);
}

SurfaceFile obj(std::string_view text)
{
    SurfaceFile surface;
    Corners corners(surface);
    Words words(text);
    std::vector<std::uint32_t> numbers;  // of the file's own list of points
    while (words.line()) {
        const std::string_view kind = words.word();
        if (kind == "v") {
            numbers.push_back(corners.number(words.point()));
            continue;
        }
        if (kind != "f") {
            continue;
        }
        std::vector<std::uint32_t> loop;
        for (std::string_view word = words.word(); !word.empty(); word = words.word()) {
            std::int64_t i = 0;
            const std::string_view first = word.substr(0, word.find('/'));
            const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), i);
            const auto n = static_cast<std::int64_t>(numbers.size());
            i = i < 0 ? n + i : i - 1;
            if (error != std::errc{} || end != first.data() + first.size() || i < 0 || i >= n) {
                words.fail(fmt::format("a face has the corner \"{}\"; so far there are {}",
                                       printable(word), n));
            }
            loop.push_back(numbers[static_cast<std::size_t>(i)]);
        }
        if (loop.size() < 3) {
            words.fail(fmt::format("a face has {} corners, must have 3 at least", loop.size()));
        }
        for (std::size_t i = 2; i < loop.size(); ++i) {
            surface.triangles.push_back({loop[0], loop[i - 1], loop[i]});
        }
    }
    return surface;
}

}  // namespace

SurfaceFile read_surface(const std::string& file)
{
    std::string ending = std::filesystem::path(file).extension().string();
    for (char& c : ending) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (ending != ".stl" && ending != ".obj") {
        throw Error(printable(fmt::format("{}: the name must end in .stl or .obj", file)));
    }
    const std::string bytes = read_text(file);
    try {
        return ending == ".stl" ? stl(bytes) : obj(bytes);
    } catch (const Error& error) {
        throw Error(printable(fmt::format("{}: {}", file, error.what())));
    }
}

}  // namespace scree::scene
