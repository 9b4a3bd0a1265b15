#include "io/checkpoint.hpp"

#include "io/hdf5_file.hpp"
#include "io/input.hpp"
#include "io/new_file.hpp"
#include "math/hash.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace scree::io {

namespace {

constexpr std::string_view format_name = "scree checkpoint";
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
constexpr std::size_t trailer_size = 64;
const std::string world_group = "world";
const std::string extras_group = "run";

/// What stands behind HDF5's part and vouches for it.
std::string trailer_of(std::uint64_t digest, std::uintmax_t size)
{
    std::string trailer = fmt::format("{} {} {:016x}", format_name, size, digest);
    trailer.resize(trailer_size - 1, ' ');
    return trailer + "\n";
}

bool is_good_name(const std::string& name)
{
    const auto good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    };
    // Words are not empty, and neither "." nor "..".
    std::size_t dots = 0;
    std::size_t letters = 0;
    for (const char c : name + "/") {
        if (c == '/') {
            if (letters == 0 || (dots == letters && dots <= 2)) {
                return false;
            }
            dots = letters = 0;
        } else if (good(c)) {
            ++letters;
            dots += c == '.' ? 1 : 0;
        } else {
            return false;
        }
    }
    return true;
}

void check_names(std::span<const Column> extras)
{
    std::set<std::string> names;
    for (const Column& column : extras) {
        if (!is_good_name(column.name)) {
            throw Error(fmt::format("column \"{}\": a name is words of letters, digits, '_', '-' "
                                    "and '.', separated by '/'",
                                    column.name));
        }
        if (!names.insert(column.name).second) {
            throw Error(fmt::format("column {}: there are two of that name", column.name));
        }
    }
}

/// Throws unless the file is as it was written; HDF5 sees nothing else.
void check_bytes(const std::filesystem::path& path)
{
    if (!read_bytes(path, hdf5_signature.size()).starts_with(hdf5_signature)) {
        throw Error("is no checkpoint: it is not an HDF5 file");
    }
    const std::uintmax_t all = std::filesystem::file_size(path);
    std::ifstream in(path, std::ios::binary);
    math::Digest digest;
    std::string piece;
    const auto take = [&](std::uintmax_t count) {
        piece.resize(count);
        if (!in.read(piece.data(), static_cast<std::streamsize>(count))) {
            throw Error(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
        }
    };
    const std::uintmax_t size = all < trailer_size ? 0 : all - trailer_size;
    for (std::uintmax_t left = size; left > 0; left -= piece.size()) {
        take(std::min<std::uintmax_t>(left, 1U << 20U));
        digest.add(std::as_bytes(std::span(piece)));
    }
    take(all - size);
    if (!piece.starts_with(format_name)) {
        throw Error("is truncated, or an HDF5 file that is no checkpoint of scree");
    }
    if (piece != trailer_of(digest.value(), size)) {
        throw Error("is damaged: its contents do not fit their digest; take an earlier checkpoint");
    }
}

Checkpoint read(const std::filesystem::path& path)
{
    check_bytes(path);
    const Hdf5Reader file(path.string());
    const std::optional<std::string> format = file.text_note("format");
    const std::optional<std::uint64_t> version = file.number_note("version");
    const std::optional<std::string> program = file.text_note("program");
    const std::optional<std::uint64_t> hash = file.number_note("state_hash");
    if (format != format_name || !version || !program || !hash) {
        throw Error("is no checkpoint of scree: format, version, program or state_hash is missing");
    }
    if (*version != checkpoint_version) {
        throw Error(fmt::format("is of version {}, written by {}; this program reads version {}",
                                *version, *program, checkpoint_version));
    }
    std::optional<Column> column;
    World world = World::restore([&](std::string_view name) {
        column = file.read(world_group, std::string(name));
        return column ? &*column : nullptr;
    });
    if (world.state_hash() != *hash) {
        throw Error(fmt::format("does not give back the state that was saved (hash {:016x}, not "
                                "{:016x}): it was written by {}",
                                world.state_hash(), *hash, *program));
    }
    std::vector<Column> extras;
    for (const std::string& name : file.names_in(extras_group)) {
        extras.push_back(file.read(extras_group, name).value());
    }
    return {std::move(world), std::move(extras), *program};
}

}  // namespace

SavedWorld save(const World& world)
{
    SavedWorld saved{{}, world.steps(), world.time()};
    world.save([&](Column&& column) { saved.columns.push_back(std::move(column)); });
    return saved;
}

void write_checkpoint(const std::filesystem::path& path, const World& world,
                      std::span<const Column> extras)
{
    write_checkpoint(path, save(world), extras);
}

void write_checkpoint(const std::filesystem::path& path, SavedWorld world,
                      std::span<const Column> extras)
{
    check_names(extras);
    Hdf5Image image;
    image.note("format", format_name);
    image.note("version", std::uint64_t(checkpoint_version));
    image.note("program", "scree " SCREE_VERSION);
    image.note("state_hash", state_hash_of(world.columns));
    image.note("step", world.step);
    image.note("time", world.time);
    for (Column& column : world.columns) {
        image.put(world_group, column);
        column.bytes = {};
    }
    for (const Column& column : extras) {
        image.put(extras_group, column);
    }
    const std::span<const std::byte> bytes = image.bytes();
    math::Digest digest;
    digest.add(bytes);
    NewFile file(path.string());
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    file.write(trailer_of(digest.value(), bytes.size()));
    file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path)
{
    return about_file(path, [&] {
        try {
            return read(path);
        } catch (const Error&) {
            throw;
        } catch (const std::runtime_error& error) {
            throw Error(error.what());
        }
    });
}

}  // namespace scree::io
