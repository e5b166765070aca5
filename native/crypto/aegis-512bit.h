/* The register layout of aegis-vector.h for 512-bit vectors: vector i is messages 2i and 2i + 1, lane 0 then lane 1 of each. */

INLINE V NAME(pair)(__m256i low, __m256i high) { return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1); }

INLINE V NAME(v_context)(int i) {
  (void)i;
  return _mm512_set_epi64(0, 0x101, 0, 0x100, 0, 0x101, 0, 0x100);
}

INLINE V NAME(v_nonce)(int i, const uint8_t *const *nonces, size_t off) {
  __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(nonces[2 * i] + off));
  __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(nonces[2 * i + 1] + off));
  return NAME(pair)(_mm256_broadcastsi128_si256(a), _mm256_broadcastsi128_si256(b));
}

INLINE V NAME(v_load)(int i, const uint8_t *const *in, size_t off) {
  return NAME(pair)(_mm256_loadu_si256((const __m256i *)(const void *)(in[2 * i] + off)),
                    _mm256_loadu_si256((const __m256i *)(const void *)(in[2 * i + 1] + off)));
}

INLINE void NAME(v_store)(const V *v, uint8_t *const *out, size_t off) {
#pragma GCC unroll 4
  for (int i = 0; i < NV; i++) {
    _mm256_storeu_si256((__m256i *)(void *)(out[2 * i] + off), _mm512_castsi512_si256(v[i]));
    _mm256_storeu_si256((__m256i *)(void *)(out[2 * i + 1] + off), _mm512_extracti64x4_epi64(v[i], 1));
  }
}

INLINE void NAME(v_tag)(const V *v, uint8_t (*tags)[16]) {
#pragma GCC unroll 4
  for (int i = 0; i < NV; i++) {
    /* Lane 0 XOR lane 1 of both messages, then one 128-bit part each. */
    __m512i both = _mm512_xor_si512(v[i], _mm512_shuffle_i64x2(v[i], v[i], 0xb1));
    _mm_storeu_si128((__m128i *)(void *)tags[2 * i], _mm512_castsi512_si128(both));
    _mm_storeu_si128((__m128i *)(void *)tags[2 * i + 1], _mm512_extracti32x4_epi32(both, 2));
  }
}
