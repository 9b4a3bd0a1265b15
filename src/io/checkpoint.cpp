#include "scree/io/checkpoint.hpp"

#include "io/atomic_file.hpp"
#include "io/hdf5_file.hpp"
#include "io/input.hpp"
#include "math/hash.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

namespace scree::io {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view format_name = "scree checkpoint";
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
constexpr std::size_t trailer_size = 64;
const std::string world_group = "world";
const std::string extras_group = "run";
const std::string shares_group = "shares";

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
void check_bytes(const fs::path& path)
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

/// What every file says of itself.
struct Notes {
    std::string program;
    std::uint64_t hash = 0;
    std::uint64_t step = 0;
    std::size_t shares = 0;  ///< 0 where the world is in the file
};

Notes notes_of(const Hdf5Reader& file)
{
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
    return {*program, *hash, file.number_note("step").value_or(0),
            file.number_note("shares").value_or(0)};
}

World world_of(const Hdf5Reader& file, const Notes& notes)
{
    std::optional<Column> column;
    World world = World::restore([&](std::string_view name) {
        column = file.read(world_group, std::string(name));
        return column ? &*column : nullptr;
    });
    if (world.state_hash() != notes.hash) {
        throw Error(fmt::format("does not give back the state that was saved (hash {:016x}, not "
                                "{:016x}): it was written by {}",
                                world.state_hash(), notes.hash, notes.program));
    }
    return world;
}

/// Runs `read`; whatever is wrong is told of the file.
template <class Read> auto about_checkpoint(const fs::path& path, const Read& read)
{
    return about_file(path, [&] {
        try {
            return read();
        } catch (const Error&) {
            throw;
        } catch (const std::runtime_error& error) {
            throw Error(error.what());
        }
    });
}

World read_share(const fs::path& path, std::uint64_t hash)
{
    return about_checkpoint(path, [&] {
        if (!fs::exists(path)) {
            throw Error("is missing: a checkpoint of several ranks is one file and a folder, which "
                        "go together");
        }
        check_bytes(path);
        const Hdf5Reader file(path.string());
        const Notes notes = notes_of(file);
        if (notes.hash != hash) {
            throw Error(fmt::format("is a share of another checkpoint: its state is {:016x}, and "
                                    "{:016x} belongs here",
                                    notes.hash, hash));
        }
        return world_of(file, notes);
    });
}

World joined_world(const fs::path& path, const Hdf5Reader& file, const Notes& notes, int rank,
                   int ranks)
{
    const std::optional<Column> column = file.read(shares_group, "state_hash");
    const std::vector<std::uint64_t> hashes =
        column ? values_of<std::uint64_t>(*column) : std::vector<std::uint64_t>{};
    if (hashes.size() != notes.shares || state_hash_of(hashes) != notes.hash) {
        throw Error("does not name the shares that it was made of");
    }
    return World::join_shares(
        hashes.size(),
        [&](std::size_t k) { return read_share(share_of(path, notes.step, k), hashes[k]); }, rank,
        ranks);
}

Checkpoint read(const fs::path& path, int rank, int ranks)
{
    check_bytes(path);
    const Hdf5Reader file(path.string());
    const Notes notes = notes_of(file);
    if (file.read(world_group, "ranks/elsewhere")) {
        throw Error("is one rank's share of a checkpoint, not the checkpoint itself");
    }
    std::vector<Column> extras;
    for (const std::string& name : file.names_in(extras_group)) {
        extras.push_back(file.read(extras_group, name).value());
    }
    return {notes.shares > 0 ? joined_world(path, file, notes, rank, ranks) : world_of(file, notes),
            std::move(extras), notes.program};
}

void note_all(Hdf5Image& image, std::uint64_t hash, std::uint64_t step, double time)
{
    image.note("format", format_name);
    image.note("version", std::uint64_t(checkpoint_version));
    image.note("program", "scree " SCREE_VERSION);
    image.note("state_hash", hash);
    image.note("step", step);
    image.note("time", time);
}

void write_image(Hdf5Image& image, const fs::path& path)
{
    const std::span<const std::byte> bytes = image.bytes();
    math::Digest digest;
    digest.add(bytes);
    NewFile file(path.string());
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    file.write(trailer_of(digest.value(), bytes.size()));
    file.commit();
}

void put_world(Hdf5Image& image, SavedWorld& world)
{
    for (Column& column : world.columns) {
        image.put(world_group, column);
        column.bytes = {};
    }
}

/// Removes shares of earlier steps, and those of this step that are too many: they are of a run
/// that was cut off. Others may be on their way to the next checkpoint.
void remove_old_shares(const fs::path& checkpoint, std::uint64_t step, std::size_t count)
{
    const fs::path folder = shares_of(checkpoint);
    std::error_code error;
    std::vector<fs::path> old;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        unsigned long long of = 0, rank = 0;
        const std::string name = entry.path().filename().string();
        if (std::sscanf(name.c_str(), "%llu-%llu.h5", &of, &rank) == 2 &&
            entry.path() == share_of(checkpoint, of, rank) &&
            (of < step || (of == step && rank >= count))) {
            old.push_back(entry.path());
        }
    }
    for (const fs::path& share : old) {
        fs::remove(share, error);
    }
    fs::remove(folder, error);  // if it is empty
}
}  // namespace

SavedWorld save(const World& world)
{
    SavedWorld saved{{}, world.steps(), world.time()};
    world.save([&](Column&& column) { saved.columns.push_back(std::move(column)); });
    return saved;
}

void write_checkpoint(const fs::path& path, const World& world, std::span<const Column> extras)
{
    write_checkpoint(path, save(world), extras);
}

void write_checkpoint(const fs::path& path, SavedWorld world, std::span<const Column> extras)
{
    check_names(extras);
    Hdf5Image image;
    note_all(image, state_hash_of(world.columns), world.step, world.time);
    put_world(image, world);
    for (const Column& column : extras) {
        image.put(extras_group, column);
    }
    write_image(image, path);
    remove_old_shares(path, world.step, 0);
}

fs::path shares_of(fs::path checkpoint) { return checkpoint.replace_extension(".ranks"); }

fs::path share_of(const fs::path& checkpoint, std::uint64_t step, std::size_t rank)
{
    return shares_of(checkpoint) / fmt::format("{:012}-{}.h5", step, rank);
}

void write_share(const fs::path& checkpoint, std::size_t rank, SavedWorld share, std::uint64_t hash)
{
    std::error_code error;
    fs::create_directories(shares_of(checkpoint), error);  // or the file tells
    Hdf5Image image;
    note_all(image, hash, share.step, share.time);
    put_world(image, share);
    write_image(image, share_of(checkpoint, share.step, rank));
}

void write_checkpoint_of_shares(const fs::path& checkpoint, std::uint64_t step, double time,
                                std::span<const std::uint64_t> hashes,
                                std::span<const Column> extras)
{
    check_names(extras);
    Hdf5Image image;
    note_all(image, state_hash_of(hashes), step, time);
    image.note("shares", std::uint64_t(hashes.size()));
    image.put(shares_group, column_of<std::uint64_t>("state_hash", hashes, 1));
    for (const Column& column : extras) {
        image.put(extras_group, column);
    }
    write_image(image, checkpoint);
    remove_old_shares(checkpoint, step, hashes.size());
}

namespace {

/// Of a file that may be none of ours.
Notes notes_at(const fs::path& checkpoint)
{
    try {
        return notes_of(Hdf5Reader(checkpoint.string()));
    } catch (const std::runtime_error&) {
        return {};
    }
}

}  // namespace

std::size_t share_count(const fs::path& checkpoint) { return notes_at(checkpoint).shares; }

std::uintmax_t checkpoint_bytes(const fs::path& checkpoint)
{
    const Notes notes = notes_at(checkpoint);
    std::uintmax_t sum = fs::file_size(checkpoint);
    for (std::size_t k = 0; k < notes.shares; ++k) {
        std::error_code missing;
        const std::uintmax_t bytes = fs::file_size(share_of(checkpoint, notes.step, k), missing);
        sum += missing ? 0 : bytes;
    }
    return sum;
}

Checkpoint read_checkpoint(const fs::path& path, int rank, int ranks)
{
    return about_checkpoint(path, [&] { return read(path, rank, ranks); });
}

}  // namespace scree::io
