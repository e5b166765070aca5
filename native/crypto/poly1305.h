/*
 * Poly1305 (RFC 8439 2.5) on 64-bit processors: the accumulator in limbs of 44, 44 and 42 bits, products in 128 bits.
 * No branch or index depends on data. Four blocks share one chain of carries:
 * ((((h + m1)·r + m2)·r + m3)·r + m4)·r = (h + m1)·r^4 + m2·r^3 + m3·r^2 + m4·r.
 */
#ifndef AEGISFS_CRYPTO_POLY1305_H
#define AEGISFS_CRYPTO_POLY1305_H

#include "kernel.h"

#define MASK44 0xfffffffffffull
#define MASK42 0x3ffffffffffull

typedef unsigned __int128 wide;

struct limbs {
  uint64_t a0, a1, a2;
};

/* A power of the multiplier; s = 20·r, since 2^132 (two limbs past the top) is 4·2^130 = 20. */
struct power {
  uint64_t r0, r1, r2, s1, s2;
};

struct poly1305 {
  struct power powers[4]; /* r, r^2, r^3, r^4 */
  uint64_t h0, h1, h2;
  uint64_t pad0, pad1;
};

struct sums {
  wide d0, d1, d2;
};

static inline ALWAYS_INLINE void poly1305_add_product(struct sums *d, struct limbs a, const struct power *p) {
  d->d0 += (wide)a.a0 * p->r0 + (wide)a.a1 * p->s2 + (wide)a.a2 * p->s1;
  d->d1 += (wide)a.a0 * p->r1 + (wide)a.a1 * p->r0 + (wide)a.a2 * p->s2;
  d->d2 += (wide)a.a0 * p->r2 + (wide)a.a1 * p->r1 + (wide)a.a2 * p->r0;
}

/* Back to limbs that are a few bits above their size at most. */
static inline ALWAYS_INLINE struct limbs poly1305_carry(struct sums d) {
  uint64_t h0 = (uint64_t)d.d0 & MASK44;
  d.d1 += (uint64_t)(d.d0 >> 44);
  uint64_t h1 = (uint64_t)d.d1 & MASK44;
  d.d2 += (uint64_t)(d.d1 >> 44);
  uint64_t h2 = (uint64_t)d.d2 & MASK42;
  h0 += (uint64_t)(d.d2 >> 42) * 5;
  h1 += h0 >> 44;
  h0 &= MASK44;
  return (struct limbs){h0, h1, h2};
}

static inline ALWAYS_INLINE struct power poly1305_power(struct limbs a) { return (struct power){a.a0, a.a1, a.a2, a.a1 * 20, a.a2 * 20}; }

static inline void poly1305_init(struct poly1305 *p, const uint8_t key[32]) {
  uint64_t t0 = load_le64(key) & 0x0ffffffc0fffffffull, t1 = load_le64(key + 8) & 0x0ffffffc0ffffffcull;
  struct limbs r = {t0 & MASK44, ((t0 >> 44) | (t1 << 20)) & MASK44, t1 >> 24};
  p->powers[0] = poly1305_power(r);
  for (int i = 1; i < 4; i++) {
    struct sums d = {0, 0, 0};
    poly1305_add_product(&d, r, &p->powers[0]);
    r = poly1305_carry(d);
    p->powers[i] = poly1305_power(r);
  }
  p->h0 = p->h1 = p->h2 = 0;
  p->pad0 = load_le64(key + 16);
  p->pad1 = load_le64(key + 24);
}

/* A block with a one bit above it. */
static inline ALWAYS_INLINE struct limbs poly1305_limbs(const uint8_t *data) {
  uint64_t t0 = load_le64(data), t1 = load_le64(data + 8);
  return (struct limbs){t0 & MASK44, ((t0 >> 44) | (t1 << 20)) & MASK44, (t1 >> 24) | (1ull << 40)};
}

/* Whole 16-byte blocks. */
static inline ALWAYS_INLINE void poly1305_blocks(struct poly1305 *p, const uint8_t *data, size_t blocks) {
  struct limbs h = {p->h0, p->h1, p->h2};
  while (blocks > 0) {
    size_t n = blocks >= 4 ? 4 : 1;
    struct sums d = {0, 0, 0};
    struct limbs m = poly1305_limbs(data);
    m.a0 += h.a0;
    m.a1 += h.a1;
    m.a2 += h.a2;
    if (n == 4) {
      poly1305_add_product(&d, m, &p->powers[3]);
      poly1305_add_product(&d, poly1305_limbs(data + 16), &p->powers[2]);
      poly1305_add_product(&d, poly1305_limbs(data + 32), &p->powers[1]);
      m = poly1305_limbs(data + 48);
    }
    poly1305_add_product(&d, m, &p->powers[0]);
    h = poly1305_carry(d);
    data += 16 * n;
    blocks -= n;
  }
  p->h0 = h.a0;
  p->h1 = h.a1;
  p->h2 = h.a2;
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
