/*
 * Poly1305 (RFC 8439 2.5) of eight messages side by side on AVX-512 IFMA: element i of every vector belongs to message i,
 * with its own key, so no powers of r and no folding at the end are needed. Limbs of 44, 44 and 42 bits as in poly1305.h;
 * VPMADD52LUQ and VPMADD52HUQ add the lower and upper 52 bits of the 104-bit products.
 * The includer defines TARGET.
 */
#ifndef AEGISFS_CRYPTO_POLY1305_AVX512_H
#define AEGISFS_CRYPTO_POLY1305_AVX512_H

#include <immintrin.h>

#include "poly1305.h"

#define POLY_FN static inline ALWAYS_INLINE TARGET
#define POLY_LANES 8

struct poly8 {
  __m512i r0, r1, r2, s1, s2; /* multiplier; s = 20·r */
  __m512i h0, h1, h2;
};

/* `r` holds the lower and upper halves of the eight clamped multipliers. */
POLY_FN void poly8_init(struct poly8 *p, __m512i lo, __m512i hi) {
  const __m512i m44 = _mm512_set1_epi64(MASK44);
  lo = _mm512_and_si512(lo, _mm512_set1_epi64(0x0ffffffc0fffffff));
  hi = _mm512_and_si512(hi, _mm512_set1_epi64(0x0ffffffc0ffffffc));
  p->r0 = _mm512_and_si512(lo, m44);
  p->r1 = _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(lo, 44), _mm512_slli_epi64(hi, 20)), m44);
  p->r2 = _mm512_srli_epi64(hi, 24);
  p->s1 = _mm512_add_epi64(_mm512_slli_epi64(p->r1, 4), _mm512_slli_epi64(p->r1, 2));
  p->s2 = _mm512_add_epi64(_mm512_slli_epi64(p->r2, 4), _mm512_slli_epi64(p->r2, 2));
  p->h0 = p->h1 = p->h2 = _mm512_setzero_si512();
}

/* One 16-byte block of every message: (h + block + 2^128)·r. */
POLY_FN void poly8_block(struct poly8 *p, __m512i lo, __m512i hi) {
  const __m512i m44 = _mm512_set1_epi64(MASK44), m42 = _mm512_set1_epi64(MASK42), zero = _mm512_setzero_si512();
  __m512i h0 = _mm512_add_epi64(p->h0, _mm512_and_si512(lo, m44));
  __m512i middle = _mm512_or_si512(_mm512_srli_epi64(lo, 44), _mm512_slli_epi64(hi, 20));
  __m512i h1 = _mm512_add_epi64(p->h1, _mm512_and_si512(middle, m44));
  __m512i h2 = _mm512_add_epi64(p->h2, _mm512_or_si512(_mm512_srli_epi64(hi, 24), _mm512_set1_epi64(1ll << 40)));
  __m512i l0 = _mm512_madd52lo_epu64(zero, h2, p->s1), u0 = _mm512_madd52hi_epu64(zero, h2, p->s1);
  __m512i l1 = _mm512_madd52lo_epu64(zero, h2, p->s2), u1 = _mm512_madd52hi_epu64(zero, h2, p->s2);
  __m512i l2 = _mm512_madd52lo_epu64(zero, h2, p->r0), u2 = _mm512_madd52hi_epu64(zero, h2, p->r0);
  l0 = _mm512_madd52lo_epu64(l0, h0, p->r0), u0 = _mm512_madd52hi_epu64(u0, h0, p->r0);
  l1 = _mm512_madd52lo_epu64(l1, h0, p->r1), u1 = _mm512_madd52hi_epu64(u1, h0, p->r1);
  l2 = _mm512_madd52lo_epu64(l2, h0, p->r2), u2 = _mm512_madd52hi_epu64(u2, h0, p->r2);
  l0 = _mm512_madd52lo_epu64(l0, h1, p->s2), u0 = _mm512_madd52hi_epu64(u0, h1, p->s2);
  l1 = _mm512_madd52lo_epu64(l1, h1, p->r0), u1 = _mm512_madd52hi_epu64(u1, h1, p->r0);
  l2 = _mm512_madd52lo_epu64(l2, h1, p->r1), u2 = _mm512_madd52hi_epu64(u2, h1, p->r1);
  /* The upper parts weigh 2^52: 2^8 (or 2^10) in units of the next limb. */
  l1 = _mm512_add_epi64(l1, _mm512_add_epi64(_mm512_srli_epi64(l0, 44), _mm512_slli_epi64(u0, 8)));
  l2 = _mm512_add_epi64(l2, _mm512_add_epi64(_mm512_srli_epi64(l1, 44), _mm512_slli_epi64(u1, 8)));
  __m512i carry = _mm512_add_epi64(_mm512_srli_epi64(l2, 42), _mm512_slli_epi64(u2, 10));
  /* 2^130 = 5 */
  h0 = _mm512_add_epi64(_mm512_and_si512(l0, m44), _mm512_add_epi64(carry, _mm512_slli_epi64(carry, 2)));
  p->h1 = _mm512_add_epi64(_mm512_and_si512(l1, m44), _mm512_srli_epi64(h0, 44));
  p->h0 = _mm512_and_si512(h0, m44);
  p->h2 = _mm512_and_si512(l2, m42);
}

/* Rows of eight 64-bit words, one row per message, to columns. */
POLY_FN void transpose8x8(__m512i x[8]) {
  __m512i a[8], b[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    a[i] = _mm512_unpacklo_epi64(x[i], x[i + 1]);
    a[i + 1] = _mm512_unpackhi_epi64(x[i], x[i + 1]);
  }
  /* a[0], a[2], a[4], a[6]: words 0, 2, 4, 6 of message pairs; a[1], a[3], …: the odd words. */
#pragma GCC unroll 2
  for (int odd = 0; odd < 2; odd++) {
    b[0 + odd] = _mm512_shuffle_i64x2(a[odd], a[2 + odd], 0x88);
    b[2 + odd] = _mm512_shuffle_i64x2(a[odd], a[2 + odd], 0xdd);
    b[4 + odd] = _mm512_shuffle_i64x2(a[4 + odd], a[6 + odd], 0x88);
    b[6 + odd] = _mm512_shuffle_i64x2(a[4 + odd], a[6 + odd], 0xdd);
    x[0 + odd] = _mm512_shuffle_i64x2(b[0 + odd], b[4 + odd], 0x88);
    x[4 + odd] = _mm512_shuffle_i64x2(b[0 + odd], b[4 + odd], 0xdd);
    x[2 + odd] = _mm512_shuffle_i64x2(b[2 + odd], b[6 + odd], 0x88);
    x[6 + odd] = _mm512_shuffle_i64x2(b[2 + odd], b[6 + odd], 0xdd);
  }
}

/* 64 bytes at `off` of every message. */
POLY_FN void poly8_chunk(struct poly8 *p, const uint8_t *const *data, size_t off) {
  __m512i x[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) x[i] = _mm512_loadu_si512(data[i] + off);
  transpose8x8(x);
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) poly8_block(p, x[i], x[i + 1]);
}

/* Hands message i over to the scalar code, which ends it. */
POLY_FN void poly8_extract(const struct poly8 *p, uint64_t h[3][8]) {
  _mm512_storeu_si512(h[0], p->h0);
  _mm512_storeu_si512(h[1], p->h1);
  _mm512_storeu_si512(h[2], p->h2);
}

#endif
