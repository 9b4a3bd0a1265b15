#include "support/fcl_oracle.hpp"

#include <fcl/fcl.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace {

/// Where to go on if an assertion of the library fails, as it does for some degenerate pairs: the
/// library is compiled with assertions, which would end the program. What it has allocated is lost.
thread_local std::jmp_buf* after_failure = nullptr;

}  // namespace

extern "C" void __assert_fail(const char* what, const char* file, unsigned line,
                              const char* function) noexcept
{
    if (after_failure != nullptr) {
        std::longjmp(*after_failure, 1);
    }
    std::fprintf(stderr, "%s:%u: %s: assertion %s failed\n", file, line, function, what);
    std::abort();
}

namespace scree::test {

namespace {

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(const Shape& shape)
{
    const Vec3<double>& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::sphere: return std::make_shared<fcl::Sphered>(s.x);
    case ShapeKind::box: return std::make_shared<fcl::Boxd>(2 * s.x, 2 * s.y, 2 * s.z);
    case ShapeKind::capsule: return std::make_shared<fcl::Capsuled>(s.x, 2 * s.y);
    case ShapeKind::cylinder: return std::make_shared<fcl::Cylinderd>(s.x, 2 * s.y);
    case ShapeKind::ellipsoid: return std::make_shared<fcl::Ellipsoidd>(s.x, s.y, s.z);
    case ShapeKind::half_space:
        return std::make_shared<fcl::Halfspaced>(fcl::Vector3d(0, 0, 1), 0.0);
    case ShapeKind::polyhedron: {
        auto points = std::make_shared<std::vector<fcl::Vector3d>>();
        for (const Vec3<double>& p : corners_of(shape)) {
            points->emplace_back(p.x, p.y, p.z);
        }
        auto faces = std::make_shared<std::vector<int>>();
        int count = 0;
        for (const std::vector<std::size_t>& face : faces_of(shape)) {
            faces->push_back(static_cast<int>(face.size()));
            for (const std::size_t corner : face) {
                faces->push_back(static_cast<int>(corner));
            }
            ++count;
        }
        return std::make_shared<fcl::Convexd>(points, count, faces);
    }
    default: return nullptr;
    }
}

fcl::CollisionObjectd object_of(const Solid& a)
{
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    const Quat<double>& q = a.pose.orientation;
    fcl::Quaterniond turn(q.w, q.x, q.y, q.z);
    if (a.shape.kind == ShapeKind::capsule || a.shape.kind == ShapeKind::cylinder) {
        // Its axis is z, ours x: a third of a turn about (1, 1, 1).
        turn = turn * fcl::Quaterniond(0.5, 0.5, 0.5, 0.5);
    }
    pose.linear() = turn.toRotationMatrix();
    pose.translation() = fcl::Vector3d(a.pose.position.x, a.pose.position.y, a.pose.position.z);
    return {geometry_of(a.shape), pose};
}

}  // namespace

bool fcl_has(ShapeKind kind)
{
    return kind <= ShapeKind::half_space ? kind != ShapeKind::profile
                                         : kind == ShapeKind::polyhedron;
}

namespace {

void ask(const Solid& a, const Solid& b, FclAnswer& answer)
{
    const fcl::CollisionObjectd one = object_of(a), two = object_of(b);
    const fcl::CollisionRequestd wanted(8, true);
    fcl::CollisionResultd touch;
    if (fcl::collide(&one, &two, wanted, touch) > 0) {
        for (std::size_t i = 0; i < touch.numContacts(); ++i) {
            const fcl::Contactd& c = touch.getContact(i);
            if (!answer.has_normal || -c.penetration_depth < answer.gap) {
                answer.has_normal = true;
                answer.gap = -c.penetration_depth;
                answer.normal = {-c.normal[0], -c.normal[1], -c.normal[2]};
            }
        }
        return;
    }
    if (is_wall(b.shape.kind)) {
        answer.known = false;
        return;
    }
    const fcl::DistanceRequestd how_far(true);
    fcl::DistanceResultd apart;
    answer.gap = fcl::distance(&one, &two, how_far, apart);
    const fcl::Vector3d d = apart.nearest_points[0] - apart.nearest_points[1];
    if (d.norm() > 0) {
        answer.has_normal = true;
        answer.normal = {d[0] / d.norm(), d[1] / d.norm(), d[2] / d.norm()};
    }
}

}  // namespace

FclAnswer ask_fcl(const Solid& a, const Solid& b)
{
    FclAnswer answer;
    if (!fcl_has(a.shape.kind) || !fcl_has(b.shape.kind)) {
        return answer;
    }
    answer.known = true;
    std::jmp_buf here;
    after_failure = &here;
    if (setjmp(here) != 0) {
        answer.failed = true;
    } else {
        try {
            ask(a, b, answer);
        } catch (const std::exception&) {
            answer.failed = true;
        }
    }
    after_failure = nullptr;
    return answer;
}

}  // namespace scree::test
