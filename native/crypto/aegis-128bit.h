/* The register layout of aegis-vector.h for 128-bit vectors and one message: vector i is lane i. */

INLINE V NAME(v_context)(int i) {
  const uint8_t context[16] = {(uint8_t)i, 1};
  return V_LOAD(context);
}

INLINE V NAME(v_nonce)(int i, const uint8_t *const *nonces, size_t off) {
  (void)i;
  return V_LOAD(nonces[0] + off);
}

INLINE V NAME(v_load)(int i, const uint8_t *const *in, size_t off) { return V_LOAD(in[0] + off + 16 * (size_t)i); }

INLINE void NAME(v_store)(const V *v, uint8_t *const *out, size_t off) {
  V_STORE(out[0] + off, v[0]);
  V_STORE(out[0] + off + 16, v[1]);
}

INLINE void NAME(v_tag)(const V *v, uint8_t (*tags)[16]) { V_STORE(tags[0], V_XOR(v[0], v[1])); }
