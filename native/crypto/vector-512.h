/* The vocabulary of the width-independent engines on 512-bit registers: four AES blocks per vector. See vector-128.h. */
#include <immintrin.h>

#include "quad-x86.h"

#define TARGET __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,aes,pclmul,vaes,vpclmulqdq,prefer-vector-width=512")))
#define INLINE static inline ALWAYS_INLINE TARGET
#define V __m512i
#define LANES 4
#define V_LOAD(p) _mm512_loadu_si512(p)
#define V_STORE(p, v) _mm512_storeu_si512(p, v)
#define V_BROADCAST(p) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define V_LANE0(x) _mm512_zextsi128_si512(x)
#define V_ZERO _mm512_setzero_si512()
#define V_XOR _mm512_xor_si512
#define V_XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define V_XOR_AND(x, a, b) _mm512_ternarylogic_epi64(x, a, b, 0x78)
#define V_ADD32 _mm512_add_epi32
#define V_ADD64 _mm512_add_epi64
#define V_AES _mm512_aesenc_epi128
#define V_AESLAST _mm512_aesenclast_epi128
#define V_AESDEC _mm512_aesdec_epi128
#define V_AESDECLAST _mm512_aesdeclast_epi128
#define V_CLMUL _mm512_clmulepi64_epi128
#define V_REVERSE(v) _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
#define V_UP8(v) _mm512_bslli_epi128(v, 8)
#define V_DOWN8(v) _mm512_bsrli_epi128(v, 8)
#define V_SWAP(v) _mm512_shuffle_epi32(v, 0x4e)
#define V_FOLD(v) fold(v)

INLINE __m128i fold(__m512i v) {
  __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
  return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}
