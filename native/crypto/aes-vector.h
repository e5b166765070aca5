/*
 * AES in ECB form (Intel white paper "Advanced Encryption Standard New Instructions", 2010), for any register width.
 * The includer defines TARGET, INLINE, V, LANES, V_LOAD, V_STORE, V_BROADCAST, V_XOR, and V_AES, V_AESLAST, V_AESDEC, V_AESDECLAST.
 */

/* `n` vectors at once, `n` and `decrypt` constants. */
INLINE void ecb_vectors(const uint8_t (*keys)[16], uint32_t rounds, const uint8_t *in, uint8_t *out, int n, bool decrypt) {
  V x[8], k = V_BROADCAST(keys[0]);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) x[i] = V_XOR(V_LOAD(in + 16 * LANES * i), k);
  for (uint32_t r = 1; r < rounds; r++) {
    k = V_BROADCAST(keys[r]);
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) x[i] = decrypt ? V_AESDEC(x[i], k) : V_AES(x[i], k);
  }
  k = V_BROADCAST(keys[rounds]);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) V_STORE(out + 16 * LANES * i, decrypt ? V_AESDECLAST(x[i], k) : V_AESLAST(x[i], k));
}

INLINE void ecb(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks, bool decrypt) {
  const uint8_t(*keys)[16] = decrypt ? key->dec : key->enc;
  for (; blocks >= 8 * LANES; blocks -= 8 * LANES, in += 128 * LANES, out += 128 * LANES) {
    ecb_vectors(keys, key->rounds, in, out, 8, decrypt);
  }
  for (; blocks >= 4 * LANES; blocks -= 4 * LANES, in += 64 * LANES, out += 64 * LANES) {
    ecb_vectors(keys, key->rounds, in, out, 4, decrypt);
  }
  for (; blocks >= LANES; blocks -= LANES, in += 16 * LANES, out += 16 * LANES) ecb_vectors(keys, key->rounds, in, out, 1, decrypt);
  if (blocks > 0) {
    uint8_t rest[16 * LANES] = {0};
    memcpy(rest, in, 16 * blocks);
    ecb_vectors(keys, key->rounds, rest, rest, 1, decrypt);
    memcpy(out, rest, 16 * blocks);
    wipe(rest, sizeof rest);
  }
}
