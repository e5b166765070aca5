/*
 * Poly1305 (RFC 8439 2.5) on 64-bit processors: the accumulator in limbs of 44, 44 and 42 bits, products in 128 bits.
 * No branch or index depends on data.
 */
#ifndef AEGISFS_CRYPTO_POLY1305_H
#define AEGISFS_CRYPTO_POLY1305_H

#include "kernel.h"

#define MASK44 0xfffffffffffull
#define MASK42 0x3ffffffffffull

typedef unsigned __int128 wide;

struct poly1305 {
  uint64_t r0, r1, r2; /* clamped multiplier */
  uint64_t s1, s2;     /* 20·r1, 20·r2: 2^132 = 20 mod 2^130 − 5 in units of 2^130·4 */
  uint64_t h0, h1, h2;
  uint64_t pad0, pad1;
};

static inline void poly1305_init(struct poly1305 *p, const uint8_t key[32]) {
  uint64_t t0 = load_le64(key) & 0x0ffffffc0fffffffull, t1 = load_le64(key + 8) & 0x0ffffffc0ffffffcull;
  p->r0 = t0 & MASK44;
  p->r1 = ((t0 >> 44) | (t1 << 20)) & MASK44;
  p->r2 = t1 >> 24;
  p->s1 = p->r1 * 20;
  p->s2 = p->r2 * 20;
  p->h0 = p->h1 = p->h2 = 0;
  p->pad0 = load_le64(key + 16);
  p->pad1 = load_le64(key + 24);
}

/* Whole 16-byte blocks, each with a one bit above it. */
static inline ALWAYS_INLINE void poly1305_blocks(struct poly1305 *p, const uint8_t *data, size_t blocks) {
  uint64_t h0 = p->h0, h1 = p->h1, h2 = p->h2;
  for (; blocks > 0; blocks--, data += 16) {
    uint64_t t0 = load_le64(data), t1 = load_le64(data + 8);
    h0 += t0 & MASK44;
    h1 += ((t0 >> 44) | (t1 << 20)) & MASK44;
    h2 += (t1 >> 24) | (1ull << 40);
    wide d0 = (wide)h0 * p->r0 + (wide)h1 * p->s2 + (wide)h2 * p->s1;
    wide d1 = (wide)h0 * p->r1 + (wide)h1 * p->r0 + (wide)h2 * p->s2;
    wide d2 = (wide)h0 * p->r2 + (wide)h1 * p->r1 + (wide)h2 * p->r0;
    h0 = (uint64_t)d0 & MASK44;
    d1 += (uint64_t)(d0 >> 44);
    h1 = (uint64_t)d1 & MASK44;
    d2 += (uint64_t)(d1 >> 44);
    h2 = (uint64_t)d2 & MASK42;
    h0 += (uint64_t)(d2 >> 42) * 5;
    h1 += h0 >> 44;
    h0 &= MASK44;
  }
  p->h0 = h0;
  p->h1 = h1;
  p->h2 = h2;
}

/* Data padded with zeros to a multiple of 16, as the AEAD wants it (RFC 8439 2.8). */
static inline void poly1305_padded(struct poly1305 *p, const uint8_t *data, size_t len) {
  poly1305_blocks(p, data, len / 16);
  if (len % 16 != 0) {
    uint8_t last[16] = {0};
    memcpy(last, data + len / 16 * 16, len % 16);
    poly1305_blocks(p, last, 1);
    wipe(last, sizeof last);
  }
}

static inline void poly1305_finish(struct poly1305 *p, uint8_t tag[16]) {
  uint64_t h0 = p->h0, h1 = p->h1, h2 = p->h2, c;
  /* Two rounds of carries bring h below 2^130. */
  for (int i = 0; i < 2; i++) {
    h1 += h0 >> 44;
    h0 &= MASK44;
    h2 += h1 >> 44;
    h1 &= MASK44;
    h0 += (h2 >> 42) * 5;
    h2 &= MASK42;
  }
  h1 += h0 >> 44;
  h0 &= MASK44;
  h2 += h1 >> 44;
  h1 &= MASK44;
  /* g = h + 5 − 2^130; take it if it is not negative. */
  uint64_t g0 = h0 + 5;
  c = g0 >> 44;
  g0 &= MASK44;
  uint64_t g1 = h1 + c;
  c = g1 >> 44;
  g1 &= MASK44;
  uint64_t g2 = h2 + c - (1ull << 42);
  uint64_t keep = 0 - (g2 >> 63);
  h0 = (h0 & keep) | (g0 & ~keep);
  h1 = (h1 & keep) | (g1 & ~keep);
  h2 = (h2 & keep) | (g2 & ~keep);
  uint64_t lo = h0 | (h1 << 44), hi = (h1 >> 20) | (h2 << 24);
  wide sum = (wide)lo + p->pad0;
  store_le64(tag, (uint64_t)sum);
  store_le64(tag + 8, hi + p->pad1 + (uint64_t)(sum >> 64));
  wipe(p, sizeof *p);
}

#endif
