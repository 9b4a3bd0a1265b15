#include "world/checks.hpp"

#include "engine/emulation.hpp"
#include "math/tensor.hpp"
#include "math/vec.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <string>

namespace scree::world {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string number(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
}

/// Collects complaints, and throws them together.
class Complaints {
public:
    explicit Complaints(std::string subject) : text_(std::move(subject)) {}
    void require(bool good, const std::string& what)
    {
        if (!good) {
            text_ += (bad_ ? "; " : ": ") + what;
            bad_ = true;
        }
    }
    /// what() is the complaint, which takes longer to write than to find.
    template <std::invocable F> void require(bool good, const F& what)
    {
        if (!good) {
            require(false, std::string(what()));
        }
    }
    void finite(const Vec3<double>& v, std::string_view name)
    {
        require(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z), [&] {
            return std::string(name) + " is (" + number(v.x) + ", " + number(v.y) + ", " +
                   number(v.z) + "), which is not finite";
        });
    }
    void raise() const
    {
        if (bad_) {
            throw Error(text_);
        }
    }

private:
    std::string text_;
    bool bad_ = false;
};

void check_mass(const MassProperties& m, Complaints& c)
{
    c.require(m.mass > 0, "mass is " + number(m.mass) + " kg, must be positive");
    c.finite(m.centre, "mass.centre");
    const Sym3<double>& I = m.inertia;
    const bool free = I.xx < infinity && I.yy < infinity && I.zz < infinity;
    c.require(I.xx > 0 && I.yy > 0 && I.zz > 0, "mass.inertia has moments " + number(I.xx) + ", " +
                                                    number(I.yy) + ", " + number(I.zz) +
                                                    " kg m², all must be positive");
    const bool finite = std::isfinite(I.xy) && std::isfinite(I.xz) && std::isfinite(I.yz);
    c.require(finite, "mass.inertia has products that are not finite");
    if (!free) {
        c.require((I.xx < infinity || (I.xy == 0 && I.xz == 0)) &&
                      (I.yy < infinity || (I.xy == 0 && I.yz == 0)) &&
                      (I.zz < infinity || (I.xz == 0 && I.yz == 0)),
                  "mass.inertia has products beside an infinite moment, which must be zero");
    } else if (finite) {
        const double minor = I.xx * I.yy - I.xy * I.xy;
        const double det = I.xx * (I.yy * I.zz - I.yz * I.yz) - I.xy * (I.xy * I.zz - I.yz * I.xz) +
                           I.xz * (I.xy * I.yz - I.yy * I.xz);
        c.require(minor > 0 && det > 0, "mass.inertia is not positive definite");
    }
}

}  // namespace

void check(const Settings& s)
{
    Complaints c("settings");
    const auto range = [&](const char* name, double x, double from, double to, bool open_from) {
        const bool good = (open_from ? x > from : x >= from) && x <= to;
        c.require(good, std::string(name) + " is " + number(x) + ", must be " +
                            (open_from ? "above " : "from ") + number(from) +
                            (to < infinity ? (open_from ? " and at most " : " to ") + number(to)
                                           : std::string(" upwards")));
    };
    range("time_step", s.time_step, 0, 1e6, true);
    c.finite(s.gravity, "gravity");
    range("error_reduction", s.error_reduction, 0, 1, false);
    range("correction_limit", s.correction_limit, 0, infinity, false);
    range("slack", s.slack, 0, 2e-5, false);
    range("restitution_threshold", s.restitution_threshold, 0, infinity, false);
    range("sweeps", s.sweeps, 1, 1e9, false);
    range("tolerance", s.tolerance, 0, 1, false);
    range("relaxation", s.relaxation, 0, 1, true);
    range("warm_start", s.warm_start, 0, 1, false);
    range("contacts_per_copy", s.contacts_per_copy, 1, 32, false);
    range("region_pairs", s.region_pairs, 0, 1e9, false);
    range("skin", s.skin, 0, 1, false);
    range("threads", s.threads, 0, 1024, false);
    c.require(s.gpu >= no_gpu || (s.gpu == emulated_gpu && engine::make_emulation != nullptr),
              "gpu is " + std::to_string(s.gpu) +
                  ", must be -1 (the host's threads step the world) or the number of a GPU from 0 "
                  "on");
    c.require(s.gpu != no_gpu || s.precision != Precision::mixed,
              "precision is Precision::mixed, but the host's threads have doubles only: set gpu to "
              "the number of a GPU, or precision to Precision::full");
    range("deep_penetration", s.deep_penetration, 0, infinity, true);
    range("energy_tolerance", s.energy_tolerance, 0, infinity, true);
    range("period.x", s.period.x, 0, 1e100, false);
    range("period.y", s.period.y, 0, 1e100, false);
    range("period.z", s.period.z, 0, 1e100, false);
    c.finite(s.origin, "origin");
    c.raise();
}

void check(const ContactMaterial& surface, MaterialId first, MaterialId second,
           std::size_t materials)
{
    Complaints c("surface");
    const std::string known = "; there are " + std::to_string(materials) +
                              " materials, numbered from 0 (see add_material)";
    c.require(first < materials, "no material " + std::to_string(first) + known);
    c.require(second < materials, "no material " + std::to_string(second) + known);
    c.require(surface.friction >= 0 && surface.friction <= 1e6,
              "friction is " + number(surface.friction) + ", must be from 0 to 1e6");
    c.require(surface.restitution >= 0 && surface.restitution <= 1,
              "restitution is " + number(surface.restitution) + ", must be from 0 to 1");
    c.raise();
}

void check(const Body& body, const state::Model& model)
{
    const auto kind = static_cast<int>(body.shape.kind);
    if (kind < 0 || kind >= shape_kind_count) {
        throw Error("body: shape kind " + std::to_string(kind) + " does not exist");
    }
    Complaints c("body (" + std::string(name_of(body.shape.kind)) + ")");
    const std::string_view shape = problems_with(body.shape);
    c.require(shape.empty(), [&] { return shape; });
    c.finite(body.position, "position");
    c.finite(body.velocity, "velocity");
    c.finite(body.angular_velocity, "angular_velocity");
    c.require(is_unit(body.orientation), [] { return "orientation is not a unit quaternion"; });
    c.require(body.material < model.materials, [&] {
        return "no material " + std::to_string(body.material) + "; there are " +
               std::to_string(model.materials) + ", numbered from 0 (see add_material)";
    });
    c.require(body.shape.kind != ShapeKind::clump ||
                  (body.motion == Motion::dynamic && !(body.mass && body.mass->mass == infinity)),
              [] {
                  return "a clump is a dynamic body of finite mass; give the parts of an obstacle "
                         "as prescribed bodies of one group";
              });
    if (body.motion == Motion::dynamic && !is_wall(body.shape.kind)) {
        c.require(body.group == 0, [&] {
            return "group is " + std::to_string(body.group) +
                   ", but only prescribed bodies form groups; leave it at 0 or set motion to "
                   "Motion::prescribed";
        });
        if (body.mass) {
            check_mass(*body.mass, c);
        } else {
            c.require(body.density > 0 && body.density < infinity, [&] {
                return "density is " + number(body.density) + " kg/m³, must be positive";
            });
            c.require(body.shape.kind != ShapeKind::capsule || body.shape.size.x > 0, [] {
                return "a rod of no thickness has one moment that is zero: give its mass and "
                       "inertia";
            });
            c.raise();
            const MassProperties m = mass_properties(body.shape, body.density);
            const Sym3<double>& I = m.inertia;
            const double least = std::min({m.mass, I.xx, I.yy, I.zz});
            const double most = std::max({m.mass, I.xx, I.yy, I.zz});
            c.require(least > 1e-150 && most < 1e150, [&] {
                return "size and density give a mass of " + number(m.mass) +
                       " kg and a moment of " + number(I.xx) +
                       " kg m², both must be between 1e-150 and 1e150";
            });
        }
    }
    c.raise();
}

void check_velocity(const Vec3<double>& v, const Vec3<double>& angular, const Quat<double>& q,
                    const state::Prototype& kind)
{
    if ((kind.flags & state::flag_prescribed) != 0) {
        return;
    }
    const Vec3<double> w = rotate_back(q, angular);
    const double rounding = 1e-9 * norm(w);
    const Sym3<double>& inverse = kind.inverse_inertia;
    if ((inverse.xx == 0 && std::abs(w.x) > rounding) ||
        (inverse.yy == 0 && std::abs(w.y) > rounding) ||
        (inverse.zz == 0 && std::abs(w.z) > rounding)) {
        throw Error("body: it cannot turn about an axis of infinite moment; "
                    "use Motion::prescribed for bodies that turn as they are told");
    }
    if (kind.mass == infinity && (v.x != 0 || v.y != 0 || v.z != 0)) {
        throw Error("body: of infinite mass but with finite moments, it cannot have a velocity; "
                    "use Motion::prescribed");
    }
}

void check_fits(const state::Prototype& kind, const Vec3<double>& period)
{
    for (const double length : {period.x, period.y, period.z}) {
        if (length > 0 && (kind.flags & state::flag_wall) == 0 && 4.5 * kind.radius > length) {
            throw Error("body: its bounding radius of " + number(kind.radius) +
                        " m is too large for the period of " + number(length) +
                        " m, which must be at least 4.5 times as long");
        }
    }
}

void check_finite(const Vec3<double>& value, std::string_view name)
{
    Complaints c("body");
    c.finite(value, name);
    c.raise();
}

Quat<double> checked_orientation(const Quat<double>& q)
{
    if (!is_unit(q)) {
        throw Error("body: orientation is not a unit quaternion");
    }
    return normalised(q);
}

}  // namespace scree::world
