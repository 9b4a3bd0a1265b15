// What readers share: a file's bytes, numbers in text, and complaints that name the file.
#pragma once

#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace scree::io {

inline constexpr std::uintmax_t all_bytes = static_cast<std::uintmax_t>(-1);

/// The file's first bytes, at most `limit`. Throws Error if it is no regular file or unreadable.
inline std::string read_bytes(const std::filesystem::path& path, std::uintmax_t limit = all_bytes)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        throw Error(std::filesystem::exists(path, error) ? "is no regular file"
                                                         : "there is no such file");
    }
    std::string bytes(std::min(std::filesystem::file_size(path), limit), '\0');
    std::ifstream in(path, std::ios::binary);
    if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
        throw Error(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
    }
    return bytes;
}

/// The number that the whole text is. Throws Error if it is none.
template <class T> T number(std::string_view text)
{
    T value{};
    const char* const end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end) {
        throw Error(fmt::format("has \"{}\" where a number belongs", text.substr(0, 40)));
    }
    return value;
}

/// Runs `read`; the errors it throws are told of the file.
template <class Read> auto about_file(const std::filesystem::path& path, Read read)
{
    try {
        return read();
    } catch (const Error& error) {
        throw Error(fmt::format("{}: {}", path.string(), error.what()));
    }
}

}  // namespace scree::io
