// The reference page and the schema for editors, from the same list of keys that reads a scene.
#include "scene/reference.hpp"

#include "scene/describe.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace scree::scene {

namespace {

using Json = nlohmann::ordered_json;

std::string shown(double x)
{
    return std::isinf(x) ? (x > 0 ? "inf" : "-inf") : fmt::format("{:g}", x);
}
std::string shown(const Vec3<double>& v)
{
    return fmt::format("[{}, {}, {}]", shown(v.x), shown(v.y), shown(v.z));
}

std::string shown(const Range& r)
{
    const bool below = !std::isinf(r.least);
    const bool above = !std::isinf(r.most);
    std::string text;
    if (below && above) {
        text = fmt::format("{} {} … {}", r.open_at_least ? "above" : "", shown(r.least),
                           shown(r.most));
    } else if (below) {
        text = fmt::format("{} {}", r.open_at_least ? ">" : "≥", shown(r.least));
    } else if (above) {
        text = fmt::format("≤ {}", shown(r.most));
    }
    if (r.infinite) {
        text += text.empty() ? "may be inf" : ", or inf";
    }
    return text.starts_with(' ') ? text.substr(1) : text;
}

/// Visits every key there is, once.
class Listing : public Keys {
public:
    void number(const Key& key, double& value) override
    {
        leaf(key, "number", key.required ? "" : shown(value), number_schema(key));
    }
    void number(const Key& key, std::optional<double>&) override
    {
        leaf(key, "number", "", number_schema(key));
    }
    void integer(const Key& key, std::int64_t& value) override
    {
        Json schema{{"type", "integer"}};
        bounds(key.range, schema);
        leaf(key, "whole number", key.required ? "" : std::to_string(value), schema);
    }
    void vector(const Key& key, Vec3<double>& value) override
    {
        leaf(key, key.uniform ? "3 numbers or 1" : "3 numbers", key.required ? "" : shown(value),
             vector_schema(key));
    }
    void vector(const Key& key, std::optional<Vec3<double>>&) override
    {
        leaf(key, "3 numbers", "", vector_schema(key));
    }
    void flag(const Key& key, bool& value) override
    {
        leaf(key, "true or false", value ? "true" : "false", {{"type", "boolean"}});
    }
    void text(const Key& key, std::string&) override
    {
        leaf(key, "text", "", {{"type", "string"}});
    }
    void texts(const Key& key, std::size_t count, std::vector<std::string>& value) override
    {
        const Json one{{"type", "string"}};
        const Json list{
            {"type", "array"}, {"items", one}, {"minItems", count}, {"maxItems", count}};
        leaf(key, fmt::format("{} texts or 1", count),
             value.empty() || key.required ? "" : fmt::format("\"{}\"", fmt::join(value, "\", \"")),
             {{"anyOf", {one, list}}});
    }
    void rows(const Key& key, std::span<const std::string_view> units,
              std::vector<std::vector<double>>&) override
    {
        Json row{{"type", "array"}, {"minItems", units.size()}, {"maxItems", units.size()}};
        row["items"] = {{"type", {"number", "string"}}};
        Key shown_key = key;
        const std::string unit = fmt::format("{}", fmt::join(units, ", "));
        shown_key.unit = unit;
        leaf(shown_key, "rows of numbers", "", {{"type", "array"}, {"items", row}});
    }
    void ranges(const Key& key, std::vector<NamedRange>&) override
    {
        leaf(key, "table of ranges", "", {{"type", "object"}});
    }
    bool begin_case(std::string_view name, std::string_view value, bool) override
    {
        cases_.push_back(fmt::format("{} = \"{}\"", name, value));
        return true;
    }
    void end_case() override { cases_.pop_back(); }
    void complain(std::string_view, const std::string&) override {}

protected:
    /// One key; `schema` is what an editor needs to know.
    virtual void leaf(const Key& key, const std::string& type, const std::string& fallback,
                      Json schema) = 0;
    [[nodiscard]] std::string condition() const
    {
        return fmt::format("{}", fmt::join(cases_, ", "));
    }
    static void bounds(const Range& r, Json& schema)
    {
        if (!std::isinf(r.least)) {
            schema[r.open_at_least ? "exclusiveMinimum" : "minimum"] = r.least;
        }
        if (!std::isinf(r.most)) {
            schema["maximum"] = r.most;
        }
    }
    static Json number_schema(const Key& key)
    {
        Json plain{{"type", "number"}};
        bounds(key.range, plain);
        return {{"anyOf", {plain, Json{{"type", "string"}}}}};
    }
    static Json vector_schema(const Key& key)
    {
        const Json one = number_schema(key);
        Json list{{"type", "array"}, {"items", one}, {"minItems", 3}, {"maxItems", 3}};
        return key.uniform ? Json{{"anyOf", {one, list}}} : list;
    }
    void choose(const Key& key, std::span<const Choice> choices, int& value) override
    {
        std::vector<std::string> names;
        std::string fallback;
        std::string help(key.help);
        for (const Choice& c : choices) {
            names.emplace_back(c.name);
            fallback = c.value == value && !key.required ? fmt::format("\"{}\"", c.name) : fallback;
        }
        help += ": ";
        for (std::size_t i = 0; i < choices.size(); ++i) {
            help +=
                fmt::format("{}\"{}\"{}", i == 0 ? "" : ", ", choices[i].name,
                            choices[i].help.empty() ? "" : fmt::format(" ({})", choices[i].help));
        }
        Key full = key;
        full.help = help;
        leaf(full, "text", fallback, {{"enum", names}});
    }
    Place here() const override { return {}; }

private:
    std::vector<std::string> cases_;
};

/// Markdown, a section per table.
class Page final : public Listing {
public:
    std::string str() const { return text_; }
    void begin(const std::string& heading, std::string_view help)
    {
        text_ += fmt::format("\n## {}\n\n{}{}.\n\n", heading, char(std::toupper(help.front())),
                             help.substr(1));
        text_ += "| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n";
    }

protected:
    void leaf(const Key& key, const std::string& type, const std::string& fallback, Json) override
    {
        const std::string when = condition();
        text_ += fmt::format("| `{}{}` | {} | {} | {} | {} | {}{} |\n", path_, key.name, type,
                             key.unit == "1" ? "" : key.unit,
                             key.required ? "**required**" : fallback, shown(key.range), key.help,
                             when.empty() ? "" : fmt::format(" (if {})", when));
    }
    bool enter(const Key& key) override
    {
        open(key, false);
        return true;
    }
    std::size_t count_of(const Key&) override { return 1; }
    void enter_item(const Key& key, std::size_t) override { open(key, true); }
    void leave() override
    {
        paths_.pop_back();
        path_ = paths_.empty() ? "" : paths_.back();
    }

private:
    void open(const Key& key, bool list)
    {
        if (paths_.empty()) {
            begin(list ? fmt::format("[[{}]]", key.name) : fmt::format("[{}]", key.name), key.help);
            paths_.emplace_back();
            return;
        }
        leaf(key, list ? "list of tables" : "table", "", {});
        paths_.push_back(path_ + std::string(key.name) + (list ? "[]." : "."));
        path_ = paths_.back();
    }

    std::string text_, path_;
    std::vector<std::string> paths_;
};

/// JSON schema, draft 2020-12.
class Schema final : public Listing {
public:
    Schema() { stack_.push_back(object()); }
    Json take() { return stack_.front(); }

protected:
    void leaf(const Key& key, const std::string&, const std::string& fallback, Json schema) override
    {
        std::string help(key.help);
        if (key.unit != "1") {
            help += fmt::format(" [{}]", key.unit);
        }
        if (!fallback.empty()) {
            help += fmt::format("; default {}", fallback);
        }
        const std::string when = condition();
        if (!when.empty()) {
            help += fmt::format(" (if {})", when);
        }
        schema["description"] = help;
        Json& top = stack_.back();
        const std::string name(key.name);
        if (top["properties"].contains(name)) {
            // Another case of the same key: what either allows.
            top["properties"][name]["description"] =
                top["properties"][name]["description"].get<std::string>() + " | " + help;
            return;
        }
        top["properties"][name] = schema;
        if (key.required && when.empty()) {
            top["required"].push_back(name);
        }
    }
    bool enter(const Key& key) override
    {
        open(key, false);
        return true;
    }
    std::size_t count_of(const Key&) override { return 1; }
    void enter_item(const Key& key, std::size_t) override { open(key, true); }
    void leave() override
    {
        Json inner = stack_.back();
        stack_.pop_back();
        const Opened key = opened_.back();
        opened_.pop_back();
        Json schema = key.list ? Json{{"type", "array"}, {"items", inner}} : inner;
        schema["description"] = key.help;
        stack_.back()["properties"][key.name] = schema;
        if (key.required) {
            stack_.back()["required"].push_back(key.name);
        }
    }

private:
    struct Opened {
        std::string name, help;
        bool list, required;
    };
    static Json object()
    {
        return {
            {"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
    }
    void open(const Key& key, bool list)
    {
        opened_.push_back({std::string(key.name), std::string(key.help), list,
                           key.required && condition().empty()});
        stack_.push_back(object());
    }

    std::vector<Json> stack_;
    std::vector<Opened> opened_;
};

}  // namespace

std::string scene_reference()
{
    Page page;
    page.begin("Top of the file", "keys before the first table");
    Scene scene;
    describe(page, scene);
    return "# Scene files: every key\n\nMade by `scree reference`; do not edit. Numbers are SI, or "
           "texts with a unit such as \"0.94 mm\". [scenes.md](scenes.md) explains how the tables "
           "work together.\n" +
           page.str();
}

std::string scene_schema()
{
    Schema schema;
    Scene scene;
    describe(schema, scene);
    Json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
             {"title", "Scree scene"},
             {"description", "A scene of the granular matter engine Scree"}};
    out.update(schema.take());
    return out.dump(2) + "\n";
}

}  // namespace scree::scene
