// Text from files in messages: control characters shown as escapes, so that they neither hide nor
// disturb what follows.
#pragma once

#include <string>
#include <string_view>

namespace scree::scene {

/// Line feeds stay, other control characters become \\xNN.
inline std::string printable(std::string_view text)
{
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n') || byte == 0x7f) {
            out += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace scree::scene
