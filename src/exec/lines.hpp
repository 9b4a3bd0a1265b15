// Eight doubles of each of several bodies, one cache line per body, turned into eight packs with
// one body per lane, and back: whole-line loads and a transposition in registers, which is several
// times faster than gathering value by value.
#pragma once

#include "exec/sweep_kernel.hpp"

#include <xsimd/xsimd.hpp>

namespace scree::exec {

#if defined(__AVX512F__)
template <class Arch> struct Lines<xsimd::batch<double, Arch>> {
    using Pack = xsimd::batch<double, Arch>;
    static_assert(Pack::size == 8);

    [[gnu::always_inline]] static void transpose(__m512d (&r)[8])
    {
        const __m512d a0 = _mm512_unpacklo_pd(r[0], r[1]);
        const __m512d a1 = _mm512_unpackhi_pd(r[0], r[1]);
        const __m512d a2 = _mm512_unpacklo_pd(r[2], r[3]);
        const __m512d a3 = _mm512_unpackhi_pd(r[2], r[3]);
        const __m512d a4 = _mm512_unpacklo_pd(r[4], r[5]);
        const __m512d a5 = _mm512_unpackhi_pd(r[4], r[5]);
        const __m512d a6 = _mm512_unpacklo_pd(r[6], r[7]);
        const __m512d a7 = _mm512_unpackhi_pd(r[6], r[7]);
        const __m512d b0 = _mm512_shuffle_f64x2(a0, a2, 0x88);
        const __m512d b1 = _mm512_shuffle_f64x2(a1, a3, 0x88);
        const __m512d b2 = _mm512_shuffle_f64x2(a0, a2, 0xdd);
        const __m512d b3 = _mm512_shuffle_f64x2(a1, a3, 0xdd);
        const __m512d b4 = _mm512_shuffle_f64x2(a4, a6, 0x88);
        const __m512d b5 = _mm512_shuffle_f64x2(a5, a7, 0x88);
        const __m512d b6 = _mm512_shuffle_f64x2(a4, a6, 0xdd);
        const __m512d b7 = _mm512_shuffle_f64x2(a5, a7, 0xdd);
        r[0] = _mm512_shuffle_f64x2(b0, b4, 0x88);
        r[1] = _mm512_shuffle_f64x2(b1, b5, 0x88);
        r[2] = _mm512_shuffle_f64x2(b2, b6, 0x88);
        r[3] = _mm512_shuffle_f64x2(b3, b7, 0x88);
        r[4] = _mm512_shuffle_f64x2(b0, b4, 0xdd);
        r[5] = _mm512_shuffle_f64x2(b1, b5, 0xdd);
        r[6] = _mm512_shuffle_f64x2(b2, b6, 0xdd);
        r[7] = _mm512_shuffle_f64x2(b3, b7, 0xdd);
    }
    [[gnu::always_inline]] static void load(const double* const* line, Pack (&out)[8])
    {
        __m512d r[8];
        for (int i = 0; i < 8; ++i) {
            r[i] = _mm512_load_pd(line[i]);
        }
        transpose(r);
        for (int i = 0; i < 8; ++i) {
            out[i] = Pack(r[i]);
        }
    }
    [[gnu::always_inline]] static void store(double* const* line, const Pack (&in)[8])
    {
        __m512d r[8];
        for (int i = 0; i < 8; ++i) {
            r[i] = in[i].data;
        }
        transpose(r);
        for (int i = 0; i < 8; ++i) {
            _mm512_store_pd(line[i], r[i]);
        }
    }
};
#elif defined(__AVX2__)
template <class Arch> struct Lines<xsimd::batch<double, Arch>> {
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
    [[gnu::always_inline]] static void load(const double* const* line, Pack (&out)[8])
    {
        for (int half = 0; half < 8; half += 4) {
            __m256d r[4];
            for (int i = 0; i < 4; ++i) {
                r[i] = _mm256_load_pd(line[i] + half);
            }
            transpose(r);
            for (int i = 0; i < 4; ++i) {
                out[half + i] = Pack(r[i]);
            }
        }
    }
    [[gnu::always_inline]] static void store(double* const* line, const Pack (&in)[8])
    {
        for (int half = 0; half < 8; half += 4) {
            __m256d r[4];
            for (int i = 0; i < 4; ++i) {
                r[i] = in[half + i].data;
            }
            transpose(r);
            for (int i = 0; i < 4; ++i) {
                _mm256_store_pd(line[i] + half, r[i]);
            }
        }
    }
};
#elif defined(__SSE2__)
template <class Arch> struct Lines<xsimd::batch<double, Arch>> {
    using Pack = xsimd::batch<double, Arch>;
    static_assert(Pack::size == 2);

    [[gnu::always_inline]] static void load(const double* const* line, Pack (&out)[8])
    {
        for (int i = 0; i < 8; i += 2) {
            const __m128d a = _mm_load_pd(line[0] + i);
            const __m128d b = _mm_load_pd(line[1] + i);
            out[i] = Pack(_mm_unpacklo_pd(a, b));
            out[i + 1] = Pack(_mm_unpackhi_pd(a, b));
        }
    }
    [[gnu::always_inline]] static void store(double* const* line, const Pack (&in)[8])
    {
        for (int i = 0; i < 8; i += 2) {
            _mm_store_pd(line[0] + i, _mm_unpacklo_pd(in[i].data, in[i + 1].data));
            _mm_store_pd(line[1] + i, _mm_unpackhi_pd(in[i].data, in[i + 1].data));
        }
    }
};
#endif

}  // namespace scree::exec
