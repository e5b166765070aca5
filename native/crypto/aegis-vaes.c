/* AEGIS with 256-bit VAES: both lanes of a message in one register. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,aes,vaes,vpclmulqdq")))
#define V __m256i
#define V_XOR _mm256_xor_si256
#define V_XOR3(a, b, c) _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#define V_XOR_AND(x, a, b) _mm256_xor_si256(x, _mm256_and_si256(a, b))
#define V_AES _mm256_aesenc_epi128
#define V_BROADCAST(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define INLINE static inline __attribute__((always_inline)) TARGET

#define NMSG 1
#define NV 1
#define NAME(x) one_##x
#include "aegis-256bit.h"
#include "aegis-x86.h"
#undef NMSG
#undef NV
#undef NAME

#define NMSG 2
#define NV 2
#define NAME(x) two_##x
#include "aegis-256bit.h"
#include "aegis-x86.h"

/* Two messages where there are two: the sixteen registers do not hold both states, but spilling costs less than waiting. */
INLINE void batch(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len, bool wide, bool opening) {
  for (; count >= 2; count -= 2, msgs += 2) two_message(key, msgs, len, ad_len, wide, opening);
  if (count > 0) one_message(key, msgs, len, ad_len, wide, opening);
}

TARGET void aegis128x2_vaes_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true, false);
}

TARGET void aegis128x2_vaes_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true, true);
}

TARGET void aegis256x2_vaes_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false, false);
}

TARGET void aegis256x2_vaes_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false, true);
}
#endif
