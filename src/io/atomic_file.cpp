// Files that appear whole or not at all: written under another name in the same folder, brought to
// the disk, then renamed. Signals that end the program remove what is unfinished, unless the
// program handles them itself: then it decides whether the file is finished.
#include "io/atomic_file.hpp"

#include "scree/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <system_error>

namespace scree::io {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

/// Names of temporary files in the making, for the signal handler; more than there are places for
/// are left behind by a signal. An empty name is a free place.
std::array<std::array<char, 4096>, 16> unfinished{};
constexpr std::size_t not_noted = unfinished.size();
std::mutex notes;
std::size_t noted = 0;
constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP};

extern "C" void remove_and_die(int signal)
{
    for (const auto& name : unfinished) {
        if (name[0] != '\0') {
            ::unlink(name.data());
        }
    }
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

/// Replaces a handler only where it is `from`.
void exchange_handlers(void (*from)(int), void (*to)(int))
{
    for (const int signal : ending_signals) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == from) {
            ::signal(signal, to);
        }
    }
}

std::size_t note(const std::string& path)
{
    const std::scoped_lock lock(notes);
    for (std::size_t i = 0; i < unfinished.size(); ++i) {
        auto& name = unfinished[i];
        if (name[0] == '\0' && path.size() < name.size()) {
            // The first letter last, so that a signal in between sees a free place.
            std::memcpy(&name[1], path.c_str() + 1, path.size());
            std::atomic_signal_fence(std::memory_order_seq_cst);
            name[0] = path[0];
            if (noted++ == 0) {
                exchange_handlers(SIG_DFL, remove_and_die);
            }
            return i;
        }
    }
    return not_noted;
}

void forget(std::size_t place)
{
    if (place == not_noted) {
        return;
    }
    const std::scoped_lock lock(notes);
    unfinished[place][0] = '\0';
    if (--noted == 0) {
        exchange_handlers(remove_and_die, SIG_DFL);
    }
}

/// A new file beside the one to come, whatever an earlier program of the same number left there.
std::FILE* create_beside(const std::string& path, std::string& temporary)
{
    static std::atomic<unsigned> count = 0;
    const fs::path folder = fs::path(path).parent_path();
    int descriptor = -1;
    do {
        temporary = (folder / fmt::format(".scree-{}-{}.tmp", ::getpid(), count++)).string();
        descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EEXIST);
    return descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
}

}  // namespace

NewFile::NewFile(const std::string& path) : path_(path), note_(not_noted)
{
    std::error_code error;
    if (const fs::path real = fs::weakly_canonical(path, error); !error) {
        path_ = real.string();
    }
    struct stat status {};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        throw Error(fmt::format("{}: is a directory", path));
    }
    if (exists && !S_ISREG(status.st_mode)) {
        file_ = std::fopen(path_.c_str(), "wb");
    } else {
        file_ = create_beside(path_, temporary_);
        if (file_ != nullptr && exists) {
            (void)!::fchmod(::fileno(file_), status.st_mode & 07777);
        }
    }
    if (file_ == nullptr) {
        throw Error(fmt::format("{}: cannot be written: {}", path, reason(errno)));
    }
    if (!temporary_.empty()) {
        note_ = note(temporary_);
    }
}

NewFile::~NewFile()
{
    if (file_ != nullptr) {
        std::fclose(file_);
        if (!temporary_.empty()) {
            std::remove(temporary_.c_str());
        }
    }
    forget(note_);
}

void NewFile::write(std::string_view text)
{
    if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
        error_ = errno;
    }
    require_success();
}

void NewFile::commit()
{
    const bool flushed = error_ == 0 && std::fflush(file_) == 0;
    if (!flushed || (!temporary_.empty() && !take_place())) {
        error_ = error_ == 0 ? errno : error_;
    }
    require_success();
    std::fclose(file_);
    file_ = nullptr;
}

/// Brings the content to the disk, then the name.
bool NewFile::take_place() const
{
    if (::fsync(::fileno(file_)) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
        return false;
    }
    // Some file systems have nothing to bring to the disk for a folder, and say so.
    const fs::path folder = fs::path(path_).parent_path();
    const int descriptor =
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)::fsync(descriptor);
        ::close(descriptor);
    }
    return true;
}

void NewFile::require_success() const
{
    if (error_ != 0) {
        throw std::runtime_error(fmt::format("{}: writing failed: {}", path_, reason(error_)));
    }
}

}  // namespace scree::io
