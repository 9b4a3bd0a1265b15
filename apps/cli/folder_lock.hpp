// One run at a time writes to a folder.
#pragma once

#include <filesystem>

namespace scree::cli {

class FolderLock {
public:
    /// Throws scree::Error if another process has the folder. Where the file system knows no locks,
    /// nothing is locked.
    explicit FolderLock(const std::filesystem::path& dir);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int file_ = -1;
};

}  // namespace scree::cli
