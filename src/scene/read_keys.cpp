#include "scene/read_keys.hpp"

#include "math/vec.hpp"
#include "scene/describe.hpp"
#include "scene/text.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <set>

namespace scree::scene {

namespace {

/// Reads each key that is described into its place.
class Reading final : public Keys {
public:
    Reading(const toml::table& root, Diagnostics& diagnostics) : diagnostics_(diagnostics)
    {
        stack_.push_back(std::make_unique<TableReader>(root, "", diagnostics));
    }
    void done() { top().done(); }

    void number(const Key& key, double& value) override
    {
        require(key);
        value = top().number_or(std::string(key.name), std::string(key.unit), key.range, value);
    }
    void number(const Key& key, std::optional<double>& value) override
    {
        if (const auto x = top().number(std::string(key.name), std::string(key.unit), key.range)) {
            value = x;
        }
    }
    void integer(const Key& key, std::int64_t& value) override
    {
        require(key);
        const std::string name(key.name);
        if (const auto x = top().number(name, "1", key.range)) {
            if (*x != std::floor(*x)) {
                top().complain(name, fmt::format("{} is not a whole number", *x));
                return;
            }
            value = static_cast<std::int64_t>(*x);
        }
    }
    void vector(const Key& key, Vec3<double>& value) override
    {
        require(key);
        if (const auto v = vector_of(key)) {
            value = *v;
        }
    }
    void vector(const Key& key, std::optional<Vec3<double>>& value) override
    {
        if (const auto v = vector_of(key)) {
            value = v;
        }
    }
    void flag(const Key& key, bool& value) override
    {
        if (const toml::node* node = top().find(std::string(key.name))) {
            if (const auto x = node->value_exact<bool>()) {
                value = *x;
            } else {
                complain(key.name, "expected true or false");
            }
        }
    }
    void text(const Key& key, std::string& value) override
    {
        require(key);
        if (const auto x = top().text(std::string(key.name))) {
            value = *x;
            if (value.empty() && key.required) {
                complain(key.name, "must not be empty");
            }
        }
    }
    void texts(const Key& key, std::size_t count, std::vector<std::string>& value) override
    {
        require(key);
        const std::string name(key.name);
        const toml::node* node = top().find(name);
        if (node == nullptr) {
            value.resize(count, value.empty() ? "" : value.front());
            return;
        }
        if (const auto one = node->value_exact<std::string>()) {
            value.assign(count, *one);
            return;
        }
        const toml::array* list = node->as_array();
        std::vector<std::string> read;
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
            if (const auto item = (*list)[i].value_exact<std::string>()) {
                read.push_back(*item);
            }
        }
        if (list == nullptr || list->size() != count || read.size() != count) {
            complain(key.name, fmt::format("expected {} texts: [\"…\", \"…\"]", count));
            value.resize(count, value.empty() ? "" : value.front());
        } else {
            value = read;
        }
    }
    void rows(const Key& key, std::span<const std::string_view> units,
              std::vector<std::vector<double>>& value) override
    {
        require(key);
        const std::string name(key.name);
        const toml::node* node = top().find(name);
        if (node == nullptr) {
            return;
        }
        const toml::array* list = node->as_array();
        const auto wrong = [&](const toml::node& where) {
            diagnostics_.add(
                where.source(), full(key.name),
                fmt::format("expected rows of {} values: [[…, …], […, …]]", units.size()));
        };
        if (list == nullptr) {
            wrong(*node);
            return;
        }
        for (const toml::node& item : *list) {
            const toml::array* row = item.as_array();
            if (row == nullptr || row->size() != units.size()) {
                wrong(item);
                return;
            }
            std::vector<double> numbers;
            for (std::size_t i = 0; i < units.size(); ++i) {
                numbers.push_back(
                    top().element(name, (*row)[i], std::string(units[i]), key.range).value_or(0));
            }
            value.push_back(numbers);
        }
    }
    void ranges(const Key& key, std::vector<NamedRange>& value) override
    {
        const std::string name(key.name);
        const toml::node* node = top().find(name);
        if (node == nullptr) {
            return;
        }
        if (!node->is_table()) {
            complain(key.name, fmt::format("expected a table, written as [{}]", name));
            return;
        }
        collect(*node->as_table(), name, "", value);
    }
    bool begin_case(std::string_view, std::string_view, bool chosen) override { return chosen; }
    void end_case() override {}
    void complain(std::string_view key, const std::string& what) override
    {
        if (key.empty()) {
            top().complain(what);
        } else {
            top().complain(std::string(key), what);
        }
    }

private:
    TableReader& top() { return *stack_.back(); }
    std::string full(std::string_view key)
    {
        return top().path().empty() ? std::string(key) : top().path() + "." + std::string(key);
    }
    void require(const Key& key)
    {
        if (key.required && !top().has(std::string(key.name))) {
            top().complain(fmt::format("key \"{}\" is missing{}{}{}", key.name,
                                       key.unit == "1" ? "" : " [", key.unit == "1" ? "" : key.unit,
                                       key.unit == "1" ? "" : "]") +
                           (key.help.empty() ? "" : fmt::format(": {}", key.help)));
        }
    }
    std::optional<Vec3<double>> vector_of(const Key& key)
    {
        const std::string name(key.name);
        const toml::node* node = top().find(name);
        if (node == nullptr) {
            return std::nullopt;
        }
        const std::string unit(key.unit);
        if (key.uniform && !node->is_array()) {
            const auto x = top().element(name, *node, unit, key.range);
            return x ? std::optional(Vec3<double>{*x, *x, *x}) : std::nullopt;
        }
        const toml::array* list = top().array(name, 3);
        if (list == nullptr) {
            return std::nullopt;
        }
        double v[3]{};
        for (std::size_t i = 0; i < 3; ++i) {
            v[i] = top().element(name, (*list)[i], unit, key.range).value_or(0);
        }
        return Vec3<double>{v[0], v[1], v[2]};
    }
    /// Ranges of a table, whose names may be dotted or nested.
    void collect(const toml::table& table, const std::string& path, const std::string& prefix,
                 std::vector<NamedRange>& value)
    {
        for (const auto& [key, node] : table) {
            const std::string name = prefix + std::string(key.str());
            const std::string where = path + "." + std::string(key.str());
            if (const toml::table* nested = node.as_table()) {
                collect(*nested, where, name + ".", value);
                continue;
            }
            const toml::array* pair = node.as_array();
            if (pair == nullptr || pair->size() != 2) {
                diagnostics_.add(node.source(), where, "expected a range: [least, most]");
                continue;
            }
            const auto bound = [&](std::size_t i) {
                return (*pair)[i].value<double>().value_or(
                    std::numeric_limits<double>::quiet_NaN());
            };
            if (!(bound(0) <= bound(1))) {
                diagnostics_.add(node.source(), where,
                                 "expected two plain numbers in SI units, the smaller first");
                continue;
            }
            value.push_back({name, bound(0), bound(1)});
        }
    }

    void choose(const Key& key, std::span<const Choice> choices, int& value) override
    {
        require(key);
        const std::string name(key.name);
        const auto said = top().text(name);
        if (!said) {
            return;
        }
        std::set<std::string> names;
        for (const Choice& c : choices) {
            if (c.name == *said) {
                value = c.value;
                return;
            }
            names.emplace(c.name);
        }
        const auto close = nearest(*said, names);
        complain(key.name, fmt::format("\"{}\" is not one of: {}{}", *said, fmt::join(names, ", "),
                                       close ? fmt::format("; did you mean \"{}\"?", *close) : ""));
    }
    bool enter(const Key& key) override
    {
        require(key);
        auto inner = top().table(std::string(key.name));
        if (!inner) {
            return false;
        }
        stack_.push_back(std::make_unique<TableReader>(std::move(*inner)));
        return true;
    }
    std::size_t count_of(const Key& key) override
    {
        require(key);
        items_ = top().tables(std::string(key.name));
        return items_.size();
    }
    void enter_item(const Key& key, std::size_t item) override
    {
        // Asked for anew, since nested lists have been read in between.
        stack_.push_back(
            std::make_unique<TableReader>(std::move(top().tables(std::string(key.name))[item])));
    }
    void leave() override
    {
        top().done();
        stack_.pop_back();
    }
    Place here() const override { return place_of(stack_.back()->toml().source()); }

    Diagnostics& diagnostics_;
    std::vector<std::unique_ptr<TableReader>> stack_;
    std::vector<TableReader> items_;
};

}  // namespace

void read_keys(const toml::table& root, Scene& scene, Diagnostics& diagnostics)
{
    Reading reading(root, diagnostics);
    describe(reading, scene);
    reading.done();
}

}  // namespace scree::scene
