// The contact problem of two rigid bodies: A = Qᵀ K Q with K the sum of 1/m − [r]× I⁻¹ [r]× over
// both, and b the negated relative velocity that remains when only the external impulses act.
#include "scree/two_bodies.hpp"

#include "math/tensor.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace scree {
namespace {

using Vec = Vec3<double>;

bool finite(const Vec& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// Collects what is wrong and throws it together.
class Faults {
public:
    void check(bool condition, const std::string& what)
    {
        if (!condition) {
            all_ += (all_.empty() ? "" : "; ") + what;
        }
    }
    void check(const std::string& who, const BodyState& body)
    {
        const auto number = [](double value) {
            char buffer[32];
            return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
        };
        check(body.mass > 0,
              who + " mass = " + number(body.mass) + ": must be positive or infinite");
        for (const double moment : {body.moments.x, body.moments.y, body.moments.z}) {
            check(moment > 0, who + " moment of inertia = " + number(moment) +
                                  ": must be positive or infinite");
        }
        const struct {
            const char* name;
            const Vec& value;
        } vectors[] = {{"position", body.position},
                       {"velocity", body.velocity},
                       {"angular velocity", body.angular_velocity},
                       {"impulse", body.impulse},
                       {"angular impulse", body.angular_impulse},
                       {"force", body.force},
                       {"torque", body.torque}};
        for (const auto& [name, value] : vectors) {
            check(finite(value), who + " " + name + ": every component must be a finite number");
        }
        check(is_unit(body.orientation),
              who + " orientation: the quaternion must have length 1 within 1e-6, but has " +
                  number(norm(body.orientation)));
    }
    void throw_if_any() const
    {
        if (!all_.empty()) {
            throw Error(all_);
        }
    }

private:
    std::string all_;
};

bool movable(const BodyState& body)
{
    return std::isfinite(body.mass) || std::isfinite(body.moments.x) ||
           std::isfinite(body.moments.y) || std::isfinite(body.moments.z);
}

/// I⁻¹ a in the world frame; zero about axes of infinite moment.
Vec inverse_inertia_times(const BodyState& body, const Vec& a)
{
    const Vec local = rotate_back(body.orientation, a);
    return rotate(body.orientation,
                  {local.x / body.moments.x, local.y / body.moments.y, local.z / body.moments.z});
}

/// ω × Iω; a body does not spin about an axis of infinite moment as far as this is concerned.
Vec gyroscopic_torque(const BodyState& body)
{
    const Vec local = rotate_back(body.orientation, body.angular_velocity);
    const auto momentum = [](double moment, double rate) {
        return std::isinf(moment) ? 0.0 : moment * rate;
    };
    const Vec spin = rotate(body.orientation,
                            {momentum(body.moments.x, local.x), momentum(body.moments.y, local.y),
                             momentum(body.moments.z, local.z)});
    return cross(body.angular_velocity, spin);
}

Vec arm(const BodyState& body, const ContactFrame& frame) { return frame.point - body.position; }

/// The velocity change at the contact point per impulse along d, for one body.
Vec mobility(const BodyState& body, const ContactFrame& frame, const Vec& d)
{
    const Vec r = arm(body, frame);
    return (1 / body.mass) * d + cross(inverse_inertia_times(body, cross(r, d)), r);
}

void apply(BodyState& body, const Vec& impulse, const Vec& angular_impulse)
{
    body.velocity = body.velocity + (1 / body.mass) * impulse;
    body.angular_velocity = body.angular_velocity + inverse_inertia_times(body, angular_impulse);
}

/// The body once its external impulses have acted.
BodyState pushed(BodyState body)
{
    apply(body, body.impulse, body.angular_impulse);
    body.impulse = {0, 0, 0};
    body.angular_impulse = {0, 0, 0};
    return body;
}

Vec point_velocity(const BodyState& body, const ContactFrame& frame)
{
    return point_velocity(body.velocity, body.angular_velocity, arm(body, frame));
}

/// Acceleration of the contact point without contact reactions. Bodies of infinite mass do not
/// fall.
Vec point_acceleration(const BodyState& body, const ContactFrame& frame, const Vec& gravity)
{
    const Vec r = arm(body, frame);
    const Vec& w = body.angular_velocity;
    const Vec fall = std::isinf(body.mass) ? Vec{0, 0, 0} : gravity;
    const Vec spin_up = inverse_inertia_times(body, body.torque - gyroscopic_torque(body));
    return fall + (1 / body.mass) * body.force + cross(spin_up, r) + cross(w, cross(w, r));
}

ContactVector<double> in_frame(const ContactFrame& frame, const Vec& a)
{
    return {dot(frame.n, a), dot(frame.t, a), dot(frame.o, a)};
}

DelassusBlock<double> delassus(const TwoBodies& bodies)
{
    const ContactFrame& frame = bodies.frame;
    const auto column = [&](const Vec& d) {
        return in_frame(frame,
                        mobility(bodies.first, frame, d) + mobility(bodies.second, frame, d));
    };
    const ContactVector<double> n = column(frame.n);
    const ContactVector<double> t = column(frame.t);
    const ContactVector<double> o = column(frame.o);
    return {n.n, n.t, n.o, t.t, t.o, o.o};
}

}  // namespace

ContactFrame orthonormal_frame(const Vec& point, const Vec& normal,
                               const std::optional<Vec>& tangent)
{
    Faults faults;
    faults.check(finite(normal) && !is_zero(normal), "normal: must be finite and not zero");
    faults.check(!tangent || (finite(*tangent) && !is_zero(*tangent)),
                 "tangent: must be finite and not zero");
    faults.throw_if_any();
    const Vec n = direction_of(normal);
    Vec guess = std::abs(n.x) < 0.6 ? Vec{1, 0, 0} : Vec{0, 1, 0};
    if (tangent) {
        guess = direction_of(*tangent);
    }
    const Vec across = guess - dot(guess, n) * n;
    faults.check(norm(across) > 1e-6, "tangent: must not be parallel to the normal");
    faults.throw_if_any();
    const Vec t = normalised(across);
    return {point, n, t, cross(n, t), 0};
}

ContactProblem<double> contact_problem(const TwoBodies& bodies)
{
    const ContactFrame& frame = bodies.frame;
    Faults faults;
    faults.check("first body:", bodies.first);
    faults.check("second body:", bodies.second);
    faults.check(
        movable(bodies.first) || movable(bodies.second),
        "both bodies are immovable (infinite mass and moments): no impulse changes anything");
    faults.check(finite(bodies.gravity), "gravity: every component must be a finite number");
    faults.check(finite(frame.point) && finite(frame.n) && finite(frame.t) && finite(frame.o) &&
                     std::isfinite(frame.gap),
                 "contact: point, axes and gap must be finite numbers");
    faults.check(bodies.restitution >= 0 && bodies.restitution <= 1,
                 "restitution: must be between 0 and 1");
    faults.throw_if_any();

    const Vec velocity =
        point_velocity(pushed(bodies.first), frame) - point_velocity(pushed(bodies.second), frame);
    ContactProblem<double> c;
    c.A = delassus(bodies);
    c.b = in_frame(frame, -velocity);
    c.beta = (1 + bodies.restitution) * c.b.n;
    c.mu = bodies.mu;
    const std::string what = problems_with(c);
    if (!what.empty()) {
        throw Error(what);
    }
    return c;
}

TwoBodies after_impulse(const TwoBodies& bodies, const ContactVector<double>& x)
{
    const ContactFrame& frame = bodies.frame;
    const Vec impulse = x.n * frame.n + x.t * frame.t + x.o * frame.o;
    TwoBodies after = bodies;
    after.first = pushed(bodies.first);
    after.second = pushed(bodies.second);
    apply(after.first, impulse, cross(arm(bodies.first, frame), impulse));
    apply(after.second, -impulse, -cross(arm(bodies.second, frame), impulse));
    return after;
}

Reaction non_impulsive_reaction(const TwoBodies& bodies)
{
    const ContactFrame& frame = bodies.frame;
    const ContactVector<double> v =
        in_frame(frame, point_velocity(bodies.first, frame) - point_velocity(bodies.second, frame));
    const double speed = norm(bodies.first.velocity) + norm(bodies.second.velocity) +
                         norm(bodies.first.angular_velocity) * norm(arm(bodies.first, frame)) +
                         norm(bodies.second.angular_velocity) * norm(arm(bodies.second, frame));
    const double rounding = 1e-12 * speed;
    if (v.n > rounding || frame.gap > 0) {
        return {Reaction::Slip::separating, true, {0, 0, 0}};
    }
    const ContactVector<double> a =
        in_frame(frame, point_acceleration(bodies.first, frame, bodies.gravity) -
                            point_acceleration(bodies.second, frame, bodies.gravity));
    const double slip = std::hypot(v.t, v.o);
    const DelassusBlock<double> A = delassus(bodies);
    if (slip > rounding) {
        // Friction opposes the slip: λ = λ_n (1, −μ v_to/|v_to|), λ_n from a_n + (Aλ)_n = 0.
        const ContactVector<double> d{1, -bodies.mu * v.t / slip, -bodies.mu * v.o / slip};
        const double response = A.nn + A.nt * d.t + A.no * d.o;
        if (a.n >= 0) {
            return {Reaction::Slip::sliding, true, {0, 0, 0}};
        }
        const double force = -a.n / response;
        return {Reaction::Slip::sliding, response > 0, {force, force * d.t, force * d.o}};
    }
    // At rest: the same law one derivative higher, where friction opposes the tangential
    // acceleration.
    const ContactProblem<double> c{A, {-a.n, -a.t, -a.o}, -a.n, bodies.mu};
    return {Reaction::Slip::sticking, true, solve_contact(c, Law::coulomb).x};
}

}  // namespace scree
