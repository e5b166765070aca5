/* The vocabulary of the width-independent engines (aegis-vector.h, gcm-vector.h, aes-vector.h, siv-vector.h) on 128-bit registers of
 * x86: one AES block per vector. */
#include <immintrin.h>

#include "quad-x86.h"

#define TARGET __attribute__((target("aes,pclmul,sse4.1,ssse3")))
#define INLINE static inline ALWAYS_INLINE TARGET
#define V __m128i
#define LANES 1
#define V_LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define V_STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define V_BROADCAST(p) V_LOAD(p)
#define V_LANE0(x) (x)
#define V_ZERO _mm_setzero_si128()
#define V_XOR _mm_xor_si128
#define V_XOR3(a, b, c) _mm_xor_si128(a, _mm_xor_si128(b, c))
#define V_XOR_AND(x, a, b) _mm_xor_si128(x, _mm_and_si128(a, b))
#define V_ADD32 _mm_add_epi32
#define V_ADD64 _mm_add_epi64
#define V_AES _mm_aesenc_si128
#define V_AESLAST _mm_aesenclast_si128
#define V_AESDEC _mm_aesdec_si128
#define V_AESDECLAST _mm_aesdeclast_si128
#define V_CLMUL _mm_clmulepi64_si128
#define V_REVERSE(v) _mm_shuffle_epi8(v, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define V_UP8(v) _mm_slli_si128(v, 8)
#define V_DOWN8(v) _mm_srli_si128(v, 8)
#define V_SWAP(v) _mm_shuffle_epi32(v, 0x4e)
#define V_FOLD(v) (v)
