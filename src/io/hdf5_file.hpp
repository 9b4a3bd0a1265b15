// HDF5 files of columns, as far as checkpoints need them: written as a whole in memory, so that all
// bytes reach the disk by our own hands, and read column by column. Each column is a dataset under
// its name. Errors of the library are thrown, not printed.
#pragma once

#include "scree/checkpoint.hpp"

#include <hdf5.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::io {

/// While it lives the library prints no errors.
class QuietHdf5 {
public:
    QuietHdf5();
    ~QuietHdf5();
    QuietHdf5(const QuietHdf5&) = delete;
    QuietHdf5& operator=(const QuietHdf5&) = delete;

private:
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
};

/// Something of the library's that is closed in the end.
class Handle {
public:
    using Close = herr_t (*)(hid_t);
    /// Throws std::runtime_error that says what failed if `id` is none.
    Handle(hid_t id, Close close, std::string_view what);
    ~Handle();
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    operator hid_t() const { return id_; }  // NOLINT: it stands for the number

private:
    hid_t id_;
    Close close_;
};

/// A file in memory.
class Hdf5Image {
public:
    Hdf5Image();
    /// A dataset of the column's name in a group; integers are compressed.
    void put(const std::string& group, const Column& column);
    /// Attributes of the whole file.
    void note(const std::string& name, std::string_view text);
    void note(const std::string& name, std::uint64_t number);
    void note(const std::string& name, double number);
    /// All bytes; they live as long as this. Nothing may be put afterwards.
    [[nodiscard]] std::span<const std::byte> bytes();

private:
    void note(const std::string& name, hid_t type, const void* value);
    void make_groups(const std::string& name);

    QuietHdf5 quiet_;
    Handle access_;
    Handle file_;
};

/// A file on disk.
class Hdf5Reader {
public:
    explicit Hdf5Reader(const std::string& path);
    /// The column of that name in a group; none if there is none. Throws std::runtime_error if it
    /// cannot be read, or is something else than a column.
    [[nodiscard]] std::optional<Column> read(const std::string& group,
                                             const std::string& name) const;
    /// Names of all columns in a group and the groups below, sorted.
    [[nodiscard]] std::vector<std::string> names_in(const std::string& group) const;
    [[nodiscard]] std::optional<std::string> text_note(const std::string& name) const;
    [[nodiscard]] std::optional<std::uint64_t> number_note(const std::string& name) const;

private:
    [[nodiscard]] bool exists(const std::string& name) const;

    QuietHdf5 quiet_;
    Handle access_;
    Handle file_;
    hsize_t size_ = 0;
};

}  // namespace scree::io
