/*
 * AEGIS with 512-bit VAES: two messages share a register (lanes 0 and 1 of the first, then of the second), and four
 * messages run side by side in two registers per state block. What is left over runs as two, then as one.
 */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,aes,vaes,vpclmulqdq,prefer-vector-width=512")))
#define INLINE static inline __attribute__((always_inline)) TARGET

/* One message in 256 bits, with the 32 registers and three-input logic of AVX-512VL. */
#define V __m256i
#define V_XOR _mm256_xor_si256
#define V_XOR3(a, b, c) _mm256_ternarylogic_epi64(a, b, c, 0x96)
#define V_XOR_AND(x, a, b) _mm256_ternarylogic_epi64(x, a, b, 0x78)
#define V_AES _mm256_aesenc_epi128
#define V_BROADCAST(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define NMSG 1
#define NV 1
#define NAME(x) one_##x
#include "aegis-256bit.h"
#include "aegis-x86.h"
#undef NMSG
#undef NV
#undef NAME
#undef V
#undef V_XOR
#undef V_XOR3
#undef V_XOR_AND
#undef V_AES
#undef V_BROADCAST

#define V __m512i
#define V_XOR _mm512_xor_si512
#define V_XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define V_XOR_AND(x, a, b) _mm512_ternarylogic_epi64(x, a, b, 0x78)
#define V_AES _mm512_aesenc_epi128
#define V_BROADCAST(p) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(p)))

#define NMSG 2
#define NV 1
#define NAME(x) two_##x
#include "aegis-512bit.h"
#include "aegis-x86.h"
#undef NMSG
#undef NV
#undef NAME

#define NMSG 4
#define NV 2
#define NAME(x) four_##x
#include "aegis-512bit.h"
#include "aegis-x86.h"

INLINE void batch(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len, bool wide, bool opening) {
  for (; count >= 4; count -= 4, msgs += 4) four_message(key, msgs, len, ad_len, wide, opening);
  if (count >= 2) {
    two_message(key, msgs, len, ad_len, wide, opening);
    count -= 2;
    msgs += 2;
  }
  if (count > 0) one_message(key, msgs, len, ad_len, wide, opening);
}

TARGET void aegis128x2_avx512_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true, false);
}

TARGET void aegis128x2_avx512_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true, true);
}

TARGET void aegis256x2_avx512_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false, false);
}

TARGET void aegis256x2_avx512_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false, true);
}
#endif
