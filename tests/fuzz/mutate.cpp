#include "fuzz/mutate.hpp"

#include <cctype>
#include <sstream>
#include <utility>

namespace scree::fuzz {

namespace {

using test::Random;

constexpr const char* numbers[]{"0",
                                "-0.0",
                                "-1",
                                "1",
                                "2",
                                "3",
                                "0.5",
                                "nan",
                                "inf",
                                "-inf",
                                "1e308",
                                "-1e308",
                                "1e-308",
                                "5e-324",
                                "1e18",
                                "-1e18",
                                "1e15",
                                "1e9",
                                "1e8",
                                "1e7",
                                "1e6",
                                "1e5",
                                "1e4",
                                "1000",
                                "100",
                                "10",
                                "0.1",
                                "0.01",
                                "1e-3",
                                "1e-4",
                                "1e-6",
                                "1e-9",
                                "1e-12",
                                "1e-15",
                                "1e30",
                                "1e100",
                                "1e154",
                                "1e-154",
                                "-1e-6",
                                "255",
                                "256",
                                "65536",
                                "2147483648",
                                "4294967296",
                                "9223372036854775807",
                                "-9223372036854775808",
                                "99999999999999999999",
                                "0x7fffffffffffffff",
                                "1_000"};
constexpr const char* values[]{"true",
                               "\"\"",
                               "\"x\"",
                               "[]",
                               "{}",
                               "[1]",
                               "[1, 2, 3]",
                               "[1, 2]",
                               "[[1, 2], [3]]",
                               "{ a = 1 }",
                               "1979-05-27",
                               "07:32:00",
                               "[{}, {}]",
                               "\"1 m\"",
                               "\"1 kg\"",
                               "\"-1 s\"",
                               "[\"1 m\", 0, \"inf\"]",
                               "'''\nx\n'''"};
constexpr const char* units[]{"m",     "cm",   "mm",      "um",     "km",    "s",   "ms",  "us",
                              "h",     "kg",   "g",       "rad",    "deg",   "rpm", "Hz",  "m/s",
                              "m/s^2", "1/s",  "K",       "%",      "m^-99", "°C",  "mol", "bar",
                              "Gm",    "fm",   "kg/m^3",  "year",   "AU",    "()",  "m m", "1/m",
                              "@",     "m^99", "m^99999", "furlong"};

std::size_t at_random(Random& random, std::size_t n)
{
    return n == 0 ? 0 : static_cast<std::size_t>(random.bits() % n);
}
template <class List> const auto& one_of(const List& list, Random& random)
{
    return list[at_random(random, std::size(list))];
}

/// Where lines begin and end, without the line feed.
using Piece = std::pair<std::size_t, std::size_t>;
std::vector<Piece> lines_of(const std::string& text)
{
    std::vector<Piece> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.emplace_back(at, end);
        at = end + 1;
    }
    return lines;
}

/// Where numbers begin and end.
std::vector<Piece> numbers_of(const std::string& text)
{
    std::vector<Piece> found;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool starts =
            std::isdigit(static_cast<unsigned char>(text[at])) != 0 &&
            (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0);
        if (!starts) {
            continue;
        }
        std::size_t end = at;
        while (
            end < text.size() &&
            (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.' ||
             (text[end] == 'e' && end + 1 < text.size() &&
              (text[end + 1] == '-' || std::isdigit(static_cast<unsigned char>(text[end + 1])))) ||
             (text[end] == '-' && text[end - 1] == 'e'))) {
            ++end;
        }
        found.emplace_back(at > 0 && text[at - 1] == '-' ? at - 1 : at, end);
        at = end;
    }
    return found;
}

/// What stands in quotes, without them.
std::vector<Piece> words_of(const std::string& text)
{
    std::vector<Piece> found;
    for (std::size_t at = text.find('"'); at != std::string::npos;) {
        const std::size_t end = text.find('"', at + 1);
        if (end == std::string::npos) {
            break;
        }
        found.emplace_back(at + 1, end);
        at = text.find('"', end + 1);
    }
    return found;
}

std::string repeated(const std::string& part, std::size_t count)
{
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += part;
    }
    return all;
}

void replace(std::string& text, const Piece& piece, const std::string& by)
{
    text.replace(piece.first, piece.second - piece.first, by);
}

std::string nasty_number(const std::string& old, Random& random)
{
    if (random.chance(0.3)) {
        std::ostringstream out;
        out.precision(17);
        const double factor = random.chance(0.5) ? random.decades(-3, 3) : random.decades(-30, 30);
        out << std::strtod(old.c_str(), nullptr) * factor;
        return out.str();
    }
    return one_of(numbers, random);
}

}  // namespace

Mutator::Mutator(const std::vector<std::string>& pool)
{
    for (const std::string& text : pool) {
        for (const auto& [begin, end] : lines_of(text)) {
            const std::string line = text.substr(begin, end - begin);
            if (line.find('=') != std::string::npos || line.starts_with("[")) {
                lines_.push_back(line);
            }
        }
        for (const auto& [begin, end] : words_of(text)) {
            words_.push_back(text.substr(begin, end - begin));
        }
    }
}

std::string Mutator::broken(const std::string& text, Random& random) const
{
    std::string result = text;
    const std::size_t count = random.chance(0.6) ? 1 : 1 + at_random(random, 6);
    for (std::size_t i = 0; i < count; ++i) {
        change(result, random);
    }
    return result;
}

void Mutator::change(std::string& text, Random& random) const
{
    const std::vector<Piece> lines = lines_of(text);
    const std::vector<Piece> found = numbers_of(text);
    if (lines.empty()) {
        text = one_of(lines_, random) + "\n";
        return;
    }
    const Piece line = one_of(lines, random);
    const std::string content = text.substr(line.first, line.second - line.first);
    const std::size_t equals = content.find('=');
    const std::size_t kind = at_random(random, 40);
    if (kind < 18 && !found.empty()) {
        const Piece number = one_of(found, random);
        replace(text, number, nasty_number(text.substr(number.first, number.second), random));
    } else if (kind < 21) {
        if (const auto words = words_of(text); !words.empty()) {
            const Piece piece = one_of(words, random);
            replace(text, piece, one_of(words_, random));
        }
    } else if (kind < 23 && equals != std::string::npos) {
        replace(text, line, content.substr(0, equals + 1) + " " + one_of(values, random));
    } else if (kind < 26) {
        text.insert(line.first, one_of(lines_, random) + "\n");
    } else if (kind < 28 && !found.empty()) {
        const Piece number = one_of(found, random);
        std::string value = text.substr(number.first, number.second - number.first);
        value += ' ';
        value += one_of(units, random);
        const bool quoted = number.first > 0 && text[number.first - 1] == '"';
        const std::size_t end = quoted ? text.find('"', number.first) : number.second;
        replace(text, {number.first, std::min(end, text.size())},
                quoted ? value : "\"" + value + "\"");
    } else if (kind < 30) {
        text.erase(line.first, line.second - line.first + 1);
    } else if (kind < 32) {
        text.insert(line.first, content + "\n");
    } else if (kind < 33) {
        const std::string other_line = one_of(lines_, random);
        const std::size_t other = other_line.find('=');
        if (equals != std::string::npos && other != std::string::npos) {
            replace(text, line, other_line.substr(0, other) + content.substr(equals));
        }
    } else if (kind < 34) {
        // A whole table once more.
        const std::size_t from = text.find("[[", line.first);
        if (from != std::string::npos) {
            const std::size_t to = std::min(text.find("\n[", from + 2), text.size());
            const std::string block = "\n" + text.substr(from, to - from) + "\n";
            text += repeated(block, random.chance(0.05) ? 30 : 1);
        }
    } else if (kind < 36) {
        const std::size_t at = at_random(random, text.size());
        text[at] = static_cast<char>(text[at] ^ (1 << at_random(random, 8)));
    } else if (kind < 37) {
        const std::size_t depth = at_random(random, 2) == 0 ? 200 : 20000;
        switch (at_random(random, 5)) {
        case 0: text += "\nx = " + repeated("[", depth) + repeated("]", depth) + "\n"; break;
        case 1:
            text += "\nx = " + repeated("{a=", depth) + "1" + repeated("}", depth) + "\n";
            break;
        case 2: text += "\n[" + repeated("a.", depth) + "a]\n"; break;
        case 3: text += "\nexpect." + repeated("a.", depth) + "a = [0, 1]\n"; break;
        default: text += "\n" + repeated("[[body.a]]\n", depth / 10); break;
        }
    } else if (kind < 38) {
        const std::string word(std::size_t{1} << at_random(random, 20),
                               static_cast<char>(random.bits()));
        if (const auto words = words_of(text); !words.empty() && random.chance(0.5)) {
            replace(text, one_of(words, random), word);
        } else {
            text += "\n" + word + " = 1\n";
        }
    } else if (kind < 39) {
        text.resize(at_random(random, text.size()));
    } else {
        const std::size_t at = at_random(random, text.size());
        text.insert(at, 1, static_cast<char>(random.bits()));
    }
}

}  // namespace scree::fuzz
