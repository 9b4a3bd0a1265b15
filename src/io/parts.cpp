#include "io/parts.hpp"

#include "io/input.hpp"
#include "io/new_file.hpp"
#include "math/hash.hpp"

#include <algorithm>
#include <cstdio>

namespace scree::io {

namespace {

namespace fs = std::filesystem;

/// What a part says of itself. Numbers begin at 1.
struct Head {
    std::uintmax_t number = 0, count = 0;
    std::uintmax_t begin = 0, size = 0;  ///< of the part's content in the whole
    std::uintmax_t whole = 0;            ///< size of the whole
    std::uint64_t digest = 0, whole_digest = 0;
};

std::string line_of(const Head& h)
{
    std::string line =
        fmt::format("scree part {} of {} bytes {} {} of {} digest {:016x} {:016x}", h.number,
                    h.count, h.begin, h.size, h.whole, h.digest, h.whole_digest);
    line.resize(part_head - 1, ' ');
    return line + "\n";
}

/// Hands out `size` bytes of a file piece by piece.
template <class Take>
void for_pieces(std::ifstream& in, const fs::path& path, std::uintmax_t size, const Take& take)
{
    std::string piece;
    for (std::uintmax_t left = size; left > 0; left -= piece.size()) {
        piece.resize(std::min<std::uintmax_t>(left, 1U << 20U));
        if (!in.read(piece.data(), static_cast<std::streamsize>(piece.size()))) {
            throw Error(fmt::format("{}: cannot be read: {}", path.string(),
                                    std::generic_category().message(errno)));
        }
        take(std::string_view(piece));
    }
}

std::uint64_t digest_of(const fs::path& path, std::uintmax_t begin, std::uintmax_t size)
{
    std::ifstream in(path, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(begin));
    math::Digest digest;
    for_pieces(in, path, size,
               [&](std::string_view piece) { digest.add(std::as_bytes(std::span(piece))); });
    return digest.value();
}

/// Throws unless the file begins like a part and is as long as that says.
Head head_of(const fs::path& path)
{
    return about_file(path, [&] {
        const std::string line = read_bytes(path, part_head);
        Head h;
        unsigned long long number = 0, count = 0, begin = 0, size = 0, whole = 0, digest = 0,
                           whole_digest = 0;
        if (std::sscanf(line.c_str(),
                        "scree part %llu of %llu bytes %llu %llu of %llu digest %llx %llx", &number,
                        &count, &begin, &size, &whole, &digest, &whole_digest) == 7) {
            h = {number, count, begin, size, whole, digest, whole_digest};
        }
        if (h.count == 0 || line != line_of(h) || h.count > most_parts || h.number == 0 ||
            h.number > h.count) {
            throw Error("is no part of a checkpoint that was split");
        }
        if (const std::uintmax_t have = fs::file_size(path); have != part_head + h.size) {
            throw Error(fmt::format("is {}: it has {} bytes, and {} when it was written",
                                    have < part_head + h.size ? "truncated" : "too long", have,
                                    part_head + h.size));
        }
        return h;
    });
}

/// A part, and the file it is in.
struct PartFile {
    Head head;
    fs::path file;
};
/// The parts of one file in order. Throws unless each is there once.
std::vector<PartFile> in_order(std::span<const fs::path> parts, const fs::path& path)
{
    const Head first = head_of(parts.front());
    std::vector<PartFile> all(first.count);
    for (const fs::path& part : parts) {
        const Head h = head_of(part);
        if (h.count != first.count || h.whole != first.whole ||
            h.whole_digest != first.whole_digest) {
            throw Error(fmt::format("{} and {}: are parts of different files, or of one that was "
                                    "split in different ways",
                                    parts.front().string(), part.string()));
        }
        PartFile& place = all[h.number - 1];
        if (!place.file.empty()) {
            throw Error(fmt::format("{} and {}: are both part {} of {}", place.file.string(),
                                    part.string(), h.number, h.count));
        }
        place = {h, part};
    }
    std::vector<std::size_t> missing;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (all[k].file.empty()) {
            missing.push_back(k + 1);
        }
    }
    if (!missing.empty()) {
        throw Error(fmt::format("{}: of its {} parts {} {} missing", path.string(), first.count,
                                fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are"));
    }
    return all;
}

}  // namespace

std::vector<fs::path> split_file(const fs::path& path, std::uintmax_t size, const fs::path& folder)
{
    if (size < least_part) {
        throw Error(fmt::format("parts of {} bytes are too small: at least {}", size, least_part));
    }
    about_file(path, [&] { return read_bytes(path, 0); });
    Head h;
    h.whole = fs::file_size(path);
    const std::uintmax_t content = (size - part_head) / 8 * 8;  // digests are of whole words
    h.count = std::max<std::uintmax_t>(1, (h.whole + content - 1) / content);
    if (h.count > most_parts) {
        throw Error(fmt::format("{}: would be {} parts of {} bytes, at most {} are allowed; choose "
                                "a larger size",
                                path.string(), h.count, size, most_parts));
    }
    h.whole_digest = digest_of(path, 0, h.whole);
    std::vector<fs::path> parts;
    std::ifstream in(path, std::ios::binary);
    for (h.number = 1; h.number <= h.count; ++h.number, h.begin += h.size) {
        h.size = std::min(content, h.whole - h.begin);
        h.digest = digest_of(path, h.begin, h.size);
        parts.push_back(
            folder / fmt::format("{}.part-{}-of-{}", path.filename().string(), h.number, h.count));
        NewFile file(parts.back().string());
        file.write(line_of(h));
        for_pieces(in, path, h.size, [&](std::string_view piece) { file.write(piece); });
        file.commit();
    }
    return parts;
}

std::string whole_name(const fs::path& part)
{
    const std::string name = part.filename().string();
    const std::size_t at = name.rfind(".part-");
    return at == std::string::npos ? std::string() : name.substr(0, at);
}

std::vector<fs::path> parts_in(const fs::path& folder, const std::string& name)
{
    std::vector<fs::path> parts;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (whole_name(entry.path()) == name) {
            parts.push_back(entry.path());
        }
    }
    std::sort(parts.begin(), parts.end());
    return parts;
}

void join_parts(std::span<const fs::path> parts, const fs::path& path)
{
    if (parts.empty()) {
        throw Error("there are no parts to join");
    }
    const std::vector<PartFile> all = in_order(parts, path);
    const Head& first = all.front().head;
    NewFile file(path.string());
    math::Digest whole;
    std::uintmax_t at = 0;
    for (const auto& [h, part] : all) {
        std::ifstream in(part, std::ios::binary);
        in.seekg(static_cast<std::streamoff>(part_head));
        math::Digest digest;
        for_pieces(in, part, h.size, [&](std::string_view piece) {
            digest.add(std::as_bytes(std::span(piece)));
            whole.add(std::as_bytes(std::span(piece)));
            file.write(piece);
        });
        if (digest.value() != h.digest || h.begin != at) {
            throw Error(fmt::format("{}: is damaged: its contents do not fit their digest; bring "
                                    "this part again",
                                    part.string()));
        }
        at += h.size;
    }
    if (at != first.whole || whole.value() != first.whole_digest) {
        throw Error(
            fmt::format("{}: the parts do not make the file that was split", path.string()));
    }
    file.commit();
}

}  // namespace scree::io
