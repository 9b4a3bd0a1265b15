// The program as a user runs it.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace scree::test {

struct Ran {
    int status;
    std::string out;  ///< standard output and error together
};

inline Ran output_of(const std::string& command)
{
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string out;
    std::array<char, 4096> buffer;
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        out.append(buffer.data(), n);
    }
    return {WEXITSTATUS(::pclose(pipe)), out};
}

inline Ran scree(const std::string& arguments, const std::string& redirect = "2>&1")
{
    return output_of(std::string(SCREE_PROGRAM) + " " + arguments + " " + redirect);
}

/// The same program with the emulation of a GPU.
inline Ran emulating_scree(const std::string& arguments)
{
    return output_of(std::string(SCREE_EMULATING_PROGRAM) + " " + arguments + " 2>&1");
}

}  // namespace scree::test
