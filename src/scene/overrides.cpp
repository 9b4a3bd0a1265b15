#include "scene/overrides.hpp"

#include "scene/printable.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

namespace scree::scene {

namespace {

/// The value of an override: TOML if it is, else a text ("10 us").
void assign(toml::table& table, const std::string& key, const std::string& value)
{
    try {
        toml::table parsed = toml::parse("value = " + value);
        table.insert_or_assign(key, *parsed.get("value"));
    } catch (const toml::parse_error&) {
        table.insert_or_assign(key, value);
    }
}

}  // namespace

void apply(toml::table& root, const Override& change)
{
    const auto fail = [&](const std::string& what) {
        throw Error(printable(fmt::format("--set {}={}: {}", change.key, change.value, what)));
    };
    std::vector<std::string> parts;
    std::istringstream in(change.key);
    for (std::string part; std::getline(in, part, '.');) {
        parts.push_back(part);
    }
    if (parts.empty() || parts.size() > 20) {
        fail("expected a key such as solver.sweeps or material.1.friction");
    }
    toml::table* table = &root;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        toml::node* node = table->get(parts[i]);
        if (node == nullptr) {
            table->insert(parts[i], toml::table{});
            node = table->get(parts[i]);
        }
        if (toml::table* inner = node->as_table()) {
            table = inner;
            continue;
        }
        toml::array* list = node->as_array();
        if (list == nullptr || !list->is_array_of_tables() || i + 2 >= parts.size()) {
            fail(fmt::format("\"{}\" is not a table", parts[i]));
        }
        const std::string& wanted = parts[++i];
        std::size_t at = 0;
        const auto end = std::from_chars(wanted.data(), wanted.data() + wanted.size(), at).ptr;
        table = nullptr;
        for (std::size_t n = 0; n < list->size(); ++n) {
            toml::table* item = (*list)[n].as_table();
            const auto name = (*item)["name"].value<std::string>();
            if ((end == wanted.data() + wanted.size() && at == n + 1) || name == wanted) {
                table = item;
            }
        }
        if (table == nullptr) {
            fail(fmt::format("there is no {} \"{}\"; count from 1 to {} or use its name",
                             parts[i - 1], wanted, list->size()));
        }
    }
    assign(*table, parts.back(), change.value);
}

Override parse_override(const std::string& text)
{
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0) {
        throw Error(
            printable(fmt::format("--set {}: expected KEY=VALUE, as in solver.sweeps=20", text)));
    }
    return {text.substr(0, at), text.substr(at + 1)};
}

}  // namespace scree::scene
