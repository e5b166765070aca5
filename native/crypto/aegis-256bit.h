/* The register layout of aegis-vector.h for 256-bit vectors: vector i is message i, lane 0 below lane 1. */

INLINE V NAME(v_context)(int i) {
  (void)i;
  return _mm256_set_epi64x(0, 0x101, 0, 0x100);
}

INLINE V NAME(v_nonce)(int i, const uint8_t *const *nonces, size_t off) { return V_BROADCAST(nonces[i] + off); }

INLINE V NAME(v_load)(int i, const uint8_t *const *in, size_t off) { return V_LOAD(in[i] + off); }

INLINE void NAME(v_store)(const V *v, uint8_t *const *out, size_t off) {
#pragma GCC unroll 4
  for (int i = 0; i < NV; i++) _mm256_storeu_si256((__m256i *)(void *)(out[i] + off), v[i]);
}

INLINE void NAME(v_tag)(const V *v, uint8_t (*tags)[16]) {
#pragma GCC unroll 4
  for (int i = 0; i < NV; i++) {
    __m128i tag = _mm_xor_si128(_mm256_castsi256_si128(v[i]), _mm256_extracti128_si256(v[i], 1));
    _mm_storeu_si128((__m128i *)(void *)tags[i], tag);
  }
}
