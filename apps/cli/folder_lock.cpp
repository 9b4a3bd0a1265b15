#include "folder_lock.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace scree::cli {

// The folder itself is locked, so that no file is left behind; the system forgets it with the
// process, however that ends.
FolderLock::FolderLock(const std::filesystem::path& dir)
    : file_(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(file_);
        throw Error(fmt::format("{}: another run is writing to it; wait until it has ended, or "
                                "choose another folder with --out",
                                dir.string()));
    }
}

FolderLock::~FolderLock()
{
    if (file_ >= 0) {
        ::close(file_);
    }
}

}  // namespace scree::cli
