// PNG pictures: RGB with 8 bits per channel, compressed without loss by zlib. Also their base64
// form, so that an SVG can hold a raster image inside.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace scree::analyse {

/// The bytes of a PNG file. `rgb` holds 3 · width · height values, rows from the top, each pixel
/// red, green, blue. Throws Error if its size does not fit or a length is not 1 … 2³¹ − 1.
std::string encode_png(int width, int height, std::span<const std::uint8_t> rgb);

/// RFC 4648 base64 with padding.
std::string base64(std::string_view bytes);

}  // namespace scree::analyse
