// Tags of XML documents. Every step looks for a delimiter and complains if there is none, so that
// no text, however broken, leads outside it.
#include "io/xml.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace scree::io {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::array<std::pair<std::string_view, char>, 5> entities{
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};

std::string unescaped(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        const auto* const entity =
            std::find_if(entities.begin(), entities.end(),
                         [&](const auto& e) { return text.starts_with(e.first); });
        if (entity != entities.end()) {
            out += entity->second;
            text.remove_prefix(entity->first.size());
        } else {
            out += text.front();
            text.remove_prefix(1);
        }
    }
    return out;
}

/// Takes away and returns what comes before the first of `delimiters`, which stays.
std::string_view take_until(std::string_view& rest, std::string_view delimiters)
{
    const std::size_t end = rest.find_first_of(delimiters);
    if (end == std::string_view::npos) {
        throw Error("the XML ends within a tag");
    }
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end);
    return taken;
}

void skip_blanks(std::string_view& rest)
{
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
}

/// Reads a tag's name and attributes up to its closing bracket, which stays.
XmlTag read_tag(std::string_view& rest)
{
    XmlTag tag;
    tag.name = take_until(rest, " \t\r\n/>");
    for (skip_blanks(rest); !rest.empty() && rest.front() != '>'; skip_blanks(rest)) {
        if (rest.front() == '/') {
            rest.remove_prefix(1);
            continue;
        }
        const std::string_view key = take_until(rest, "=<>");
        if (!rest.starts_with("=\"")) {
            throw Error(fmt::format("a tag {} has an attribute without a value", tag.name));
        }
        rest.remove_prefix(2);
        tag.attributes.emplace_back(key, unescaped(take_until(rest, "\"")));
        rest.remove_prefix(1);
    }
    (void)take_until(rest, ">");
    return tag;
}

}  // namespace

const std::string& XmlTag::attribute(std::string_view key) const
{
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& a) { return a.first == key; });
    if (found == attributes.end()) {
        throw Error(fmt::format("a tag {} has no attribute {}", name, key));
    }
    return found->second;
}

std::vector<XmlTag> xml_tags(std::string_view document)
{
    std::vector<XmlTag> tags;
    std::string_view rest = document;
    for (;;) {
        const std::size_t open = rest.find('<');
        if (open == std::string_view::npos) {
            return tags;
        }
        rest.remove_prefix(open + 1);
        if (rest.starts_with('/') || rest.starts_with('!') || rest.starts_with('?')) {
            (void)take_until(rest, ">");
            continue;
        }
        tags.push_back(read_tag(rest));
        tags.back().text = rest.substr(1, rest.find('<') - 1);
    }
}

std::string xml_escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const auto* const entity = std::find_if(entities.begin(), entities.end(),
                                                [&](const auto& e) { return e.second == c; });
        out += entity != entities.end() ? std::string(entity->first) : std::string(1, c);
    }
    return out;
}

}  // namespace scree::io
