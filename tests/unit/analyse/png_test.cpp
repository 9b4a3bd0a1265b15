// PNG files hold the pixels they were made from, read back by a decoder written from the format's
// definition, with a checksum of its own.
#include "analyse/png.hpp"

#include "math/random.hpp"
#include "scree/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include <zlib.h>

namespace scree::analyse {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint32_t number_at(std::string_view s, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = value * 256 + static_cast<unsigned char>(s[at + i]);
    }
    return value;
}

/// The checksum of the format, bit by bit.
std::uint32_t checksum(std::string_view s)
{
    std::uint32_t c = 0xFFFFFFFFU;
    for (const char letter : s) {
        c ^= static_cast<unsigned char>(letter);
        for (int bit = 0; bit < 8; ++bit) {
            c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
        }
    }
    return ~c;
}

struct Picture {
    std::uint32_t width = 0, height = 0;
    Bytes rgb;
};

Bytes unfiltered(const Bytes& rows, std::size_t stride, std::size_t height)
{
    Bytes out(stride * height);
    const auto at = [&](std::size_t row, std::size_t i) { return out[row * stride + i]; };
    for (std::size_t row = 0; row < height; ++row) {
        const int filter = rows[row * (stride + 1)];
        for (std::size_t i = 0; i < stride; ++i) {
            const int a = i >= 3 ? at(row, i - 3) : 0;
            const int b = row > 0 ? at(row - 1, i) : 0;
            const int c = i >= 3 && row > 0 ? at(row - 1, i - 3) : 0;
            int guess = 0;
            if (filter == 1) {
                guess = a;
            } else if (filter == 2) {
                guess = b;
            } else if (filter == 3) {
                guess = (a + b) / 2;
            } else if (filter == 4) {
                const int p = a + b - c;
                guess = c;
                if (std::abs(p - a) <= std::abs(p - b) && std::abs(p - a) <= std::abs(p - c)) {
                    guess = a;
                } else if (std::abs(p - b) <= std::abs(p - c)) {
                    guess = b;
                }
            } else {
                EXPECT_EQ(filter, 0);
            }
            out[row * stride + i] =
                static_cast<std::uint8_t>(rows[row * (stride + 1) + 1 + i] + guess);
        }
    }
    return out;
}

Picture decoded(std::string_view png)
{
    Picture picture;
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    std::string data;
    std::vector<std::string> types;
    for (std::size_t at = 8; at < png.size();) {
        const std::uint32_t size = number_at(png, at);
        const std::string_view body = png.substr(at + 4, 4 + size);
        EXPECT_EQ(number_at(png, at + 8 + size), checksum(body));
        types.emplace_back(body.substr(0, 4));
        if (types.back() == "IHDR") {
            picture.width = number_at(body, 4);
            picture.height = number_at(body, 8);
            EXPECT_EQ(body.substr(12), std::string_view("\x08\x02\0\0\0", 5));
        } else if (types.back() == "IDAT") {
            data += body.substr(4);
        }
        at += 12 + size;
    }
    EXPECT_EQ(types, (std::vector<std::string>{"IHDR", "IDAT", "IEND"}));
    const std::size_t stride = 3 * picture.width;
    Bytes rows((stride + 1) * picture.height);
    uLongf size = static_cast<uLongf>(rows.size());
    EXPECT_EQ(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(data.data()),
                         static_cast<uLong>(data.size())),
              Z_OK);
    EXPECT_EQ(size, rows.size());
    picture.rgb = unfiltered(rows, stride, picture.height);
    return picture;
}

TEST(Png, PixelsComeBack)
{
    const int sizes[][2] = {{1, 1}, {5, 3}, {64, 40}, {1, 100}, {257, 1}};
    for (const auto& [width, height] : sizes) {
        for (int kind = 0; kind < 4; ++kind) {
            Bytes rgb;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    for (int c = 0; c < 3; ++c) {
                        const int noise = static_cast<int>(
                            math::uniform(7, rgb.size(), static_cast<unsigned>(kind), 0, 256));
                        const int smooth = kind == 1   ? 3 * x + c
                                           : kind == 2 ? 5 * y
                                                       : 2 * x + 3 * y;
                        rgb.push_back(static_cast<std::uint8_t>(kind == 0 ? noise : smooth));
                    }
                }
            }
            const Picture back = decoded(encode_png(width, height, rgb));
            EXPECT_EQ(back.width, static_cast<std::uint32_t>(width));
            EXPECT_EQ(back.height, static_cast<std::uint32_t>(height));
            EXPECT_EQ(back.rgb, rgb) << width << " × " << height << " kind " << kind;
        }
    }
}

TEST(Png, SmoothPicturesBecomeSmall)
{
    Bytes rgb;
    for (int y = 0; y < 300; ++y) {
        for (int x = 0; x < 400; ++x) {
            rgb.insert(rgb.end(),
                       {static_cast<std::uint8_t>(x / 2), static_cast<std::uint8_t>(y / 2),
                        static_cast<std::uint8_t>((x + y) / 4)});
        }
    }
    EXPECT_LT(encode_png(400, 300, rgb).size(), rgb.size() / 50);
}

TEST(Png, BadSizesAreRefused)
{
    const Bytes rgb(12);
    EXPECT_NO_THROW(encode_png(2, 2, rgb));
    for (const auto& [width, height] :
         {std::pair{0, 2}, {2, 0}, {-2, -2}, {2, 3}, {3, 1}, {8, 0}}) {
        EXPECT_THROW(encode_png(width, height, rgb), Error) << width << " × " << height;
    }
    EXPECT_THROW(encode_png(2, 2, Bytes(13)), Error);
}

TEST(Png, HasBase64AsInTheStandard)
{
    // RFC 4648, section 10.
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace scree::analyse
