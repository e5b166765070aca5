/*
 * AES-256-GCM (SP 800-38D) on AES and carry-less multiplication instructions, for any register width. Included once per
 * tier, after one of vector-128.h, vector-256.h, vector-512.h, vector-neon.h.
 *
 * GHASH works on POLYVAL elements (RFC 8452 appendix A): byte-reversed blocks, products that need no bit shift.
 *
 * A batch goes through three phases. What each message needs before and after its data (J0, the encrypted J0 that masks the
 * tag, the hash of the AD, the last multiplication) is a chain of dependent steps; it is done for LANES messages at a time.
 */
#include "gcm.h"

#ifndef WIDTH
#define WIDTH 8 /* vectors in flight */
#endif
#define CHUNK_BLOCKS (WIDTH * LANES)  /* blocks per reduction, at most GHASH_POWERS */
#define CHUNK_BYTES (16 * CHUNK_BLOCKS)

/* H^n; the table runs downwards, so that consecutive blocks meet falling powers. */
#define POWER(key, n) ((key)->hash_powers[GHASH_POWERS - (n)])

/* Unreduced sum of products. */
struct product {
  V lo, mid, hi;
};

INLINE void multiply_add(struct product *p, V a, V b) {
  p->lo = V_XOR(p->lo, V_CLMUL(a, b, 0x00));
  p->hi = V_XOR(p->hi, V_CLMUL(a, b, 0x11));
  p->mid = V_XOR3(p->mid, V_CLMUL(a, b, 0x01), V_CLMUL(a, b, 0x10));
}

/* Times x^−128 modulo x^128 + x^127 + x^126 + x^121 + 1 in every lane, in two folds of 64 bits. */
INLINE V reduce_lanes(struct product p) {
  static const uint8_t poly_bytes[16] = {[15] = 0xc2};
  const V poly = V_BROADCAST(poly_bytes);
  V lo = V_XOR(p.lo, V_UP8(p.mid)), hi = V_XOR(p.hi, V_DOWN8(p.mid));
  lo = V_XOR(V_SWAP(lo), V_CLMUL(lo, poly, 0x10));
  return V_XOR3(hi, V_SWAP(lo), V_CLMUL(lo, poly, 0x10));
}

INLINE V multiply_lanes(V a, V b) {
  struct product p = {V_ZERO, V_ZERO, V_ZERO};
  multiply_add(&p, a, b);
  return reduce_lanes(p);
}

/* The same for the XOR of all lanes. */
INLINE Q reduce_all(struct product p) {
  static const uint8_t poly_bytes[16] = {[15] = 0xc2};
  const Q poly = Q_LOAD(poly_bytes);
  Q mid = V_FOLD(p.mid);
  Q lo = Q_XOR(V_FOLD(p.lo), Q_UP8(mid)), hi = Q_XOR(V_FOLD(p.hi), Q_DOWN8(mid));
  lo = Q_XOR(Q_SWAP(lo), Q_CLMUL(lo, poly, 0x10));
  lo = Q_XOR(Q_SWAP(lo), Q_CLMUL(lo, poly, 0x10));
  return Q_XOR(hi, lo);
}

/* AES-256 of one vector. */
INLINE V encrypt(const struct aes_key *key, V x) {
  x = V_XOR(x, V_BROADCAST(key->enc[0]));
#pragma GCC unroll 13
  for (int r = 1; r < 14; r++) x = V_AES(x, V_BROADCAST(key->enc[r]));
  return V_AESLAST(x, V_BROADCAST(key->enc[14]));
}

/*
 * The next CHUNK_BYTES of key stream, and meanwhile the hash of the chunk at `hashed` (NULL: none), one product per AES round,
 * so that both kinds of units are busy: (acc ^ x1)·H^n ^ x2·H^(n−1) ^ … ^ xn·H.
 *
 * Counter blocks are kept byte-reversed: the 32-bit counter is then a plain integer in the lowest element of a lane and
 * wraps around by itself (inc32, 6.2).
 */
INLINE Q step(const struct key_material *key, V *counter, V *x, Q acc, const uint8_t *hashed) {
  static const uint32_t increment[4] = {LANES};
  const V lanes = V_BROADCAST(increment);
  struct product p = {V_ZERO, V_ZERO, V_ZERO};
  V k = V_BROADCAST(key->aes.enc[0]);
#pragma GCC unroll 8
  for (int i = 0; i < WIDTH; i++) {
    x[i] = V_XOR(V_REVERSE(*counter), k);
    *counter = V_ADD32(*counter, lanes);
  }
#pragma GCC unroll 13
  for (int r = 1; r < 14; r++) {
    k = V_BROADCAST(key->aes.enc[r]);
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i++) x[i] = V_AES(x[i], k);
    if (hashed != NULL && r <= WIDTH) {
      V block = V_REVERSE(V_LOAD(hashed + 16 * LANES * (r - 1)));
      if (r == 1) block = V_XOR(block, V_LANE0(acc));
      multiply_add(&p, block, V_LOAD(POWER(key, CHUNK_BLOCKS - LANES * (r - 1))));
    }
    if (hashed != NULL && r == WIDTH + 1) acc = reduce_all(p);
  }
  k = V_BROADCAST(key->aes.enc[14]);
#pragma GCC unroll 8
  for (int i = 0; i < WIDTH; i++) x[i] = V_AESLAST(x[i], k);
  return acc;
}

/* Absorbs any number of bytes, the last block padded with zeros. */
INLINE Q absorb_bytes(const struct key_material *key, Q acc, const uint8_t *data, size_t len) {
  for (; len >= CHUNK_BYTES; len -= CHUNK_BYTES, data += CHUNK_BYTES) {
    struct product p = {V_ZERO, V_ZERO, V_ZERO};
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i++) {
      V block = V_REVERSE(V_LOAD(data + 16 * LANES * i));
      if (i == 0) block = V_XOR(block, V_LANE0(acc));
      multiply_add(&p, block, V_LOAD(POWER(key, CHUNK_BLOCKS - LANES * i)));
    }
    acc = reduce_all(p);
  }
  while (len > 0) {
    uint8_t block[16 * LANES] = {0};
    size_t n = len < sizeof block ? len : sizeof block, blocks = (n + 15) / 16;
    memcpy(block, data, n);
    /* Fewer blocks than lanes: the powers start lower, and the lanes above meet what follows H^1 in the record with a zero block. */
    struct product p = {V_ZERO, V_ZERO, V_ZERO};
    multiply_add(&p, V_XOR(V_REVERSE(V_LOAD(block)), V_LANE0(acc)), V_LOAD(POWER(key, blocks)));
    acc = reduce_all(p);
    wipe(block, sizeof block);
    data += n;
    len -= n;
  }
  return acc;
}

struct prepared {
  uint8_t counter[MAX_BATCH][16]; /* J0, byte-reversed */
  uint8_t mask[MAX_BATCH][16];    /* AES of J0 */
  uint8_t hash[MAX_BATCH][16];    /* GHASH so far */
};

/* J0 (7.1), its encryption, and the hash of the AD. */
INLINE void prepare(const struct key_material *key, const struct msg *msgs, size_t count, size_t ad_len, struct prepared *out) {
  static const uint8_t nonce_bits[16] = {128};
  const V h1 = V_BROADCAST(POWER(key, 1)), h2 = V_BROADCAST(POWER(key, 2));
  uint8_t in[MAX_BATCH][16], ad[2][MAX_BATCH][16];
  size_t padded = (count + LANES - 1) / LANES * LANES;
  memset(in, 0, 16 * padded);
  if (kind_nonce_len(key->kind) == 12) {
    for (size_t i = 0; i < count; i++) {
      gcm_counter96(in[i], msgs[i].nonce);
    }
    for (size_t i = 0; i < padded; i += LANES) V_STORE(out->counter[i], V_REVERSE(V_LOAD(in[i])));
  } else {
    /* J0 = (N·H ^ len)·H = N·H^2 ^ len·H */
    const V lengths = V_BROADCAST(nonce_bits);
    for (size_t i = 0; i < count; i++) memcpy(in[i], msgs[i].nonce, 16);
    for (size_t i = 0; i < padded; i += LANES) {
      struct product p = {V_ZERO, V_ZERO, V_ZERO};
      multiply_add(&p, V_REVERSE(V_LOAD(in[i])), h2);
      multiply_add(&p, lengths, h1);
      V_STORE(out->counter[i], reduce_lanes(p));
    }
  }
  for (size_t i = 0; i < padded; i += LANES) {
    V_STORE(out->mask[i], encrypt(&key->aes, V_REVERSE(V_LOAD(out->counter[i]))));
  }
  if (ad_len == 24) {
    /* Every file block: two blocks of AD. */
    memset(ad, 0, sizeof ad);
    for (size_t i = 0; i < count; i++) {
      memcpy(ad[0][i], msgs[i].ad, 16);
      memcpy(ad[1][i], msgs[i].ad + 16, 8);
    }
    for (size_t i = 0; i < padded; i += LANES) {
      struct product p = {V_ZERO, V_ZERO, V_ZERO};
      multiply_add(&p, V_REVERSE(V_LOAD(ad[0][i])), h2);
      multiply_add(&p, V_REVERSE(V_LOAD(ad[1][i])), h1);
      V_STORE(out->hash[i], reduce_lanes(p));
    }
  } else {
    for (size_t i = 0; i < count; i++) Q_STORE(out->hash[i], absorb_bytes(key, Q_ZERO, msgs[i].ad, ad_len));
  }
}

/* Counter mode and GHASH over the data of one message. */
INLINE void data(const struct key_material *key, struct msg *msg, size_t len, struct prepared *state, size_t index, bool opening) {
  const uint8_t *in = msg->in;
  uint8_t *out = msg->out;
  Q acc = Q_LOAD(state->hash[index]);
  uint32_t first_words[4 * LANES] = {0};
  for (uint32_t i = 0; i < LANES; i++) first_words[4 * i] = i + 1;
  V counter = V_ADD32(V_BROADCAST(state->counter[index]), V_LOAD(first_words));
  V x[WIDTH];
  /* When sealing, the hash is one chunk behind the cipher. */
  const uint8_t *behind = NULL;
  for (; len >= CHUNK_BYTES; len -= CHUNK_BYTES, in += CHUNK_BYTES, out += CHUNK_BYTES) {
    if (opening) {
      acc = step(key, &counter, x, acc, in);
    } else if (behind != NULL) {
      acc = step(key, &counter, x, acc, behind);
    } else {
      step(key, &counter, x, acc, NULL);
    }
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i++) V_STORE(out + 16 * LANES * i, V_XOR(x[i], V_LOAD(in + 16 * LANES * i)));
    behind = out;
  }
  if (!opening && behind != NULL) acc = absorb_bytes(key, acc, behind, CHUNK_BYTES);
  if (len > 0) {
    uint8_t stream[CHUNK_BYTES];
    if (opening) acc = absorb_bytes(key, acc, in, len);
    step(key, &counter, x, acc, NULL);
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i++) V_STORE(stream + 16 * LANES * i, x[i]);
    for (size_t i = 0; i < len; i++) out[i] = in[i] ^ stream[i];
    wipe(stream, sizeof stream);
    if (!opening) acc = absorb_bytes(key, acc, out, len);
  }
  Q_STORE(state->hash[index], acc);
}

INLINE void batch(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len, bool opening) {
  struct prepared state;
  uint64_t lengths[2] = {8 * (uint64_t)len, 8 * (uint64_t)ad_len};
  const V last = V_BROADCAST(lengths), h1 = V_BROADCAST(POWER(key, 1));
  memset(&state, 0, sizeof state);
  prepare(key, msgs, count, ad_len, &state);
  for (size_t i = 0; i < count; i++) data(key, &msgs[i], len, &state, i, opening);
  for (size_t i = 0; i < count; i += LANES) {
    V hash = multiply_lanes(V_XOR(V_LOAD(state.hash[i]), last), h1);
    V_STORE(state.mask[i], V_XOR(V_REVERSE(hash), V_LOAD(state.mask[i])));
  }
  for (size_t i = 0; i < count; i++) memcpy(msgs[i].tag, state.mask[i], TAG_LEN);
  wipe(&state, sizeof state);
}
