// A .vtp file as its XML and the arrays behind it: one in the making, and one that is read back.
// Nothing in a file that is read is believed: the checksum is compared first, and then every count
// and offset is held against the file's size before it is used.
#pragma once

#include "io/stored_frame.hpp"
#include "io/vtp_format.hpp"
#include "io/xml.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::io::vtp {

/// Arrays are gathered in one buffer behind the XML that names them.
class NewDocument {
public:
    NewDocument(const Frame& frame, std::size_t bytes_expected);

    void xml(std::string_view text) { xml_ += text; }

    /// An array that belongs to the whole frame, before its piece begins.
    template <class Number, class T> void field(std::string_view name, const std::vector<T>& values)
    {
        open_array<Number, T>(name);
        xml_ += fmt::format(" NumberOfTuples=\"{}\"", values.size());
        append(std::as_bytes(std::span(values)));
    }

    /// An array of numbers that lie one behind the other in `values`.
    template <class Number, class T>
    void add(std::string_view name, std::span<const T> values, std::string_view components = "")
    {
        open_array<Number, T>(name);
        for (std::size_t i = 0; i < components.size(); ++i) {
            xml_ += fmt::format(" ComponentName{}=\"{}\"", i, components[i]);
        }
        append(std::as_bytes(values));
    }

    /// An array made by a function of the index.
    template <class Number, class Make>
    void make(std::string_view name, std::size_t count, Make value)
    {
        using T = decltype(value(std::size_t(0)));
        std::vector<T> values(count);
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = value(i);
        }
        add<Number>(name, std::span<const T>(values));
    }

    void write(const std::filesystem::path& path, std::string_view kind);

private:
    template <class Number, class T> void open_array(std::string_view name)
    {
        xml_ += fmt::format("        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"",
                            type_name<Number>(), name, component_count<Number, T>());
    }
    void append(std::span<const std::byte> values);

    std::string xml_, data_;
};

/// A file taken apart.
class StoredDocument {
public:
    /// `bytes` are the file's, or only its beginning if it is not `whole`.
    StoredDocument(std::string bytes, bool whole);
    StoredDocument(const StoredDocument&) = delete;
    StoredDocument& operator=(const StoredDocument&) = delete;

    void require_kind(std::string_view kind) const;
    /// That it is the piece of a frame which an index lists with this checksum.
    void require_checksum(std::string_view listed) const;

    [[nodiscard]] FrameStamp stamp() const { return stamp_of(tags_); }
    /// A count of the piece, of things that take at least a byte each.
    [[nodiscard]] std::size_t count(std::string_view key) const;
    /// The rows that an array of the whole frame has.
    [[nodiscard]] std::size_t rows(std::string_view name) const;

    /// An array of `count` rows of T, each made of Numbers.
    template <class Number, class T>
    [[nodiscard]] std::vector<T> column(std::string_view name, std::size_t count) const
    {
        const std::string_view bytes =
            array_bytes(name, type_name<Number>(), component_count<Number, T>(), count * sizeof(T));
        std::vector<T> values(count);
        if (count > 0) {
            std::memcpy(values.data(), bytes.data(), bytes.size());
        }
        return values;
    }

private:
    void require_unharmed(std::string_view rest) const;
    [[nodiscard]] const XmlTag& array(std::string_view name) const;
    /// Those of an array, if it is of this type and has so many.
    [[nodiscard]] std::string_view array_bytes(std::string_view name, std::string_view type,
                                               std::size_t components,
                                               std::size_t byte_count) const;

    std::string bytes_;
    std::string_view kind_, checksum_, data_;
    std::vector<XmlTag> tags_;
};

}  // namespace scree::io::vtp
