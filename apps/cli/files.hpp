// Writing files so that a reader never sees a half-written one.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace scree::cli {

/// A file that appears under its name only when `commit` is called, and not at all if it is not.
/// Throws std::runtime_error with the system's reason if anything goes wrong.
class NewFile {
public:
    explicit NewFile(std::string path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::string_view text);
    void commit();

private:
    [[noreturn]] void fail(const char* what) const;

    std::string path_;
    std::string temporary_;
    std::FILE* file_;
};

/// Runs a program found on PATH with these arguments, without a shell. False if it is not there or
/// failed.
bool run_program(const std::string& program, const std::string& arguments_from,
                 const std::string& to);

}  // namespace scree::cli
