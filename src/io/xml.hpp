// As much XML as the files written here need: tags with their attributes and the text behind them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::io {

/// A start tag or an empty element; its name and text point into the document.
struct XmlTag {
    std::string_view name;
    std::vector<std::pair<std::string_view, std::string>> attributes;
    std::string_view text;  ///< up to the next tag

    /// The attribute's value. Throws Error if there is none.
    [[nodiscard]] const std::string& attribute(std::string_view key) const;
};

/// All start tags in order; end tags, comments and the declaration are left out. Throws Error where
/// a tag is malformed.
std::vector<XmlTag> xml_tags(std::string_view document);

/// Text as it stands between quotes: & < > and " written as entities.
std::string xml_escaped(std::string_view text);

}  // namespace scree::io
