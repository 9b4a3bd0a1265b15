// The writer of .vtp files, in which a frame costs little more than copying it.
#include "scree/io/vtp_writer.hpp"

#include "io/shape_extent.hpp"
#include "io/vtp_document.hpp"
#include "io/vtp_format.hpp"
#include "io/vtp_solids.hpp"
#include "shapes/shared_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace scree::io {
namespace {

using Vec = Vec3<double>;
static_assert(sizeof(Vec) == 3 * sizeof(double) && sizeof(Quat<double>) == 4 * sizeof(double));

shapes::Solids pointed_to(std::span<const Shape> shapes)
{
    shapes::Solids solids;
    for (const Shape& shape : shapes) {
        solids.add(shape);
    }
    return solids;
}

Vec3<float> narrowed(const Vec& v)
{
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

double length(const Vec& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

double distance(const Vec& a, const Vec& b) { return length({a.x - b.x, a.y - b.y, a.z - b.z}); }

/// Where the lines of contacts end: at the bodies' positions, which are the first points of the
/// file, those of other ranks' bodies, or at points added behind them.
class Ends {
public:
    explicit Ends(const Frame& frame)
        : frame_(frame), points_(frame.positions.begin(), frame.positions.end())
    {
        index_.reserve(frame.ids.size() + frame.ghosts.size());
        for (std::size_t i = 0; i < frame.ids.size(); ++i) {
            index_.emplace(frame.ids[i], i);
        }
        for (const Ghost& guest : frame.ghosts) {
            index_.emplace(guest.id, points_.size());
            points_.push_back(guest.position);
        }
    }

    struct Line {
        std::int64_t from, to;
    };
    Line line(const Contact& c)
    {
        const std::size_t a = body(c.first), b = body(c.second);
        const double near_a = reach(a, c), near_b = reach(b, c);
        const bool neighbours =
            near_a > 0 && near_b > 0 && distance(points_[a], points_[b]) <= near_a + near_b;
        std::size_t at = none;  // the contact point, where an end needs it
        const auto end = [&](std::size_t i, double near) {
            if (neighbours || (near > 0 && distance(points_[i], c.point) <= near)) {
                return static_cast<std::int64_t>(i);
            }
            if (at == none) {
                at = points_.size();
                points_.push_back(c.point);
            }
            return static_cast<std::int64_t>(at);
        };
        const std::int64_t from = end(a, near_a);
        return {from, end(b, near_b)};
    }

    std::span<const Vec> points() const { return points_; }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    std::size_t body(BodyId id) const
    {
        const auto found = index_.find(id);
        return found == index_.end() ? none : found->second;
    }

    /// How far from the contact point a body's position can be, unless it went around a periodic
    /// box: point and gap are of the step's beginning, positions of its end. Zero for walls and
    /// bodies that are not in the frame.
    double reach(std::size_t i, const Contact& c) const
    {
        if (i == none) {
            return 0;
        }
        const std::size_t n = frame_.ids.size();
        const bool own = i < n;
        const Shape& shape = own ? frame_.shapes[i] : frame_.ghosts[i - n].shape;
        if (is_wall(shape.kind)) {
            return 0;
        }
        const double speed = length(own ? frame_.velocities[i] : frame_.ghosts[i - n].velocity);
        const double turning =
            length(own ? frame_.angular_velocities[i] : frame_.ghosts[i - n].angular_velocity);
        const double r = radius(shape);
        const double way = frame_.time_step * (speed + r * turning);
        return 1.01 * (r + std::abs(c.gap) + way);
    }

    const Frame& frame_;
    std::vector<Vec> points_;
    std::unordered_map<BodyId, std::size_t> index_;
};

bool is_shown(const Contact& c)
{
    return c.touching || c.impulse.x != 0 || c.impulse.y != 0 || c.impulse.z != 0;
}

}  // namespace

std::vector<Shape> solids_of(const Frame& frame)
{
    const shapes::Solids solids = pointed_to(frame.shapes);
    std::vector<Shape> shapes;
    for (const Polyhedron* solid : solids.polyhedra()) {
        shapes.push_back({ShapeKind::polyhedron, {1, 0, 0}, solid});
    }
    for (const Clump* clump : solids.clumps()) {
        shapes.push_back({ShapeKind::clump, {1, 0, 0}, nullptr, clump});
    }
    for (const Mesh* mesh : solids.meshes()) {
        shapes.push_back({ShapeKind::mesh, {1, 0, 0}, nullptr, nullptr, mesh});
    }
    return shapes;
}

Frame dynamic_bodies(const Frame& frame)
{
    Frame some = frame;
    const auto cut = [&](auto& column) { column = column.first(frame.dynamic_count); };
    cut(some.ids);
    cut(some.positions);
    cut(some.orientations);
    cut(some.velocities);
    cut(some.angular_velocities);
    cut(some.masses);
    cut(some.shapes);
    cut(some.materials);
    return some;
}

void write_particles(const std::filesystem::path& path, const Frame& frame)
{
    write_particles(path, frame, solids_of(frame));
}

void write_particles(const std::filesystem::path& path, const Frame& frame,
                     std::span<const Shape> all)
{
    const std::size_t n = frame.ids.size();
    constexpr std::size_t bytes_per_body = 190;
    vtp::NewDocument document(frame, 1024 + n * bytes_per_body);
    const shapes::Solids solids = pointed_to(all);
    vtp::add_solids(solids,
                    std::any_of(frame.shapes.begin(), frame.shapes.end(),
                                [](const Shape& shape) { return shape.surface != nullptr; }),
                    document);
    document.xml(fmt::format("    </FieldData>\n"
                             "    <Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\" "
                             "NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n"
                             "      <PointData>\n",
                             n));
    document.add<std::uint64_t>("id", frame.ids);
    document.add<double>("velocity", frame.velocities, "xyz");
    document.add<double>("angular_velocity", frame.angular_velocities, "xyz");
    document.add<double>("orientation", frame.orientations, "wxyz");
    vtp::add_shapes(frame.shapes, solids, document);
    document.make<float>("scale", n,
                         [&](std::size_t i) { return narrowed(extents(frame.shapes[i])); });
    document.make<float>(
        "radius", n, [&](std::size_t i) { return static_cast<float>(radius(frame.shapes[i])); });
    document.add<double>("mass", frame.masses);
    document.add<std::uint16_t>("material", frame.materials);
    document.make<std::uint8_t>(
        "dynamic", n, [&](std::size_t i) { return std::uint8_t(i < frame.dynamic_count); });
    document.xml("      </PointData>\n      <Points>\n");
    document.add<double>("Points", frame.positions);
    document.xml("      </Points>\n      <Verts>\n");
    document.make<std::int64_t>("connectivity", n,
                                [](std::size_t i) { return static_cast<std::int64_t>(i); });
    document.make<std::int64_t>("offsets", n,
                                [](std::size_t i) { return static_cast<std::int64_t>(i + 1); });
    document.xml("      </Verts>\n");
    document.write(path, vtp::particles);
}

void write_contacts(const std::filesystem::path& path, const Frame& frame)
{
    Ends ends(frame);
    std::vector<const Contact*> shown;
    std::vector<std::int64_t> connectivity;
    for (const Contact& c : frame.contacts) {
        if (is_shown(c)) {
            shown.push_back(&c);
            const Ends::Line line = ends.line(c);
            connectivity.push_back(line.from);
            connectivity.push_back(line.to);
        }
    }
    const std::size_t n = shown.size();
    constexpr std::size_t bytes_per_contact = 150;
    vtp::NewDocument document(frame, 1024 + n * bytes_per_contact + ends.points().size_bytes());
    document.xml(fmt::format("    </FieldData>\n"
                             "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" "
                             "NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n"
                             "      <CellData>\n",
                             ends.points().size(), n));
    const auto force = [&](std::size_t i) {
        const Vec& x = shown[i]->impulse;
        return Vec{x.x / frame.time_step, x.y / frame.time_step, x.z / frame.time_step};
    };
    document.make<std::uint64_t>("first", n, [&](std::size_t i) { return shown[i]->first; });
    document.make<std::uint64_t>("second", n, [&](std::size_t i) { return shown[i]->second; });
    document.make<double>("point", n, [&](std::size_t i) { return shown[i]->point; });
    document.make<double>("normal", n, [&](std::size_t i) { return shown[i]->normal; });
    document.make<double>("gap", n, [&](std::size_t i) { return shown[i]->gap; });
    document.make<double>("impulse", n, [&](std::size_t i) { return shown[i]->impulse; });
    document.make<float>("force", n, [&](std::size_t i) { return narrowed(force(i)); });
    document.make<float>("force_magnitude", n,
                         [&](std::size_t i) { return static_cast<float>(length(force(i))); });
    document.make<std::uint8_t>("touching", n,
                                [&](std::size_t i) { return std::uint8_t(shown[i]->touching); });
    document.xml("      </CellData>\n      <Points>\n");
    document.add<double>("Points", ends.points());
    document.xml("      </Points>\n      <Lines>\n");
    document.add<std::int64_t>("connectivity", std::span<const std::int64_t>(connectivity));
    document.make<std::int64_t>(
        "offsets", n, [](std::size_t i) { return static_cast<std::int64_t>(2 * (i + 1)); });
    document.xml("      </Lines>\n");
    document.write(path, vtp::contacts);
}

}  // namespace scree::io
