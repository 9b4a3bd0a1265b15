// Frames made by hand for tests of what is measured in them.
#pragma once

#include "math/vec.hpp"
#include "scree/world.hpp"

#include <vector>

namespace scree::test {

/// Owns the columns of a frame. Dynamic bodies have to be added before prescribed ones; ids are
/// 100, 101, … in the order of bodies.
struct FrameData {
    std::vector<BodyId> ids;
    std::vector<Vec3<double>> positions, velocities, angular_velocities;
    std::vector<Quat<double>> orientations;
    std::vector<double> masses;
    std::vector<Shape> shapes;
    std::vector<MaterialId> materials;
    std::vector<Contact> contacts;
    std::size_t dynamic_count = 0;
    double time_step = 0.01;

    std::size_t add(const Shape& shape, const Vec3<double>& position,
                    const Vec3<double>& velocity = {0, 0, 0}, double mass = 1,
                    const Quat<double>& orientation = {1, 0, 0, 0})
    {
        ids.push_back(100 + ids.size());
        shapes.push_back(shape);
        positions.push_back(position);
        velocities.push_back(velocity);
        angular_velocities.push_back({0, 0, 0});
        orientations.push_back(orientation);
        masses.push_back(mass);
        materials.push_back(0);
        dynamic_count += mass < std::numeric_limits<double>::infinity() ? 1U : 0U;
        return ids.size() - 1;
    }
    std::size_t add_obstacle(const Shape& shape, const Vec3<double>& position,
                             const Quat<double>& orientation = {1, 0, 0, 0},
                             const Vec3<double>& velocity = {0, 0, 0})
    {
        return add(shape, position, velocity, std::numeric_limits<double>::infinity(), orientation);
    }

    /// A touching contact; the normal leads from the second body to the first.
    Contact& touch(std::size_t first, std::size_t second, const Vec3<double>& point,
                   const Vec3<double>& normal, const Vec3<double>& impulse = {0, 0, 0},
                   double gap = 0)
    {
        return contacts.emplace_back(
            Contact{ids[first], ids[second], point, normal, gap, true, impulse});
    }
    /// Contacts of all spheres that are not more than `gap` apart, by brute force, each with an
    /// impulse along its normal.
    void touch_spheres(double gap, double impulse = 0)
    {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const Vec3<double> d = positions[i] - positions[j];
                const double apart = norm(d) - shapes[i].size.x - shapes[j].size.x;
                if (apart <= gap) {
                    const Vec3<double> n = normalised(d);
                    touch(i, j, positions[j] + (shapes[j].size.x + apart / 2) * n, n, impulse * n,
                          apart);
                }
            }
        }
    }

    [[nodiscard]] Frame view() const
    {
        return {7,         7 * time_step, time_step,  dynamic_count,      ids,
                positions, orientations,  velocities, angular_velocities, masses,
                shapes,    materials,     contacts};
    }
};

/// Spheres of diameter 1 on a lattice with the given basis, n cells of size a along each axis.
inline FrameData lattice(int n, double a, const std::vector<Vec3<double>>& basis)
{
    FrameData data;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < n; ++k) {
                for (const Vec3<double>& b : basis) {
                    data.add(Shape::sphere(0.5), {a * (i + b.x), a * (j + b.y), a * (k + b.z)});
                }
            }
        }
    }
    return data;
}
inline FrameData simple_cubic(int n) { return lattice(n, 1, {{0, 0, 0}}); }
inline FrameData face_centred_cubic(int n)
{
    return lattice(n, std::sqrt(2.0), {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}});
}

}  // namespace scree::test
