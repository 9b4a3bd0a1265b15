// The keys of a scene file, each named once. A table of the file is a struct with a function
// `describe(Keys&, Struct&)` that lists its keys with type, unit, range and a sentence of help.
// Visitors of that list read a file into the struct, write the reference page and the schema for
// editors; what they say can therefore not differ from what is read.
#pragma once

#include "scene/reader.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::scene {

struct Key {
    std::string_view name;
    std::string_view unit = "1";  ///< of numbers
    Range range = any_number;
    std::string_view help;
    bool required = false;
    bool uniform = false;  ///< a vector may be given as one number
};

/// A name in the file and the value it stands for.
struct Choice {
    std::string_view name;
    int value;
    std::string_view help = "";
};

class Keys {
public:
    Keys() = default;
    virtual ~Keys() = default;
    Keys(const Keys&) = delete;
    Keys& operator=(const Keys&) = delete;

    virtual void number(const Key& key, double& value) = 0;
    virtual void number(const Key& key, std::optional<double>& value) = 0;
    virtual void integer(const Key& key, std::int64_t& value) = 0;
    virtual void vector(const Key& key, Vec3<double>& value) = 0;
    virtual void vector(const Key& key, std::optional<Vec3<double>>& value) = 0;
    virtual void flag(const Key& key, bool& value) = 0;
    virtual void text(const Key& key, std::string& value) = 0;
    virtual void texts(const Key& key, std::size_t count, std::vector<std::string>& value) = 0;
    /// Rows of `width` numbers, each with its unit.
    virtual void rows(const Key& key, std::span<const std::string_view> units,
                      std::vector<std::vector<double>>& value) = 0;
    /// Keys chosen by the user, each with a range [least, most].
    virtual void ranges(const Key& key, std::vector<NamedRange>& value) = 0;

    template <class Enum> void choice(const Key& key, std::span<const Choice> choices, Enum& value)
    {
        int chosen = static_cast<int>(value);
        choose(key, choices, chosen);
        value = static_cast<Enum>(chosen);
    }
    /// Whether the keys that follow belong to the value that was chosen for `name`; visitors that
    /// list keys say yes to every one and note it. Ended by `end_case`.
    virtual bool begin_case(std::string_view name, std::string_view value, bool chosen) = 0;
    virtual void end_case() = 0;

    template <class T> void table(const Key& key, T& value)
    {
        if (enter(key)) {
            describe(*this, value);
            leave();
        }
    }
    template <class T> void table(const Key& key, std::optional<T>& value)
    {
        if (enter(key)) {
            value.emplace();
            describe(*this, *value);
            leave();
        }
    }
    template <class T> void tables(const Key& key, std::vector<T>& values)
    {
        const std::size_t n = count_of(key);
        for (std::size_t i = 0; i < n; ++i) {
            enter_item(key, i);
            values.emplace_back();
            values.back().place = here();
            describe(*this, values.back());
            leave();
        }
    }
    /// A complaint about a key of the table at hand ("" for the table itself).
    virtual void complain(std::string_view key, const std::string& what) = 0;

protected:
    virtual void choose(const Key& key, std::span<const Choice> choices, int& value) = 0;
    virtual bool enter(const Key& key) = 0;  ///< false: not there
    virtual std::size_t count_of(const Key& key) = 0;
    virtual void enter_item(const Key& key, std::size_t item) = 0;
    virtual void leave() = 0;
    virtual Place here() const = 0;
};

}  // namespace scree::scene
