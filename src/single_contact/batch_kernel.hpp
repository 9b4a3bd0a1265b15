// One pack of contacts after another through a law: the loop that every instruction set compiles
// for itself. It is instantiated with pack types only, which carry the instruction set in their
// name, so no function compiled here can be mistaken by the linker for one of another instruction
// set. For that reason it uses no other inline function of the project or of the standard library.
#pragma once

#include "exec/pack_io.hpp"
#include "law/laws.hpp"
#include "single_contact/batch_rows.hpp"

#include <cstddef>

namespace scree::single_contact {

template <Law L, class T> struct SolveRow {
    static constexpr int outputs = 4;
    static void run(const ContactProblem<T>& c, const T*, T* out)
    {
        const law::Outcome<T> outcome = law::quick<L>(c);
        out[0] = outcome.x.n;
        out[1] = outcome.x.t;
        out[2] = outcome.x.o;
        using namespace math;
        out[3] = select(outcome.unfinished, T(unfinished_code), outcome.state);
    }
};

template <Law L, class T> struct CertifyRow {
    static constexpr int outputs = 1;
    static void run(const ContactProblem<T>& c, const T* x, T* out)
    {
        using namespace math;
        const T residual = law::residual<L>(c, {x[0], x[1], x[2]});
        const auto unsure = law::ill_conditioned(c.A, law::reduce(c.A)) || !finite(residual);
        out[0] = select(unsure, T(unfinished_code), residual);
    }
};

/// Runs one row kernel over n rows; a last incomplete pack is padded with its first row.
template <class T, class Row, class Real, int inputs>
void for_each_pack(const Real* const* in, Real* const* out, std::size_t n)
{
    using Io = exec::PackIo<T>;
    constexpr std::size_t width = Io::width;
    for (std::size_t i = 0; i < n; i += width) {
        const bool whole = i + width <= n;
        T row[inputs];
        for (int column = 0; column < inputs; ++column) {
            if (whole) {
                row[column] = Io::load(in[column] + i);
            } else {
                Real padded[width];
                for (std::size_t k = 0; k < width; ++k) {
                    padded[k] = in[column][i + k < n ? i + k : i];
                }
                row[column] = Io::load(padded);
            }
        }
        const ContactProblem<T> c{{row[0], row[1], row[2], row[3], row[4], row[5]},
                                  {row[6], row[7], row[8]},
                                  row[9],
                                  row[10]};
        T result[Row::outputs];
        Row::run(c, row + problem_columns, result);
        for (int column = 0; column < Row::outputs; ++column) {
            if (whole) {
                Io::store(result[column], out[column] + i);
            } else {
                Real padded[width];
                Io::store(result[column], padded);
                for (std::size_t k = 0; i + k < n; ++k) {
                    out[column][i + k] = padded[k];
                }
            }
        }
    }
}

template <class T, Law L, class Real>
void batch_of_law(Pass pass, const Real* const* in, Real* const* out, std::size_t n)
{
    if (pass == Pass::solve) {
        for_each_pack<T, SolveRow<L, T>, Real, problem_columns>(in, out, n);
    } else {
        for_each_pack<T, CertifyRow<L, T>, Real, problem_columns + 3>(in, out, n);
    }
}

template <class T, class Real>
void batch_rows(Pass pass, Law law, const Real* const* in, Real* const* out, std::size_t n)
{
    switch (law) {
    case Law::max_dissipation: batch_of_law<T, Law::max_dissipation>(pass, in, out, n); break;
    case Law::coulomb: batch_of_law<T, Law::coulomb>(pass, in, out, n); break;
    case Law::frictionless: batch_of_law<T, Law::frictionless>(pass, in, out, n); break;
    case Law::projected: batch_of_law<T, Law::projected>(pass, in, out, n); break;
    }
}

}  // namespace scree::single_contact
