/* The vocabulary of the width-independent engines on 256-bit registers: two AES blocks per vector. See vector-128.h. */
#include <immintrin.h>

#include "quad-x86.h"

#define TARGET __attribute__((target("avx2,aes,pclmul,vaes,vpclmulqdq")))
#define INLINE static inline ALWAYS_INLINE TARGET
#define V __m256i
#define LANES 2
#define V_LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define V_STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define V_BROADCAST(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define V_LANE0(x) _mm256_zextsi128_si256(x)
#define V_ZERO _mm256_setzero_si256()
#define V_XOR _mm256_xor_si256
#define V_XOR3(a, b, c) _mm256_xor_si256(a, _mm256_xor_si256(b, c))
#define V_XOR_AND(x, a, b) _mm256_xor_si256(x, _mm256_and_si256(a, b))
#define V_ADD32 _mm256_add_epi32
#define V_ADD64 _mm256_add_epi64
#define V_AES _mm256_aesenc_epi128
#define V_AESLAST _mm256_aesenclast_epi128
#define V_AESDEC _mm256_aesdec_epi128
#define V_AESDECLAST _mm256_aesdeclast_epi128
#define V_CLMUL _mm256_clmulepi64_epi128
#define V_REVERSE(v) \
  _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
#define V_UP8(v) _mm256_slli_si256(v, 8)
#define V_DOWN8(v) _mm256_srli_si256(v, 8)
#define V_SWAP(v) _mm256_shuffle_epi32(v, 0x4e)
#define V_FOLD(v) _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1))
