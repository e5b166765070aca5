/*
 * AES-256-GCM on AES-NI and PCLMULQDQ: eight counter blocks in flight, GHASH of eight blocks with one reduction.
 * GHASH works on POLYVAL elements (RFC 8452 appendix A), whose products need no bit shift.
 */
#include "engines.h"
#include "gcm.h"

#ifdef HAVE_X86_TIERS
#include <immintrin.h>

#define TARGET __attribute__((target("aes,pclmul,sse4.1,ssse3")))
#define FN static inline __attribute__((always_inline)) TARGET
#define WIDTH 8

FN __m128i load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }
FN void store(uint8_t *p, __m128i v) { _mm_storeu_si128((__m128i *)(void *)p, v); }
FN __m128i reverse(__m128i v) { return _mm_shuffle_epi8(v, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)); }

/* Unreduced sum of products. */
struct product {
  __m128i lo, mid, hi;
};

FN void multiply_add(struct product *p, __m128i a, __m128i b) {
  p->lo = _mm_xor_si128(p->lo, _mm_clmulepi64_si128(a, b, 0x00));
  p->hi = _mm_xor_si128(p->hi, _mm_clmulepi64_si128(a, b, 0x11));
  p->mid = _mm_xor_si128(p->mid, _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x01), _mm_clmulepi64_si128(a, b, 0x10)));
}

/* times x^−128 modulo x^128 + x^127 + x^126 + x^121 + 1, in two folds of 64 bits. */
FN __m128i reduce(struct product p) {
  const __m128i poly = _mm_set_epi64x((long long)0xc200000000000000ull, 0);
  __m128i lo = _mm_xor_si128(p.lo, _mm_slli_si128(p.mid, 8)), hi = _mm_xor_si128(p.hi, _mm_srli_si128(p.mid, 8));
  lo = _mm_xor_si128(_mm_shuffle_epi32(lo, 0x4e), _mm_clmulepi64_si128(lo, poly, 0x10));
  lo = _mm_xor_si128(_mm_shuffle_epi32(lo, 0x4e), _mm_clmulepi64_si128(lo, poly, 0x10));
  return _mm_xor_si128(hi, lo);
}

FN __m128i multiply(__m128i a, __m128i b) {
  struct product p = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
  multiply_add(&p, a, b);
  return reduce(p);
}

/* Absorbs eight blocks: (acc ^ x1)·H^8 ^ x2·H^7 ^ … ^ x8·H. */
FN __m128i absorb8(__m128i acc, const __m128i *blocks, const uint8_t (*powers)[16]) {
  struct product p = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) {
    __m128i x = reverse(blocks[i]);
    if (i == 0) x = _mm_xor_si128(x, acc);
    multiply_add(&p, x, load(powers[7 - i]));
  }
  return reduce(p);
}

FN __m128i absorb(__m128i acc, const uint8_t *data, size_t len, const uint8_t (*powers)[16]) {
  const __m128i h = load(powers[0]);
  for (; len >= 16; data += 16, len -= 16) acc = multiply(_mm_xor_si128(acc, reverse(load(data))), h);
  if (len > 0) {
    uint8_t last[16] = {0};
    memcpy(last, data, len);
    acc = multiply(_mm_xor_si128(acc, reverse(load(last))), h);
    wipe(last, sizeof last);
  }
  return acc;
}

FN __m128i absorb_lengths(__m128i acc, size_t ad_len, size_t len, const uint8_t (*powers)[16]) {
  __m128i block = _mm_set_epi64x((long long)(8 * (uint64_t)ad_len), (long long)(8 * (uint64_t)len));
  return multiply(_mm_xor_si128(acc, block), load(powers[0]));
}

/* AES-256 of n blocks (n constant). */
FN void encrypt(const struct aes_key *key, __m128i *x, int n) {
  __m128i k = load(key->enc[0]);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) x[i] = _mm_xor_si128(x[i], k);
#pragma GCC unroll 13
  for (int r = 1; r < 14; r++) {
    k = load(key->enc[r]);
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) x[i] = _mm_aesenc_si128(x[i], k);
  }
  k = load(key->enc[14]);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) x[i] = _mm_aesenclast_si128(x[i], k);
}

/* Counter blocks are kept byte-reversed, so that the 32-bit counter is a plain integer in element 0; it wraps by itself (inc32, 6.2). */
FN void counters(__m128i *x, __m128i *counter, int n) {
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) {
    *counter = _mm_add_epi32(*counter, _mm_set_epi32(0, 0, 0, 1));
    x[i] = reverse(*counter);
  }
}

FN void run(const struct key_material *key, struct msg *msg, size_t len, size_t ad_len, bool opening) {
  const uint8_t(*powers)[16] = key->hash_powers;
  const uint8_t *in = msg->in;
  uint8_t *out = msg->out;
  __m128i counter, acc = _mm_setzero_si128(), mask, x[WIDTH], y[WIDTH];
  if (kind_nonce_len(key->kind) == 12) {
    uint8_t j0[16];
    gcm_counter96(j0, msg->nonce);
    counter = reverse(load(j0));
  } else {
    counter = absorb_lengths(absorb(acc, msg->nonce, 16, powers), 0, 16, powers);
  }
  mask = reverse(counter);
  encrypt(&key->aes, &mask, 1);
  acc = absorb(acc, msg->ad, ad_len, powers);
  size_t left = len;
  for (; left >= 16 * WIDTH; left -= 16 * WIDTH, in += 16 * WIDTH, out += 16 * WIDTH) {
    counters(x, &counter, WIDTH);
    encrypt(&key->aes, x, WIDTH);
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i++) {
      y[i] = load(in + 16 * i);
      x[i] = _mm_xor_si128(x[i], y[i]);
      store(out + 16 * i, x[i]);
    }
    acc = absorb8(acc, opening ? y : x, powers);
  }
  if (opening) acc = absorb(acc, in, left, powers);
  const uint8_t *tail = out;
  size_t tail_len = left;
  while (left > 0) {
    size_t n = left < 16 ? left : 16;
    uint8_t block[16];
    counters(x, &counter, 1);
    encrypt(&key->aes, x, 1);
    store(block, x[0]);
    for (size_t i = 0; i < n; i++) out[i] = in[i] ^ block[i];
    wipe(block, sizeof block);
    left -= n;
    in += n;
    out += n;
  }
  if (!opening) acc = absorb(acc, tail, tail_len, powers);
  acc = absorb_lengths(acc, ad_len, len, powers);
  store(msg->tag, _mm_xor_si128(reverse(acc), mask));
}

TARGET void gcm_aesni_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) run(key, &msgs[i], len, ad_len, false);
}

TARGET void gcm_aesni_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) run(key, &msgs[i], len, ad_len, true);
}
#endif
