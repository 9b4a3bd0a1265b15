#include "scree/analyse/law_difference.hpp"

#include "scree/contact.hpp"

#include <algorithm>
#include <cmath>

namespace scree::analyse {

namespace {

double norm(const ContactVector<double>& x) { return std::hypot(x.n, x.t, x.o); }

double angle_between(const ContactVector<double>& x, const ContactVector<double>& y)
{
    return std::atan2(std::fabs(x.t * y.o - x.o * y.t), x.t * y.t + x.o * y.o);
}

}  // namespace

LawDifference law_difference(std::span<const StepContact> contacts)
{
    constexpr double same = 1e-6;
    LawDifference d;
    double most_energy = 0, coulomb_energy = 0;
    for (const StepContact& contact : contacts) {
        if (!problems_with(contact.problem).empty()) {
            continue;  // nothing can be said of contacts that are none
        }
        const ContactSolution m = solve_contact(contact.problem, Law::max_dissipation);
        const ContactSolution c = solve_contact(contact.problem, Law::coulomb);
        ++d.contacts;
        most_energy -= m.certificate.energy;
        coulomb_energy -= c.certificate.energy;
        if (m.state != ContactState::sliding) {
            continue;
        }
        ++d.sliding;
        const double relative =
            norm({m.x.n - c.x.n, m.x.t - c.x.t, m.x.o - c.x.o}) / std::max(norm(m.x), 1e-300);
        d.differing += relative > same ? 1 : 0;
        d.mean += relative;
        d.largest = std::max(d.largest, relative);
        d.angle += angle_between(m.x, c.x);
    }
    if (d.sliding > 0) {
        d.mean /= static_cast<double>(d.sliding);
        d.angle /= static_cast<double>(d.sliding);
    }
    d.energy = most_energy > 0 ? (most_energy - coulomb_energy) / most_energy : 0;
    return d;
}

}  // namespace scree::analyse
