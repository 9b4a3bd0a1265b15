#include "files.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <spawn.h>
#include <stdexcept>
#include <system_error>

namespace scree::cli {

NewFile::NewFile(std::string path)
    : path_(std::move(path)), temporary_(fmt::format("{}.{}.tmp", path_, ::getpid())),
      file_(std::fopen(temporary_.c_str(), "wb"))
{
    if (file_ == nullptr) {
        fail("cannot be written");
    }
}

NewFile::~NewFile()
{
    if (file_ != nullptr) {
        std::fclose(file_);
        std::remove(temporary_.c_str());
    }
}

void NewFile::write(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
        fail("writing failed");
    }
}

void NewFile::commit()
{
    const bool flushed = std::fflush(file_) == 0 && ::fsync(::fileno(file_)) == 0;
    if (!flushed) {
        fail("writing failed");
    }
    std::fclose(file_);
    file_ = nullptr;
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
        const int reason = errno;
        std::remove(temporary_.c_str());
        errno = reason;
        fail("cannot be replaced");
    }
}

void NewFile::fail(const char* what) const
{
    throw std::runtime_error(
        fmt::format("{}: {}: {}", path_, what, std::generic_category().message(errno)));
}

bool run_program(const std::string& program, const std::string& from, const std::string& to)
{
    std::string words[] = {program, "--output", to, from};
    char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                         nullptr};
    pid_t child = 0;
    if (::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0) {
        return false;
    }
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace scree::cli
