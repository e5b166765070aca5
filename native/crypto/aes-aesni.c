/* AES in ECB form with AES-NI (Intel white paper "Advanced Encryption Standard New Instructions", 2010), eight blocks in flight. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include <immintrin.h>

#define TARGET __attribute__((target("aes,sse4.1,ssse3")))
#define FN static inline __attribute__((always_inline)) TARGET
#define WIDTH 8

FN __m128i load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }
FN void store(uint8_t *p, __m128i v) { _mm_storeu_si128((__m128i *)(void *)p, v); }

/* `n` is a constant after inlining. */
FN void some_blocks(const uint8_t (*keys)[16], uint32_t rounds, const uint8_t *in, uint8_t *out, int n, bool decrypt) {
  __m128i x[WIDTH], k = load(keys[0]);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) x[i] = _mm_xor_si128(load(in + 16 * i), k);
  for (uint32_t r = 1; r < rounds; r++) {
    k = load(keys[r]);
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) x[i] = decrypt ? _mm_aesdec_si128(x[i], k) : _mm_aesenc_si128(x[i], k);
  }
  k = load(keys[rounds]);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) store(out + 16 * i, decrypt ? _mm_aesdeclast_si128(x[i], k) : _mm_aesenclast_si128(x[i], k));
}

FN void ecb(const uint8_t (*keys)[16], uint32_t rounds, const uint8_t *in, uint8_t *out, size_t blocks, bool decrypt) {
  for (; blocks >= 8; blocks -= 8, in += 128, out += 128) some_blocks(keys, rounds, in, out, 8, decrypt);
  for (; blocks >= 4; blocks -= 4, in += 64, out += 64) some_blocks(keys, rounds, in, out, 4, decrypt);
  for (; blocks >= 1; blocks -= 1, in += 16, out += 16) some_blocks(keys, rounds, in, out, 1, decrypt);
}

TARGET void aes_ecb_encrypt_aesni(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key->enc, key->rounds, in, out, blocks, false);
}

TARGET void aes_ecb_decrypt_aesni(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key->dec, key->rounds, in, out, blocks, true);
}
#endif
