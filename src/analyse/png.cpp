// The encoder declared in png.hpp. Each row is stored as differences to its neighbours by the one
// of PNG's filters that leaves the smallest sum of absolute differences, which compresses best.
#include "scree/analyse/png.hpp"

#include "scree/error.hpp"

#include <array>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

namespace scree::analyse {

namespace {

using Byte = std::uint8_t;
constexpr std::size_t channels = 3;
constexpr std::size_t filters = 5;

void append_number(std::string& out, std::uint32_t value)
{
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        out += static_cast<char>((value >> shift) & 0xFFU);
    }
}

/// Length, type, data, and the checksum of type and data.
void append_chunk(std::string& out, std::string_view type, std::string_view data)
{
    append_number(out, static_cast<std::uint32_t>(data.size()));
    const std::size_t begin = out.size();
    out += type;
    out += data;
    append_number(out,
                  static_cast<std::uint32_t>(crc32_z(
                      0, reinterpret_cast<const Bytef*>(out.data() + begin), out.size() - begin)));
}

/// Of left, up and upper left, the one nearest to left + up − upper left.
int paeth(int left, int up, int corner)
{
    const int to_left = std::abs(up - corner);
    const int to_up = std::abs(left - corner);
    const int to_corner = std::abs(left + up - 2 * corner);
    return to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner;
}

/// What a filter predicts for a byte from its neighbours.
int prediction(std::size_t filter, int left, int up, int corner)
{
    switch (filter) {
    case 0: return 0;
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) / 2;
    default: return paeth(left, up, corner);
    }
}

/// The filter's number and the filtered row, by the filter that fits best.
void append_row(std::vector<Byte>& out, std::span<const Byte> row, std::span<const Byte> above)
{
    std::array<std::vector<Byte>, filters> trial;
    std::size_t best = 0;
    std::array<std::uint64_t, filters> cost{};
    for (std::size_t f = 0; f < filters; ++f) {
        trial[f].reserve(row.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            const int left = i < channels ? 0 : row[i - channels];
            const int up = above.empty() ? 0 : above[i];
            const int corner = i < channels || above.empty() ? 0 : above[i - channels];
            const auto byte = static_cast<Byte>(row[i] - prediction(f, left, up, corner));
            trial[f].push_back(byte);
            cost[f] += byte < 128U ? byte : 256U - byte;
        }
        best = cost[f] < cost[best] ? f : best;
    }
    out.push_back(static_cast<Byte>(best));
    out.insert(out.end(), trial[best].begin(), trial[best].end());
}

std::string compressed(const std::vector<Byte>& bytes)
{
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size, bytes.data(),
                                 static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
    if (result != Z_OK) {
        throw Error(fmt::format("encode_png: zlib gave error {}; free some memory", result));
    }
    out.resize(size);
    return out;
}

}  // namespace

std::string encode_png(int width, int height, std::span<const std::uint8_t> rgb)
{
    if (width < 1 || height < 1 ||
        rgb.size() / channels / static_cast<std::size_t>(width) !=
            static_cast<std::size_t>(height) ||
        rgb.size() % (channels * static_cast<std::size_t>(width)) != 0) {
        throw Error(fmt::format("encode_png: {} × {} pixels with {} values; lengths must be "
                                "positive, with 3 values for each pixel",
                                width, height, rgb.size()));
    }
    const std::size_t stride = channels * static_cast<std::size_t>(width);
    std::vector<Byte> rows;
    rows.reserve(rgb.size() + static_cast<std::size_t>(height));
    for (std::size_t at = 0; at < rgb.size(); at += stride) {
        append_row(rows, rgb.subspan(at, stride),
                   at == 0 ? std::span<const Byte>{} : rgb.subspan(at - stride, stride));
    }
    std::string header;
    append_number(header, static_cast<std::uint32_t>(width));
    append_number(header, static_cast<std::uint32_t>(height));
    header += std::string_view("\x08\x02\0\0\0", 5);  // 8 bits, RGB, not interlaced
    std::string out("\x89PNG\r\n\x1a\n");
    append_chunk(out, "IHDR", header);
    append_chunk(out, "IDAT", compressed(rows));
    append_chunk(out, "IEND", {});
    return out;
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            bits = (bits << 8U) |
                   (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            const std::uint32_t letter = (bits >> (18U - 6U * k)) & 63U;
            out += i + k <= bytes.size() ? letters[letter] : '=';
        }
    }
    return out;
}

}  // namespace scree::analyse
