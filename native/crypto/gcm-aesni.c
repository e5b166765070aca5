/* AES-256-GCM on 128-bit AES-NI and PCLMULQDQ. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include <immintrin.h>

#define TARGET __attribute__((target("aes,pclmul,sse4.1,ssse3")))
#define INLINE static inline __attribute__((always_inline)) TARGET
#define V __m128i
#define LANES 1
#define V_LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define V_STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define V_BROADCAST(p) V_LOAD(p)
#define V_ZERO _mm_setzero_si128()
#define V_XOR _mm_xor_si128
#define V_XOR3(a, b, c) _mm_xor_si128(a, _mm_xor_si128(b, c))
#define V_ADD32 _mm_add_epi32
#define V_AES _mm_aesenc_si128
#define V_AESLAST _mm_aesenclast_si128
#define V_CLMUL _mm_clmulepi64_si128
#define V_REVERSE(v) reverse1(v)
#define V_UP8(v) _mm_slli_si128(v, 8)
#define V_DOWN8(v) _mm_srli_si128(v, 8)
#define V_SWAP(v) _mm_shuffle_epi32(v, 0x4e)
#define V_FOLD(v) (v)
#define V_LANE0(x) (x)
#include "gcm-x86.h"

TARGET void gcm_aesni_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false);
}

TARGET void gcm_aesni_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true);
}
#endif
