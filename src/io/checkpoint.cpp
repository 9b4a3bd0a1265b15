#include "io/checkpoint.hpp"

#include "io/input.hpp"
#include "io/new_file.hpp"
#include "math/hash.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace scree::io {

namespace {

constexpr std::string_view format_name = "scree checkpoint";
constexpr std::size_t trailer_size = 64;

/// An HDF5 handle that is closed when it goes out of scope.
class Handle {
public:
    Handle(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(id), close_(close)
    {
        if (id < 0) {
            throw Error(fmt::format("HDF5: {} failed", what));
        }
    }
    ~Handle()
    {
        if (id_ >= 0) {
            close_(id_);
        }
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle& operator=(Handle&&) = delete;
    operator hid_t() const { return id_; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

void require(herr_t status, const char* what)
{
    if (status < 0) {
        throw Error(fmt::format("HDF5: {} failed", what));
    }
}

/// HDF5 prints its errors by itself unless it is told not to.
class QuietHdf5 {
public:
    QuietHdf5()
    {
        H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
    QuietHdf5(const QuietHdf5&) = delete;
    QuietHdf5& operator=(const QuietHdf5&) = delete;

private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

hid_t type_of(ColumnType type)
{
    switch (type) {
    case ColumnType::u8: return H5T_STD_U8LE;
    case ColumnType::u16: return H5T_STD_U16LE;
    case ColumnType::u32: return H5T_STD_U32LE;
    case ColumnType::u64: return H5T_STD_U64LE;
    case ColumnType::f32: return H5T_IEEE_F32LE;
    case ColumnType::f64: return H5T_IEEE_F64LE;
    }
    throw Error("a column of an unknown type");
}

std::uint64_t digest_of(std::string_view bytes)
{
    math::Digest digest;
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        digest.add(word);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    digest.add(rest);
    digest.add(std::uint64_t(bytes.size()));
    return digest.value();
}

std::string trailer_of(std::string_view image)
{
    std::string trailer =
        fmt::format("{} 1 {:d} {:016x}", format_name, image.size(), digest_of(image));
    trailer.resize(trailer_size - 1, ' ');
    return trailer + "\n";
}

/// A file that lives in memory; with `image` it starts as a copy of that.
Handle memory_file_access(std::string_view image)
{
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access");
    require(H5Pset_fapl_core(access, std::size_t(1) << 22U, 0), "memory file");
    if (!image.empty()) {
        std::string copy(image);
        require(H5Pset_file_image(access, copy.data(), copy.size()), "file image");
    }
    return access;
}

void write_attribute(hid_t file, const char* name, hid_t type, const void* value)
{
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "attribute");
    const Handle attribute(H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                           "attribute");
    require(H5Awrite(attribute, type, value), "attribute");
}

void write_text_attribute(hid_t file, const char* name, std::string_view text)
{
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text");
    require(H5Tset_size(type, text.size() + 1), "text");
    write_attribute(file, name, type, std::string(text).c_str());
}

void write_column(hid_t file, const std::string& folder, const Column& column)
{
    const std::string name = folder + "/" + column.name;
    const std::array<hsize_t, 2> size{column.rows(), column.width};
    const Handle space(H5Screate_simple(column.width == 1 ? 1 : 2, size.data(), nullptr), H5Sclose,
                       name.c_str());
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "links");
    require(H5Pset_create_intermediate_group(links, 1), "links");
    const Handle set(H5Dcreate2(file, name.c_str(), type_of(column.type), space, links, H5P_DEFAULT,
                                H5P_DEFAULT),
                     H5Dclose, name.c_str());
    if (!column.bytes.empty()) {
        require(
            H5Dwrite(set, type_of(column.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, column.bytes.data()),
            name.c_str());
    }
}

/// The dataset of that path, or nothing if there is none.
std::optional<Column> read_column(hid_t file, const std::string& folder, std::string_view name)
{
    const std::string path = folder + "/" + std::string(name);
    // A link is looked for group by group: HDF5 complains if one on the way is missing.
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        if (H5Lexists(file, path.substr(0, at).c_str(), H5P_DEFAULT) <= 0) {
            return std::nullopt;
        }
    }
    if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) {
        return std::nullopt;
    }
    const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, path.c_str());
    const Handle space(H5Dget_space(set), H5Sclose, path.c_str());
    const Handle type(H5Dget_type(set), H5Tclose, path.c_str());
    std::array<hsize_t, 2> size{0, 1};
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space, size.data(), nullptr) < 0) {
        throw Error(fmt::format("{}: is no column", path));
    }
    Column column;
    column.name = name;
    column.width = size[1];
    bool known = false;
    for (int t = 0; t < column_type_count && !known; ++t) {
        column.type = static_cast<ColumnType>(t);
        known = H5Tequal(type, type_of(column.type)) > 0;
    }
    if (!known || column.width == 0) {
        throw Error(fmt::format("{}: holds numbers of an unknown type", path));
    }
    column.bytes.resize(size[0] * size[1] * size_of(column.type));
    if (!column.bytes.empty()) {
        require(
            H5Dread(set, type_of(column.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, column.bytes.data()),
            path.c_str());
    }
    return column;
}

std::vector<std::string> names_below(hid_t file, const char* folder)
{
    std::vector<std::string> names;
    if (H5Lexists(file, folder, H5P_DEFAULT) <= 0) {
        return names;
    }
    const Handle group(H5Gopen2(file, folder, H5P_DEFAULT), H5Gclose, folder);
    const auto visit = [](hid_t, const char* name, const H5O_info_t* about, void* out) -> herr_t {
        if (about->type == H5O_TYPE_DATASET) {
            static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        }
        return 0;
    };
    require(H5Ovisit2(group, H5_INDEX_NAME, H5_ITER_INC, visit, &names, H5O_INFO_BASIC), folder);
    return names;
}

template <class T> T read_attribute(hid_t file, const char* name, hid_t type)
{
    T value{};
    const Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose, name);
    require(H5Aread(attribute, type, &value), name);
    return value;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const World& world,
                      std::span<const Column> extras)
{
    const QuietHdf5 quiet;
    std::string image;
    {
        const Handle access = memory_file_access({});
        const Handle file(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose,
                          "file");
        write_text_attribute(file, "format", format_name);
        write_text_attribute(file, "program", "scree " SCREE_VERSION);
        const std::uint32_t version = checkpoint_version;
        write_attribute(file, "version", H5T_STD_U32LE, &version);
        const std::uint64_t hash = world.state_hash();
        write_attribute(file, "state_hash", H5T_STD_U64LE, &hash);
        const std::uint64_t step = world.steps();
        write_attribute(file, "step", H5T_STD_U64LE, &step);
        const double time = world.time();
        write_attribute(file, "time", H5T_IEEE_F64LE, &time);
        world.save([&](Column&& column) { write_column(file, "/world", column); });
        for (const Column& column : extras) {
            write_column(file, "/run", column);
        }
        require(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
        const ssize_t size = H5Fget_file_image(file, nullptr, 0);
        require(size > 0 ? 0 : -1, "file image");
        image.resize(static_cast<std::size_t>(size));
        require(H5Fget_file_image(file, image.data(), image.size()) > 0 ? 0 : -1, "file image");
    }
    NewFile out(path.string());
    out.write(image);
    out.write(trailer_of(image));
    out.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path)
{
    return about_file(path, [&] {
        const QuietHdf5 quiet;
        const std::string bytes = read_bytes(path);
        const std::string_view all(bytes);
        if (all.size() <= trailer_size || !all.starts_with("\x89HDF\r\n\x1a\n")) {
            throw Error("is no checkpoint: it is not an HDF5 file");
        }
        const std::string_view image = all.substr(0, all.size() - trailer_size);
        const std::string_view trailer = all.substr(image.size());
        if (!trailer.starts_with(format_name)) {
            throw Error("is truncated, or no checkpoint of scree");
        }
        if (trailer != trailer_of(image)) {
            throw Error("is damaged: its contents do not fit their digest");
        }
        const Handle access = memory_file_access(image);
        const Handle file(H5Fopen("checkpoint", H5F_ACC_RDONLY, access), H5Fclose, "opening");
        const auto version = read_attribute<std::uint32_t>(file, "version", H5T_NATIVE_UINT32);
        if (version != checkpoint_version) {
            throw Error(fmt::format("is of version {}; this program reads version {}", version,
                                    checkpoint_version));
        }
        std::optional<Column> column;  // lives until the next is asked for
        Checkpoint checkpoint{World::restore([&](std::string_view name) -> const Column* {
                                  column = read_column(file, "/world", name);
                                  return column ? &*column : nullptr;
                              }),
                              {}};
        const auto hash = read_attribute<std::uint64_t>(file, "state_hash", H5T_NATIVE_UINT64);
        if (checkpoint.world.state_hash() != hash) {
            throw Error("its world is not the one that was saved: the state hashes differ");
        }
        for (const std::string& name : names_below(file, "/run")) {
            if (auto extra = read_column(file, "/run", name)) {
                checkpoint.extras.push_back(std::move(*extra));
            }
        }
        return checkpoint;
    });
}

}  // namespace scree::io
