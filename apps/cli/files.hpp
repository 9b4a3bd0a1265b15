// Writing files so that a reader never sees a half-written one.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace scree::cli {

/// A file that appears under its name only when `commit` is called, and not at all if it is not,
/// also when the program is interrupted. Links are followed and the mode of a file that is replaced
/// is kept; devices and pipes are written to directly. Throws scree::Error if it cannot be created
/// and std::runtime_error if writing fails.
class NewFile {
public:
    explicit NewFile(const std::string& path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::string_view text);
    void commit();

private:
    [[noreturn]] void fail() const;

    std::string path_;       ///< with links resolved
    std::string temporary_;  ///< empty for devices and pipes
    std::FILE* file_ = nullptr;
};

/// Throws scree::Error if the file cannot be read, is a directory or does not exist.
void require_readable(const std::string& path);

/// Turns an SVG into a PNG. False if the converter is missing or failed.
bool convert_svg(const std::string& svg, const std::string& png);

}  // namespace scree::cli
