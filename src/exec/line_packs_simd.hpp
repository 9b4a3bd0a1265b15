// Eight doubles of each of several bodies, one cache line per body, or four, turned into as many
// packs with one body per lane, and back: loads of half lines and a transposition in registers,
// which is several times faster than gathering value by value.
#pragma once

#include "exec/line_packs.hpp"

#include <xsimd/xsimd.hpp>

namespace scree::exec {

#if defined(__AVX512F__)
template <class Arch> struct HalfLines<xsimd::batch<double, Arch>> {
    using Pack = xsimd::batch<double, Arch>;
    static_assert(Pack::size == 8);

    /// Half lines straight from memory, so that a third of a transposition's shuffles is saved.
    [[gnu::always_inline]] static __m512d halves(const double* low, const double* high)
    {
        return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(low)),
                                  _mm256_loadu_pd(high), 1);
    }
    /// Four doubles of each body, from the k-th on.
    [[gnu::always_inline]] static void load_half(const double* const* line, int k, Pack* out)
    {
        const __m512d t0 = halves(line[0] + k, line[2] + k);
        const __m512d t1 = halves(line[1] + k, line[3] + k);
        const __m512d t2 = halves(line[4] + k, line[6] + k);
        const __m512d t3 = halves(line[5] + k, line[7] + k);
        const __m512d u0 = _mm512_unpacklo_pd(t0, t1);
        const __m512d u1 = _mm512_unpackhi_pd(t0, t1);
        const __m512d u2 = _mm512_unpacklo_pd(t2, t3);
        const __m512d u3 = _mm512_unpackhi_pd(t2, t3);
        out[0] = Pack(_mm512_shuffle_f64x2(u0, u2, 0x88));
        out[1] = Pack(_mm512_shuffle_f64x2(u1, u3, 0x88));
        out[2] = Pack(_mm512_shuffle_f64x2(u0, u2, 0xdd));
        out[3] = Pack(_mm512_shuffle_f64x2(u1, u3, 0xdd));
    }
    [[gnu::always_inline]] static void store_half(double* const* line, int k, const Pack* in)
    {
        const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        const __m512i high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        const __m512d even0 = _mm512_unpacklo_pd(in[0].data, in[1].data);
        const __m512d odd0 = _mm512_unpackhi_pd(in[0].data, in[1].data);
        const __m512d even1 = _mm512_unpacklo_pd(in[2].data, in[3].data);
        const __m512d odd1 = _mm512_unpackhi_pd(in[2].data, in[3].data);
        const auto put = [&](__m512d pair, int first) {
            _mm256_storeu_pd(line[first] + k, _mm512_castpd512_pd256(pair));
            _mm256_storeu_pd(line[first + 2] + k, _mm512_extractf64x4_pd(pair, 1));
        };
        put(_mm512_permutex2var_pd(even0, low, even1), 0);
        put(_mm512_permutex2var_pd(odd0, low, odd1), 1);
        put(_mm512_permutex2var_pd(even0, high, even1), 4);
        put(_mm512_permutex2var_pd(odd0, high, odd1), 5);
    }
    [[gnu::always_inline]] static void store_two(double* const* line, int k, const Pack* in)
    {
        const __m512d even = _mm512_unpacklo_pd(in[0].data, in[1].data);
        const __m512d odd = _mm512_unpackhi_pd(in[0].data, in[1].data);
        _mm_storeu_pd(line[0] + k, _mm512_castpd512_pd128(even));
        _mm_storeu_pd(line[1] + k, _mm512_castpd512_pd128(odd));
        _mm_storeu_pd(line[2] + k, _mm512_extractf64x2_pd(even, 1));
        _mm_storeu_pd(line[3] + k, _mm512_extractf64x2_pd(odd, 1));
        _mm_storeu_pd(line[4] + k, _mm512_extractf64x2_pd(even, 2));
        _mm_storeu_pd(line[5] + k, _mm512_extractf64x2_pd(odd, 2));
        _mm_storeu_pd(line[6] + k, _mm512_extractf64x2_pd(even, 3));
        _mm_storeu_pd(line[7] + k, _mm512_extractf64x2_pd(odd, 3));
    }
};
#elif defined(__AVX2__)
template <class Arch> struct HalfLines<xsimd::batch<double, Arch>> {
    using Pack = xsimd::batch<double, Arch>;
    static_assert(Pack::size == 4);

    [[gnu::always_inline]] static void transpose(__m256d (&r)[4])
    {
        const __m256d a0 = _mm256_unpacklo_pd(r[0], r[1]);
        const __m256d a1 = _mm256_unpackhi_pd(r[0], r[1]);
        const __m256d a2 = _mm256_unpacklo_pd(r[2], r[3]);
        const __m256d a3 = _mm256_unpackhi_pd(r[2], r[3]);
        r[0] = _mm256_permute2f128_pd(a0, a2, 0x20);
        r[1] = _mm256_permute2f128_pd(a1, a3, 0x20);
        r[2] = _mm256_permute2f128_pd(a0, a2, 0x31);
        r[3] = _mm256_permute2f128_pd(a1, a3, 0x31);
    }
    [[gnu::always_inline]] static void load_half(const double* const* line, int k, Pack* out)
    {
        __m256d r[4];
        for (int i = 0; i < 4; ++i) {
            r[i] = _mm256_loadu_pd(line[i] + k);
        }
        transpose(r);
        for (int i = 0; i < 4; ++i) {
            out[i] = Pack(r[i]);
        }
    }
    [[gnu::always_inline]] static void store_half(double* const* line, int k, const Pack* in)
    {
        __m256d r[4];
        for (int i = 0; i < 4; ++i) {
            r[i] = in[i].data;
        }
        transpose(r);
        for (int i = 0; i < 4; ++i) {
            _mm256_storeu_pd(line[i] + k, r[i]);
        }
    }
    [[gnu::always_inline]] static void store_two(double* const* line, int k, const Pack* in)
    {
        const __m256d even = _mm256_unpacklo_pd(in[0].data, in[1].data);
        const __m256d odd = _mm256_unpackhi_pd(in[0].data, in[1].data);
        _mm_storeu_pd(line[0] + k, _mm256_castpd256_pd128(even));
        _mm_storeu_pd(line[1] + k, _mm256_castpd256_pd128(odd));
        _mm_storeu_pd(line[2] + k, _mm256_extractf128_pd(even, 1));
        _mm_storeu_pd(line[3] + k, _mm256_extractf128_pd(odd, 1));
    }
};
#elif defined(__SSE2__)
template <class Arch> struct HalfLines<xsimd::batch<double, Arch>> {
    using Pack = xsimd::batch<double, Arch>;
    static_assert(Pack::size == 2);

    [[gnu::always_inline]] static void load_half(const double* const* line, int k, Pack* out)
    {
        for (int i = 0; i < 4; i += 2) {
            const __m128d a = _mm_loadu_pd(line[0] + k + i);
            const __m128d b = _mm_loadu_pd(line[1] + k + i);
            out[i] = Pack(_mm_unpacklo_pd(a, b));
            out[i + 1] = Pack(_mm_unpackhi_pd(a, b));
        }
    }
    [[gnu::always_inline]] static void store_half(double* const* line, int k, const Pack* in)
    {
        for (int i = 0; i < 4; i += 2) {
            store_two(line, k + i, in + i);
        }
    }
    [[gnu::always_inline]] static void store_two(double* const* line, int k, const Pack* in)
    {
        _mm_storeu_pd(line[0] + k, _mm_unpacklo_pd(in[0].data, in[1].data));
        _mm_storeu_pd(line[1] + k, _mm_unpackhi_pd(in[0].data, in[1].data));
    }
};
#endif

}  // namespace scree::exec
