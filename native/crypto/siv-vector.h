/*
 * The two long loops of AES-SIV on AES instructions, for any register width (vector-128.h and its siblings): up to
 * 8 × LANES CMAC chains side by side, and counter mode with as many blocks in flight.
 */
#include "aes-vector.h"

#define SIV_WIDTH 8 /* vectors in flight */
#define STAGED 4    /* AES blocks per message that are fetched together: one cache line */

/* AES-256 of `n` vectors; n is a constant. */
INLINE void encrypt_vectors(const struct aes_key *key, V *x, int n) {
  V k = V_BROADCAST(key->enc[0]);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) x[i] = V_XOR(x[i], k);
#pragma GCC unroll 13
  for (int r = 1; r < 14; r++) {
    k = V_BROADCAST(key->enc[r]);
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) x[i] = V_AES(x[i], k);
  }
  k = V_BROADCAST(key->enc[14]);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) x[i] = V_AESLAST(x[i], k);
}

/*
 * Continues up to n × LANES chains; spare lanes repeat the first message. Blocks of a file lie 4096 bytes apart, so that
 * walking 32 of them 16 bytes at a time would keep evicting the same cache set: whole lines are fetched and put in order first.
 */
INLINE void chain_vectors(const struct key_material *key, uint8_t (*chain)[16], const uint8_t *const *data, size_t count, size_t blocks,
  int n) {
  V x[SIV_WIDTH];
  uint8_t staged[STAGED][SIV_WIDTH * LANES][16], state[SIV_WIDTH * LANES][16];
  for (size_t j = 0; j < (size_t)(n * LANES); j++) memcpy(state[j], chain[j < count ? j : 0], 16);
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) x[i] = V_LOAD(state[i * LANES]);
  for (size_t b = 0; b < blocks; b += STAGED) {
    size_t some = blocks - b < STAGED ? blocks - b : STAGED;
    for (size_t j = 0; j < (size_t)(n * LANES); j++) {
      const uint8_t *p = data[j < count ? j : 0] + 16 * b;
      for (size_t s = 0; s < some; s++) memcpy(staged[s][j], p + 16 * s, 16);
    }
    for (size_t s = 0; s < some; s++) {
#pragma GCC unroll 8
      for (int i = 0; i < n; i++) x[i] = V_XOR(x[i], V_LOAD(staged[s][i * LANES]));
      encrypt_vectors(&key->aes, x, n);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) V_STORE(state[i * LANES], x[i]);
  memcpy(chain, state, 16 * count);
  wipe(staged, sizeof staged);
}

INLINE void chain_wide(const struct key_material *key, uint8_t (*chain)[16], const uint8_t *const *data, size_t count, size_t blocks) {
  while (count > 0) {
    size_t n = count < SIV_WIDTH * LANES ? count : SIV_WIDTH * LANES;
    if (n > 4 * LANES) {
      chain_vectors(key, chain, data, n, blocks, 8);
    } else if (n > LANES) {
      chain_vectors(key, chain, data, n, blocks, 4);
    } else {
      chain_vectors(key, chain, data, n, blocks, 1);
    }
    chain += n;
    data += n;
    count -= n;
  }
}

/* RFC 5297 2.5: bits 31 and 63 of the counter are cleared, so counting never carries out of the lower half. */
INLINE void counter_wide(const struct key_material *key, const uint8_t siv[16], const uint8_t *in, uint8_t *out, size_t len) {
  static const uint64_t increment[2] = {LANES};
  const V lanes = V_BROADCAST(increment);
  uint64_t start[2 * LANES];
  for (uint64_t i = 0; i < LANES; i++) {
    start[2 * i] = (load_be64(siv + 8) & 0x7fffffff7fffffffull) + i;
    start[2 * i + 1] = load_be64(siv);
  }
  V counter = V_LOAD(start), x[SIV_WIDTH];
  while (len > 0) {
#pragma GCC unroll 8
    for (int i = 0; i < SIV_WIDTH; i++) {
      x[i] = V_REVERSE(counter);
      counter = V_ADD64(counter, lanes);
    }
    encrypt_vectors(&key->ctr, x, SIV_WIDTH);
    if (len >= 16 * LANES * SIV_WIDTH) {
#pragma GCC unroll 8
      for (int i = 0; i < SIV_WIDTH; i++) V_STORE(out + 16 * LANES * i, V_XOR(x[i], V_LOAD(in + 16 * LANES * i)));
      in += 16 * LANES * SIV_WIDTH;
      out += 16 * LANES * SIV_WIDTH;
      len -= 16 * LANES * SIV_WIDTH;
    } else {
      uint8_t stream[16 * LANES * SIV_WIDTH];
#pragma GCC unroll 8
      for (int i = 0; i < SIV_WIDTH; i++) V_STORE(stream + 16 * LANES * i, x[i]);
      for (size_t i = 0; i < len; i++) out[i] = in[i] ^ stream[i];
      wipe(stream, sizeof stream);
      len = 0;
    }
  }
}

TARGET static void encrypt_blocks(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key, in, out, blocks, false);
}

#define SIV_ECB encrypt_blocks
#define SIV_CHAIN chain_wide
#define SIV_COUNTER_MODE counter_wide
#define SIV_FN INLINE
#include "siv-batch.h"
