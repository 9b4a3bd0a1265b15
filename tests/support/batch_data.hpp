// Columns of random problems and room for their solutions.
#pragma once

#include "scree/contact.hpp"
#include "support/compare.hpp"

#include <array>
#include <vector>

namespace scree::test {

template <class Real> struct Problems {
    std::array<std::vector<Real>, 11> values;

    std::size_t size() const { return values[0].size(); }
    ContactColumns<Real> columns() const
    {
        const auto& v = values;
        return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10]};
    }
    ContactProblem<Real> row(std::size_t i) const
    {
        const auto& v = values;
        return {{v[0][i], v[1][i], v[2][i], v[3][i], v[4][i], v[5][i]},
                {v[6][i], v[7][i], v[8][i]},
                v[9][i],
                v[10][i]};
    }
    void add(const ContactProblem<double>& c)
    {
        const double row[11] = {c.A.nn, c.A.nt, c.A.no, c.A.tt, c.A.to, c.A.oo,
                                c.b.n,  c.b.t,  c.b.o,  c.beta, c.mu};
        for (std::size_t k = 0; k < 11; ++k) {
            values[k].push_back(static_cast<Real>(row[k]));
        }
    }
    Problems slice(std::size_t first, std::size_t length) const
    {
        Problems part;
        for (std::size_t k = 0; k < 11; ++k) {
            part.values[k].assign(values[k].begin() + static_cast<std::ptrdiff_t>(first),
                                  values[k].begin() + static_cast<std::ptrdiff_t>(first + length));
        }
        return part;
    }
};

template <class Real> struct Impulses {
    explicit Impulses(std::size_t n) : xn(n), xt(n), xo(n), residual(n), state(n) {}
    std::vector<Real> xn, xt, xo, residual;
    std::vector<ContactState> state;
    ImpulseColumns<Real> columns() { return {xn, xt, xo, state, residual}; }
};

/// Problems of all classes, with separating, frictionless and grazing ones among them.
template <class Real> Problems<Real> mixed_problems(std::size_t count, std::uint64_t seed)
{
    Random random(seed);
    Problems<Real> problems;
    for (std::size_t i = 0; i < count; ++i) {
        auto c = random_problem(random, static_cast<ProblemClass>(i % class_count));
        switch (random.bits() % 20) {
        case 0: c.beta = c.b.n = -c.b.n; break;
        case 1: c.mu = 0; break;
        case 2: c.beta = c.b.n = 0; break;
        case 3: c.b = {c.b.n, 0, 0}; break;
        default: break;
        }
        problems.add(c);
    }
    return problems;
}

}  // namespace scree::test
