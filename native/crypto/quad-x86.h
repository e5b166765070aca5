/* Single 128-bit registers next to the wide ones, for what is done once per chunk (gcm-vector.h). */
#define Q __m128i
#define Q_LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define Q_STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define Q_ZERO _mm_setzero_si128()
#define Q_XOR _mm_xor_si128
#define Q_UP8(v) _mm_slli_si128(v, 8)
#define Q_DOWN8(v) _mm_srli_si128(v, 8)
#define Q_SWAP(v) _mm_shuffle_epi32(v, 0x4e)
#define Q_CLMUL _mm_clmulepi64_si128
