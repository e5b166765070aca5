/*
 * Arithmetic in GF(2^128) for GHASH, in the POLYVAL representation of RFC 8452: 128-bit little-endian numbers, which is
 * what carry-less multiplication instructions want. RFC 8452 appendix A:
 * GHASH(H, X) = ByteReverse(POLYVAL(mulX_POLYVAL(ByteReverse(H)), ByteReverse(X))).
 *
 * This is the portable version. Products are made of ordinary multiplications of numbers with holes of three zero bits
 * between data bits, so that carries cannot reach the next data bit; integer multiplication takes constant time on the
 * processors in question.
 */
#ifndef AEGISFS_CRYPTO_POLYVAL_H
#define AEGISFS_CRYPTO_POLYVAL_H

#include "kernel.h"

struct element {
  uint64_t lo, hi;
};

static inline struct element element_load(const uint8_t *p) { return (struct element){load_le64(p), load_le64(p + 8)}; }

static inline void element_store(uint8_t *p, struct element e) {
  store_le64(p, e.lo);
  store_le64(p + 8, e.hi);
}

/* A 16-byte block of GHASH input, byte-reversed. */
static inline struct element element_block(const uint8_t *p) { return (struct element){load_be64(p + 8), load_be64(p)}; }

static inline void element_unblock(uint8_t *p, struct element e) {
  store_be64(p, e.hi);
  store_be64(p + 8, e.lo);
}

static inline struct element element_add(struct element a, struct element b) { return (struct element){a.lo ^ b.lo, a.hi ^ b.hi}; }

/* mulX_POLYVAL of the byte-reversed hash key: one shift, reduced by x^128 + x^127 + x^126 + x^121 + 1. */
static inline struct element ghash_key(const uint8_t h[16]) {
  struct element e = element_block(h);
  uint64_t top = 0 - (e.hi >> 63);
  return (struct element){(e.lo << 1) ^ (top & 1), ((e.hi << 1) | (e.lo >> 63)) ^ (top & 0xc200000000000000ull)};
}

/* Low 64 bits of the carry-less product. */
static inline uint64_t clmul_low(uint64_t x, uint64_t y) {
  const uint64_t m = 0x1111111111111111ull;
  uint64_t x0 = x & m, x1 = x & (m << 1), x2 = x & (m << 2), x3 = x & (m << 3);
  uint64_t y0 = y & m, y1 = y & (m << 1), y2 = y & (m << 2), y3 = y & (m << 3);
  uint64_t z0 = (x0 * y0) ^ (x1 * y3) ^ (x2 * y2) ^ (x3 * y1);
  uint64_t z1 = (x0 * y1) ^ (x1 * y0) ^ (x2 * y3) ^ (x3 * y2);
  uint64_t z2 = (x0 * y2) ^ (x1 * y1) ^ (x2 * y0) ^ (x3 * y3);
  uint64_t z3 = (x0 * y3) ^ (x1 * y2) ^ (x2 * y1) ^ (x3 * y0);
  return (z0 & m) | (z1 & (m << 1)) | (z2 & (m << 2)) | (z3 & (m << 3));
}

static inline uint64_t reverse_bits(uint64_t x) {
  x = ((x >> 1) & 0x5555555555555555ull) | ((x & 0x5555555555555555ull) << 1);
  x = ((x >> 2) & 0x3333333333333333ull) | ((x & 0x3333333333333333ull) << 2);
  x = ((x >> 4) & 0x0f0f0f0f0f0f0f0full) | ((x & 0x0f0f0f0f0f0f0f0full) << 4);
  return __builtin_bswap64(x);
}

/* A multiplier with its reversed bits, which give the upper half of products. */
struct multiplier {
  struct element e, r;
};

static inline struct multiplier multiplier_of(struct element e) {
  return (struct multiplier){e, {reverse_bits(e.lo), reverse_bits(e.hi)}};
}

/* dot(a, b) = a·b·x^−128 (RFC 8452 3): Karatsuba product, then two folds by x^−64. */
static inline struct element polyval_mul(struct element a, const struct multiplier *m) {
  uint64_t ra_lo = reverse_bits(a.lo), ra_hi = reverse_bits(a.hi);
  uint64_t ll = clmul_low(a.lo, m->e.lo), hl = clmul_low(a.hi, m->e.hi), ml = clmul_low(a.lo ^ a.hi, m->e.lo ^ m->e.hi);
  uint64_t lh = reverse_bits(clmul_low(ra_lo, m->r.lo)) >> 1;
  uint64_t hh = reverse_bits(clmul_low(ra_hi, m->r.hi)) >> 1;
  uint64_t mh = reverse_bits(clmul_low(ra_lo ^ ra_hi, m->r.lo ^ m->r.hi)) >> 1;
  uint64_t v0 = ll, v1 = lh ^ ml ^ ll ^ hl, v2 = hl ^ mh ^ lh ^ hh, v3 = hh;
  /* x^−64 = x^63 + x^62 + x^57 + 1·x^64…: fold v0, then v1, upwards. */
  v1 ^= (v0 << 63) ^ (v0 << 62) ^ (v0 << 57);
  v2 ^= v0 ^ (v0 >> 1) ^ (v0 >> 2) ^ (v0 >> 7);
  v2 ^= (v1 << 63) ^ (v1 << 62) ^ (v1 << 57);
  v3 ^= v1 ^ (v1 >> 1) ^ (v1 >> 2) ^ (v1 >> 7);
  return (struct element){v2, v3};
}

static inline struct element polyval_dot(struct element a, struct element b) {
  struct multiplier m = multiplier_of(b);
  return polyval_mul(a, &m);
}

#endif
