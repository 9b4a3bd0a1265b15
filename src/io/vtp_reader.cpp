// The reader of our own .vtp files. Nothing in a file is believed: the checksum is compared first,
// and then every count and offset is held against the file's size before it is used.
#include "scree/io/vtp_reader.hpp"

#include "io/input.hpp"
#include "io/vtp_format.hpp"
#include "io/xml.hpp"
#include "scree/error.hpp"
#include "scree/io/pvtp_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

namespace scree::io {
namespace {

namespace fs = std::filesystem;

/// A file taken apart into its XML and the bytes of its arrays.
class Document {
public:
    /// `bytes` are the file's, or only its beginning if it is not `whole`.
    Document(std::string bytes, bool whole) : bytes_(std::move(bytes))
    {
        std::string_view rest = bytes_;
        const auto [kind, checksum] = vtp::take_first_lines(rest);
        kind_ = kind;
        checksum_ = checksum;
        if (whole) {
            require_unharmed(rest);
        }
        const std::size_t end = rest.substr(0, vtp::longest_header).find(vtp::before_data);
        if (end == std::string_view::npos) {
            throw Error("is incomplete: its XML has no end");
        }
        tags_ = xml_tags(rest.substr(0, end));
        data_ = rest.substr(end + vtp::before_data.size());
    }
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    void require_kind(std::string_view kind) const
    {
        if (kind_ != kind) {
            throw Error(fmt::format("holds {}, not {}", kind_, kind));
        }
    }

    void require_checksum(std::string_view listed) const
    {
        if (checksum_ != listed) {
            throw Error(fmt::format("is a piece of another frame: its checksum is {}, and {} in "
                                    "the index",
                                    checksum_, listed));
        }
    }

    FrameStamp stamp() const { return vtp::stamp_of(tags_); }

    /// A count of the piece, of things that take at least a byte each.
    std::size_t count(std::string_view key) const
    {
        const auto value = number<std::uint64_t>(vtp::find_tag(tags_, "Piece").attribute(key));
        if (value > data_.size()) {
            throw Error(
                fmt::format("says {} = {}, but has only {} bytes", key, value, data_.size()));
        }
        return value;
    }

    /// An array of `count` rows of T, each made of Numbers.
    template <class Number, class T>
    std::vector<T> column(std::string_view name, std::size_t count) const
    {
        const XmlTag& found = array(name);
        constexpr std::size_t components = vtp::component_count<Number, T>();
        if (found.attribute("type") != vtp::type_name<Number>() ||
            found.attribute("NumberOfComponents") != std::to_string(components)) {
            throw Error(fmt::format("has an array {} of {} × {}; expected {} × {}", name,
                                    found.attribute("NumberOfComponents"), found.attribute("type"),
                                    components, vtp::type_name<Number>()));
        }
        const auto offset = number<std::uint64_t>(found.attribute("offset"));
        std::uint64_t bytes = 0;
        if (offset > data_.size() || data_.size() - offset < sizeof bytes) {
            throw Error(fmt::format("says that array {} is beyond its end", name));
        }
        std::memcpy(&bytes, data_.data() + offset, sizeof bytes);
        if (bytes > data_.size() - offset - sizeof bytes || bytes != count * sizeof(T)) {
            throw Error(fmt::format("says that array {} has {} bytes; expected {}", name, bytes,
                                    count * sizeof(T)));
        }
        std::vector<T> values(count);
        if (count > 0) {
            std::memcpy(values.data(), data_.data() + offset + sizeof bytes, bytes);
        }
        return values;
    }

    /// The rows that an array of the whole frame has.
    std::size_t rows(std::string_view name) const
    {
        const auto value = number<std::uint64_t>(array(name).attribute("NumberOfTuples"));
        if (value > data_.size()) {
            throw Error(fmt::format("says that array {} has {} rows, but has only {} bytes", name,
                                    value, data_.size()));
        }
        return value;
    }

private:
    void require_unharmed(std::string_view rest) const
    {
        if (!rest.ends_with(vtp::after_data)) {
            throw Error("is incomplete or damaged: its last lines are missing");
        }
        if (vtp::checksum_of({rest}) != checksum_) {
            throw Error("is damaged: its checksum is wrong");
        }
    }

    const XmlTag& array(std::string_view name) const
    {
        return vtp::find_tag(tags_, "DataArray", "Name", name);
    }

    std::string bytes_;
    std::string_view kind_, checksum_, data_;
    std::vector<XmlTag> tags_;
};

bool as_bool(std::uint8_t value, std::string_view name)
{
    if (value > 1) {
        throw Error(fmt::format("has {} = {}, which must be 0 or 1", name, value));
    }
    return value != 0;
}

bool any(const std::vector<std::uint8_t>& kinds, ShapeKind kind)
{
    return std::find(kinds.begin(), kinds.end(), static_cast<std::uint8_t>(kind)) != kinds.end();
}

/// f(first, end) for each list, of `count` rows in all, that an array says the beginnings of.
template <class F>
void for_each_list(const Document& file, std::string_view name, std::size_t count, F&& f)
{
    const auto begin = file.column<std::int64_t, std::int64_t>(name, file.rows(name));
    for (std::size_t i = 1; i < begin.size(); ++i) {
        if (begin[i - 1] < 0 || begin[i] < begin[i - 1] ||
            begin[i] > static_cast<std::int64_t>(count)) {
            throw Error(fmt::format("has {} = {} at the end of list {} of {} rows", name, begin[i],
                                    i - 1, count));
        }
        f(static_cast<std::size_t>(begin[i - 1]), static_cast<std::size_t>(begin[i]));
    }
}

/// What is made only if some shape needs it: a piece of a frame lists what other pieces need, too.
template <class T> class Known {
public:
    using Make = std::function<const T*()>;
    void add(Make make) { makes_.push_back(std::move(make)); }
    [[nodiscard]] std::size_t size() const { return makes_.size(); }

    /// For each of `count` shapes what an array of numbers says; −1 is nothing.
    std::vector<const T*> chosen(const Document& file, std::string_view name, std::size_t count)
    {
        made_.resize(size(), nullptr);
        std::vector<const T*> result;
        for (const std::int64_t number : file.column<std::int64_t, std::int64_t>(name, count)) {
            if (number < -1 || number >= std::ssize(makes_)) {
                throw Error(fmt::format("has {} = {}; there are {}", name, number, size()));
            }
            const auto i = static_cast<std::size_t>(number);
            if (number >= 0 && made_[i] == nullptr) {
                made_[i] = makes_[i]();
            }
            result.push_back(number < 0 ? nullptr : made_[i]);
        }
        return result;
    }

private:
    std::vector<Make> makes_;
    std::vector<const T*> made_;
};

/// Gives shapes of these kinds what they point to.
void read_solids(const Document& file, const std::vector<std::uint8_t>& kinds,
                 std::vector<Shape>& shapes)
{
    const bool clumps = any(kinds, ShapeKind::clump);
    std::vector<std::uint8_t> parts;
    if (clumps) {
        parts = file.column<std::uint8_t, std::uint8_t>("part_shape", file.rows("part_shape"));
    }
    Known<Polyhedron> polyhedra;
    std::vector<Vec3<double>> corners;
    if (any(kinds, ShapeKind::polyhedron) || any(parts, ShapeKind::polyhedron)) {
        corners =
            file.column<double, Vec3<double>>("polyhedron_corner", file.rows("polyhedron_corner"));
        for_each_list(file, "polyhedron_begin", corners.size(),
                      [&](std::size_t from, std::size_t to) {
                          polyhedra.add([own = std::span(corners).subspan(from, to - from)] {
                              return Shape::polyhedron(own).solid;
                          });
                      });
        const auto of = polyhedra.chosen(file, "polyhedron", kinds.size());
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            shapes[i].solid = of[i];
        }
    }
    if (clumps) {
        const std::size_t n = parts.size();
        const auto size = file.column<double, Vec3<double>>("part_size", n);
        const auto position = file.column<double, Vec3<double>>("part_position", n);
        const auto orientation = file.column<double, Quat<double>>("part_orientation", n);
        const auto solid = polyhedra.chosen(file, "part_polyhedron", n);
        Known<Clump> known;
        for_each_list(file, "clump_begin", n, [&](std::size_t begin, std::size_t end) {
            known.add([&, begin, end] {
                std::vector<Part> list;
                for (std::size_t k = begin; k < end; ++k) {
                    list.push_back({{static_cast<ShapeKind>(parts[k]), size[k], solid[k]},
                                    position[k],
                                    orientation[k]});
                }
                return Shape::clump(list).parts;
            });
        });
        const auto of = known.chosen(file, "clump", kinds.size());
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            shapes[i].parts = of[i];
        }
    }
    if (any(kinds, ShapeKind::mesh)) {
        const auto point = file.column<double, Vec3<double>>("mesh_point", file.rows("mesh_point"));
        const auto corner =
            file.column<std::int64_t, std::int64_t>("mesh_corner", file.rows("mesh_corner"));
        std::vector<std::span<const Vec3<double>>> points;
        for_each_list(file, "mesh_point_begin", point.size(),
                      [&](std::size_t from, std::size_t to) {
                          points.push_back({point.data() + from, point.data() + to});
                      });
        Known<Mesh> known;
        for_each_list(
            file, "mesh_corner_begin", corner.size(), [&](std::size_t begin, std::size_t end) {
                if (known.size() >= points.size()) {
                    throw Error("has more lists in mesh_corner_begin than in mesh_point_begin");
                }
                known.add([&, begin, end, own = points[known.size()]] {
                    std::vector<std::array<std::uint32_t, 3>> triangles;
                    for (std::size_t from = begin; from + 2 < end; from += 3) {
                        std::array<std::uint32_t, 3> t{};
                        for (std::size_t k = 0; k < 3; ++k) {
                            // What is no number of a point is refused by the mesh.
                            t[k] = static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                static_cast<std::uint64_t>(corner[from + k]), 0xffffffffU));
                        }
                        triangles.push_back(t);
                    }
                    return Shape::mesh(own, triangles).surface;
                });
            });
        const auto of = known.chosen(file, "mesh", kinds.size());
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            shapes[i].surface = of[i];
        }
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const bool missing =
            (shapes[i].kind == ShapeKind::polyhedron && shapes[i].solid == nullptr) ||
            (shapes[i].kind == ShapeKind::clump && shapes[i].parts == nullptr) ||
            (shapes[i].kind == ShapeKind::mesh && shapes[i].surface == nullptr);
        if (missing) {
            throw Error(fmt::format("has a {} without corners, parts or triangles",
                                    name_of(shapes[i].kind)));
        }
    }
}

StoredFrame read_particles(const Document& file)
{
    file.require_kind(vtp::particles);
    const std::size_t n = file.count("NumberOfPoints");
    const FrameStamp stamp = file.stamp();
    StoredFrame f;
    f.step = stamp.step;
    f.time = stamp.time;
    f.time_step = stamp.time_step;
    f.ids = file.column<std::uint64_t, BodyId>("id", n);
    f.positions = file.column<double, Vec3<double>>("Points", n);
    f.orientations = file.column<double, Quat<double>>("orientation", n);
    f.velocities = file.column<double, Vec3<double>>("velocity", n);
    f.angular_velocities = file.column<double, Vec3<double>>("angular_velocity", n);
    f.masses = file.column<double, double>("mass", n);
    f.materials = file.column<std::uint16_t, MaterialId>("material", n);
    const auto kinds = file.column<std::uint8_t, std::uint8_t>("shape", n);
    const auto sizes = file.column<double, Vec3<double>>("size", n);
    const auto dynamic = file.column<std::uint8_t, std::uint8_t>("dynamic", n);
    f.shapes.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (kinds[i] >= shape_kind_count) {
            throw Error(fmt::format("has a body of shape {}; there are shapes 0 to {}", kinds[i],
                                    shape_kind_count - 1));
        }
        f.shapes.push_back({static_cast<ShapeKind>(kinds[i]), sizes[i]});
        if (as_bool(dynamic[i], "dynamic")) {
            if (f.dynamic_count != i) {
                throw Error("has a dynamic body behind a prescribed one");
            }
            ++f.dynamic_count;
        }
    }
    read_solids(file, kinds, f.shapes);
    return f;
}

void read_contacts(const Document& file, StoredFrame& frame)
{
    file.require_kind(vtp::contacts);
    const std::size_t n = file.count("NumberOfLines");
    const auto points = file.column<double, Vec3<double>>("Points", file.count("NumberOfPoints"));
    const std::size_t bodies = frame.positions.size();
    if (file.stamp().step != frame.step || points.size() < bodies ||
        (bodies > 0 &&
         std::memcmp(points.data(), frame.positions.data(), bodies * sizeof points[0]) != 0)) {
        throw Error("holds the contacts of another frame");
    }
    const auto first = file.column<std::uint64_t, BodyId>("first", n);
    const auto second = file.column<std::uint64_t, BodyId>("second", n);
    const auto point = file.column<double, Vec3<double>>("point", n);
    const auto normal = file.column<double, Vec3<double>>("normal", n);
    const auto gap = file.column<double, double>("gap", n);
    const auto impulse = file.column<double, Vec3<double>>("impulse", n);
    const auto touching = file.column<std::uint8_t, std::uint8_t>("touching", n);
    frame.contacts.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        frame.contacts.push_back({first[i], second[i], point[i], normal[i], gap[i],
                                  as_bool(touching[i], "touching"), impulse[i]});
    }
}

/// The files of one frame, in the order of ranks; a single one has no checksum to compare.
std::vector<FrameIndex::Piece> pieces_of(const fs::path& file)
{
    return is_index(file) ? read_index(file).pieces : std::vector<FrameIndex::Piece>{{file, ""}};
}

/// Hands out what a file says.
template <class Read> auto read_piece(const FrameIndex::Piece& piece, const Read& read)
{
    return about_file(piece.file, [&] {
        const Document document(read_bytes(piece.file), true);
        if (!piece.checksum.empty()) {
            document.require_checksum(piece.checksum);
        }
        return read(document);
    });
}

/// Puts the bodies and contacts of another rank to those that are there.
void join(StoredFrame& all, const StoredFrame& piece)
{
    const auto add = [&](auto& to, const auto& from) {
        const auto mine = static_cast<std::ptrdiff_t>(all.dynamic_count);
        const auto theirs = static_cast<std::ptrdiff_t>(piece.dynamic_count);
        to.insert(to.begin() + mine, from.begin(), from.begin() + theirs);
        to.insert(to.end(), from.begin() + theirs, from.end());
    };
    add(all.ids, piece.ids);
    add(all.positions, piece.positions);
    add(all.orientations, piece.orientations);
    add(all.velocities, piece.velocities);
    add(all.angular_velocities, piece.angular_velocities);
    add(all.masses, piece.masses);
    add(all.shapes, piece.shapes);
    add(all.materials, piece.materials);
    all.dynamic_count += piece.dynamic_count;
    all.contacts.insert(all.contacts.end(), piece.contacts.begin(), piece.contacts.end());
}

StoredFrame read_pieces(const fs::path& particles, const fs::path* contacts)
{
    const std::vector<FrameIndex::Piece> files = pieces_of(particles);
    std::vector<FrameIndex::Piece> contact_files;
    if (contacts != nullptr) {
        contact_files = pieces_of(*contacts);
        if (contact_files.size() != files.size()) {
            throw Error(fmt::format("{}: holds the contacts of another frame", contacts->string()));
        }
    }
    StoredFrame all;
    for (std::size_t k = 0; k < files.size(); ++k) {
        StoredFrame piece = read_piece(files[k], read_particles);
        if (contacts != nullptr) {
            read_piece(contact_files[k],
                       [&](const Document& document) { read_contacts(document, piece); });
        }
        if (k == 0) {
            all = std::move(piece);
        } else if (piece.step == all.step) {
            join(all, piece);
        } else {
            throw Error(fmt::format("{}: is of step {}, and the first piece of step {}",
                                    files[k].file.string(), piece.step, all.step));
        }
    }
    return all;
}

}  // namespace

Frame StoredFrame::view() const
{
    return {step,      time,         time_step,  dynamic_count,      ids,
            positions, orientations, velocities, angular_velocities, masses,
            shapes,    materials,    contacts};
}

StoredFrame read_frame(const fs::path& particles) { return read_pieces(particles, nullptr); }

StoredFrame read_frame(const fs::path& particles, const fs::path& contacts)
{
    return read_pieces(particles, &contacts);
}

FrameStamp read_stamp(const fs::path& file)
{
    if (is_index(file)) {
        return read_index(file).stamp;
    }
    return about_file(
        file, [&] { return Document(read_bytes(file, vtp::longest_header), false).stamp(); });
}

}  // namespace scree::io
