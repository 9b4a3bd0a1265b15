// Numbers of several bodies, four or eight that follow each other in memory, into packs and back;
// line_packs_simd.hpp says how for packs that are not one double.
#pragma once

#include "exec/pack_io.hpp"

namespace scree::exec {

/// Four numbers of each body, from the k-th on.
template <class T> struct HalfLines;
template <> struct HalfLines<double> {
    [[gnu::always_inline]] static void load_half(const double* const* line, int k, double* out)
    {
        for (int i = 0; i < 4; ++i) {
            out[i] = line[0][k + i];
        }
    }
    [[gnu::always_inline]] static void store_half(double* const* line, int k, const double* in)
    {
        for (int i = 0; i < 4; ++i) {
            line[0][k + i] = in[i];
        }
    }
    /// Two numbers of each body.
    [[gnu::always_inline]] static void store_two(double* const* line, int k, const double* in)
    {
        line[0][k] = in[0];
        line[0][k + 1] = in[1];
    }
};

template <class T> struct Lines {
    [[gnu::always_inline]] static void load(const double* const* line, T (&out)[8])
    {
        HalfLines<T>::load_half(line, 0, out);
        HalfLines<T>::load_half(line, 4, out + 4);
    }
    /// The first six numbers: masses stay.
    [[gnu::always_inline]] static void store(double* const* line, const T (&in)[6])
    {
        HalfLines<T>::store_half(line, 0, in);
        HalfLines<T>::store_two(line, 4, in + 4);
    }
};

}  // namespace scree::exec
