#include "io/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace scree::io {

namespace {

/// Columns of integers with fewer bytes are not worth compressing.
constexpr std::size_t least_compressed = 4096;
constexpr std::size_t chunk_bytes = 1 << 18;
/// Deflate makes at most this many bytes of one.
constexpr hsize_t most_inflated = 1040;

hid_t file_type(ColumnType type)
{
    const std::array<hid_t, column_type_count> types{H5T_STD_U8LE,  H5T_STD_U16LE,  H5T_STD_U32LE,
                                                     H5T_STD_U64LE, H5T_IEEE_F32LE, H5T_IEEE_F64LE};
    return types[static_cast<std::size_t>(type)];
}

/// The innermost complaint of the library's.
std::string last_complaint()
{
    std::string text = "no reason given";
    const auto take = [](unsigned, const H5E_error2_t* error, void* to) -> herr_t {
        if (error->desc != nullptr) {
            *static_cast<std::string*>(to) = error->desc;
        }
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take, &text);
    return text;
}

void require(herr_t status, std::string_view what)
{
    if (status < 0) {
        throw std::runtime_error(fmt::format("{} failed: {}", what, last_complaint()));
    }
}

/// A file that exists in memory alone, and grows by a megabyte at a time.
hid_t memory_access()
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0) {
        H5Pset_fapl_core(access, 1 << 20, 0);
        // The second format of the superblock: with checksums, and without a mark of being open.
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    }
    return access;
}

hid_t create_in_memory(hid_t access)
{
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "preparing an HDF5 file");
    H5Pset_obj_track_times(creation, 0);  // the same state gives the same bytes
    return H5Fcreate("scree-checkpoint-in-memory", H5F_ACC_TRUNC, creation, access);
}

/// Reading needs no locks, which some file systems do not have.
hid_t disk_access()
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0) {
        H5Pset_file_locking(access, 0, 1);
    }
    return access;
}

}  // namespace

QuietHdf5::QuietHdf5()
{
    // Everything is closed here; what a damaged file leaves open would only be complained of when
    // the program ends.
    static const herr_t no_last_words = H5dont_atexit();
    (void)no_last_words;
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
QuietHdf5::~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

Handle::Handle(hid_t id, Close close, std::string_view what) : id_(id), close_(close)
{
    if (id < 0) {
        throw std::runtime_error(fmt::format("{} failed: {}", what, last_complaint()));
    }
}
Handle::~Handle() { close_(id_); }

Hdf5Image::Hdf5Image()
    : access_(memory_access(), H5Pclose, "preparing an HDF5 file"),
      file_(create_in_memory(access_), H5Fclose, "making an HDF5 file")
{
}

void Hdf5Image::make_groups(const std::string& name)
{
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, name);
    H5Pset_obj_track_times(creation, 0);
    for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) {
        const std::string group = name.substr(0, at);
        if (H5Lexists(file_, group.c_str(), H5P_DEFAULT) <= 0) {
            const Handle made(H5Gcreate2(file_, group.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT),
                              H5Gclose, name);
        }
    }
}

void Hdf5Image::put(const std::string& group, const Column& column)
{
    const std::string name = group + "/" + column.name;
    const std::string what = "writing " + name;
    make_groups(name);
    const hsize_t rows = column.rows();
    const std::array<hsize_t, 2> shape{rows, column.width};
    const int rank = column.width == 1 ? 1 : 2;
    const Handle space(H5Screate_simple(rank, shape.data(), nullptr), H5Sclose, what);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
    H5Pset_obj_track_times(creation, 0);
    const bool integers = column.type < ColumnType::f32;
    if (integers && column.bytes.size() >= least_compressed) {
        const hsize_t row_bytes = column.width * size_of(column.type);
        const std::array<hsize_t, 2> chunk{std::clamp<hsize_t>(chunk_bytes / row_bytes, 1, rows),
                                           column.width};
        H5Pset_chunk(creation, rank, chunk.data());
        H5Pset_shuffle(creation);
        H5Pset_deflate(creation, 1);
    }
    const hid_t type = file_type(column.type);
    const Handle data(
        H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
        what);
    if (rows > 0) {
        require(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.bytes.data()), what);
    }
}

void Hdf5Image::note(const std::string& name, hid_t type, const void* value)
{
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
    const Handle attribute(H5Acreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose, name);
    require(H5Awrite(attribute, type, value), name);
}

void Hdf5Image::note(const std::string& name, std::string_view text)
{
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
    H5Tset_size(type, text.size());
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    note(name, type, text.data());
}

void Hdf5Image::note(const std::string& name, std::uint64_t number)
{
    note(name, H5T_STD_U64LE, &number);
}

void Hdf5Image::note(const std::string& name, double number)
{
    note(name, H5T_IEEE_F64LE, &number);
}

std::span<const std::byte> Hdf5Image::bytes()
{
    require(H5Fflush(file_, H5F_SCOPE_GLOBAL), "completing an HDF5 file");
    const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
    require(size < 0 ? -1 : 0, "completing an HDF5 file");
    void* memory = nullptr;
    require(H5Fget_vfd_handle(file_, access_, &memory), "completing an HDF5 file");
    return {*static_cast<const std::byte* const*>(memory), static_cast<std::size_t>(size)};
}

Hdf5Reader::Hdf5Reader(const std::string& path)
    : access_(disk_access(), H5Pclose, "preparing to read"),
      file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access_), H5Fclose, "opening as HDF5")
{
    require(H5Fget_filesize(file_, &size_), "asking for the size");
}

bool Hdf5Reader::exists(const std::string& name) const
{
    // Every group on the way is asked for by itself.
    for (std::size_t at = name.find('/');; at = name.find('/', at + 1)) {
        if (H5Lexists(file_, name.substr(0, at).c_str(), H5P_DEFAULT) <= 0) {
            return false;
        }
        if (at == std::string::npos) {
            return true;
        }
    }
}

std::optional<Column> Hdf5Reader::read(const std::string& group, const std::string& name) const
{
    const std::string path = group + "/" + name;
    if (!exists(path)) {
        return std::nullopt;
    }
    const std::string what = "reading " + path;
    const Handle data(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose, what);
    const Handle space(H5Dget_space(data), H5Sclose, what);
    const Handle type(H5Dget_type(data), H5Tclose, what);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank != 1 && rank != 2) {
        throw std::runtime_error(fmt::format("{} has {} dimensions, must be 1 or 2", path, rank));
    }
    std::array<hsize_t, 2> shape{0, 1};
    require(H5Sget_simple_extent_dims(space, shape.data(), nullptr), what);
    int kind = 0;
    while (kind < column_type_count && H5Tequal(type, file_type(ColumnType(kind))) <= 0) {
        ++kind;
    }
    if (kind == column_type_count) {
        throw std::runtime_error(fmt::format("{} holds numbers of another type", path));
    }
    Column column{name, ColumnType(kind), shape[1], {}};
    // Nothing is allocated that the file cannot fill.
    const hsize_t stored = std::min(H5Dget_storage_size(data), size_);
    const hsize_t room = most_inflated * stored / size_of(column.type);
    if (shape[1] == 0 || shape[0] > room / shape[1]) {
        throw std::runtime_error(
            fmt::format("{} claims {} × {} numbers in {} bytes", path, shape[0], shape[1], stored));
    }
    column.bytes.resize(shape[0] * shape[1] * size_of(column.type));
    if (!column.bytes.empty()) {
        require(H5Dread(data, file_type(column.type), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                        column.bytes.data()),
                what);
    }
    return column;
}

std::vector<std::string> Hdf5Reader::names_in(const std::string& group) const
{
    std::vector<std::string> names;
    if (!exists(group)) {
        return names;
    }
    const Handle place(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose, group);
    const auto take = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
        static_cast<std::vector<std::string>*>(to)->emplace_back(name);
        return 0;
    };
    require(H5Lvisit(place, H5_INDEX_NAME, H5_ITER_INC, take, &names), "listing " + group);
    std::erase_if(names, [&](const std::string& name) {
        const Handle object(H5Oopen(place, name.c_str(), H5P_DEFAULT), H5Oclose, name);
        return H5Iget_type(object) != H5I_DATASET;
    });
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<std::string> Hdf5Reader::text_note(const std::string& name) const
{
    if (H5Aexists(file_, name.c_str()) <= 0) {
        return std::nullopt;
    }
    const Handle attribute(H5Aopen(file_, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    const Handle type(H5Aget_type(attribute), H5Tclose, name);
    const std::size_t size = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || size > 4096 ||
        H5Aget_storage_size(attribute) != size) {
        return std::nullopt;
    }
    std::string text(size, '\0');
    require(H5Aread(attribute, type, text.data()), name);
    return text;
}

std::optional<std::uint64_t> Hdf5Reader::number_note(const std::string& name) const
{
    if (H5Aexists(file_, name.c_str()) <= 0) {
        return std::nullopt;
    }
    const Handle attribute(H5Aopen(file_, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    const Handle type(H5Aget_type(attribute), H5Tclose, name);
    std::uint64_t number = 0;
    if (H5Tequal(type, H5T_STD_U64LE) <= 0 || H5Aget_storage_size(attribute) != sizeof number) {
        return std::nullopt;
    }
    require(H5Aread(attribute, H5T_NATIVE_UINT64, &number), name);
    return number;
}

}  // namespace scree::io
