// Writing files so that a reader never sees a half-written one.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace scree::io {

/// A file that appears under its name only when `commit` is called, and not at all if it is not,
/// also when the program is interrupted. Links are followed and the mode of a file that is replaced
/// is kept; devices and pipes are written to directly. Throws scree::Error if it cannot be created
/// and std::runtime_error if writing fails, as on a full disk.
class NewFile {
public:
    explicit NewFile(const std::string& path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::string_view text);
    void commit();

private:
    [[nodiscard]] bool take_place() const;
    void require_success() const;

    std::string path_;       ///< with links resolved
    std::string temporary_;  ///< empty for devices and pipes
    std::FILE* file_ = nullptr;
    int error_ = 0;         ///< of the first write that failed
    std::size_t note_ = 0;  ///< where the temporary file is noted for signals
};

}  // namespace scree::io
