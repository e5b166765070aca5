/*
 * AEGIS-128X2 and AEGIS-256X2 (draft-irtf-cfrg-aegis-aead, sections on AEGIS-128X and AEGIS-256X; format.md 13) on AESENC,
 * for any register width (vector-128.h and its siblings). Included once per instance, which defines before:
 *
 *   NAME(x)                    function names
 *   NMSG                       messages side by side
 *   NV                         vectors per state block: each holds one or more of the NMSG × 2 AES blocks
 *   v_context(i)               lane contexts for vector i
 *   v_load(i, ptrs, off)       the 32 bytes at `off` of the messages in vector i, lane 0 then lane 1 of each
 *   v_store(v, ptrs, off)      the reverse, for all NV vectors
 *   v_tag(v, tags)             XOR of both lanes of each message to tags[message]
 *
 * The messages of one call are independent of each other (own nonce, own state): interleaving them hides the latency of
 * AESENC, which one message alone cannot fill.
 */
#include "aegis.h"

#ifndef AEGIS_VECTOR_ONCE
#define AEGIS_VECTOR_ONCE
#define EACH for (int i = 0; i < NV; i++)
#endif

/* ---- 128X2 ---- */

INLINE void NAME(update128)(V s[8][NV], const V m0[NV], const V m1[NV]) {
#pragma GCC unroll 8
  EACH {
    V last = s[7][i];
    s[7][i] = V_AES(s[6][i], s[7][i]);
    s[6][i] = V_AES(s[5][i], s[6][i]);
    s[5][i] = V_AES(s[4][i], s[5][i]);
    s[4][i] = V_AES(s[3][i], V_XOR(s[4][i], m1[i]));
    s[3][i] = V_AES(s[2][i], s[3][i]);
    s[2][i] = V_AES(s[1][i], s[2][i]);
    s[1][i] = V_AES(s[0][i], s[1][i]);
    s[0][i] = V_AES(last, V_XOR(s[0][i], m0[i]));
  }
}

INLINE void NAME(init128)(V s[8][NV], const uint8_t *key, const uint8_t *const *nonces) {
  const V k = V_BROADCAST(key), c0 = V_BROADCAST(aegis_c0), c1 = V_BROADCAST(aegis_c1);
  V n[NV], kv[NV];
#pragma GCC unroll 8
  EACH {
    n[i] = NAME(v_nonce)(i, nonces, 0);
    kv[i] = k;
    s[0][i] = s[4][i] = V_XOR(k, n[i]);
    s[1][i] = s[3][i] = c1;
    s[2][i] = c0;
    s[5][i] = s[7][i] = V_XOR(k, c0);
    s[6][i] = V_XOR(k, c1);
  }
  for (int round = 0; round < 10; round++) {
#pragma GCC unroll 8
    EACH {
      s[3][i] = V_XOR(s[3][i], NAME(v_context)(i));
      s[7][i] = V_XOR(s[7][i], NAME(v_context)(i));
    }
    NAME(update128)(s, n, kv);
  }
}

INLINE void NAME(stream128)(const V s[8][NV], V z0[NV], V z1[NV]) {
#pragma GCC unroll 8
  EACH {
    z0[i] = V_XOR_AND(V_XOR(s[6][i], s[1][i]), s[2][i], s[3][i]);
    z1[i] = V_XOR_AND(V_XOR(s[2][i], s[5][i]), s[6][i], s[7][i]);
  }
}

/* One full chunk of 64 bytes of every message. */
INLINE void NAME(chunk128)(V s[8][NV], const uint8_t *const *in, uint8_t *const *out, size_t off, bool opening) {
  V x0[NV], x1[NV], z0[NV], z1[NV];
#pragma GCC unroll 8
  EACH {
    x0[i] = NAME(v_load)(i, in, off);
    x1[i] = NAME(v_load)(i, in, off + 32);
  }
  NAME(stream128)(s, z0, z1);
#pragma GCC unroll 8
  EACH {
    z0[i] = V_XOR(z0[i], x0[i]);
    z1[i] = V_XOR(z1[i], x1[i]);
  }
  NAME(v_store)(z0, out, off);
  NAME(v_store)(z1, out, off + 32);
  if (opening) {
    NAME(update128)(s, z0, z1);
  } else {
    NAME(update128)(s, x0, x1);
  }
}

INLINE void NAME(finish128)(V s[8][NV], uint8_t (*tags)[16], size_t ad_len, size_t len) {
  V t[NV];
  uint8_t u[16];
  store_le64(u, 8 * (uint64_t)ad_len);
  store_le64(u + 8, 8 * (uint64_t)len);
  const V lengths = V_BROADCAST(u);
#pragma GCC unroll 8
  EACH t[i] = V_XOR(s[2][i], lengths);
  for (int round = 0; round < 7; round++) NAME(update128)(s, t, t);
#pragma GCC unroll 8
  EACH t[i] = V_XOR3(V_XOR3(s[0][i], s[1][i], s[2][i]), V_XOR3(s[3][i], s[4][i], s[5][i]), s[6][i]);
  NAME(v_tag)(t, tags);
}

/* ---- 256X2 ---- */

INLINE void NAME(update256)(V s[6][NV], const V m[NV]) {
#pragma GCC unroll 8
  EACH {
    V last = s[5][i];
    s[5][i] = V_AES(s[4][i], s[5][i]);
    s[4][i] = V_AES(s[3][i], s[4][i]);
    s[3][i] = V_AES(s[2][i], s[3][i]);
    s[2][i] = V_AES(s[1][i], s[2][i]);
    s[1][i] = V_AES(s[0][i], s[1][i]);
    s[0][i] = V_AES(last, V_XOR(s[0][i], m[i]));
  }
}

INLINE void NAME(init256)(V s[6][NV], const uint8_t *key, const uint8_t *const *nonces) {
  const V k0 = V_BROADCAST(key), k1 = V_BROADCAST(key + 16), c0 = V_BROADCAST(aegis_c0), c1 = V_BROADCAST(aegis_c1);
  V m[4][NV];
#pragma GCC unroll 8
  EACH {
    m[0][i] = k0;
    m[1][i] = k1;
    s[0][i] = m[2][i] = V_XOR(k0, NAME(v_nonce)(i, nonces, 0));
    s[1][i] = m[3][i] = V_XOR(k1, NAME(v_nonce)(i, nonces, 16));
    s[2][i] = c1;
    s[3][i] = c0;
    s[4][i] = V_XOR(k0, c0);
    s[5][i] = V_XOR(k1, c1);
  }
  for (int round = 0; round < 4; round++) {
#pragma GCC unroll 4
    for (int part = 0; part < 4; part++) {
#pragma GCC unroll 8
      EACH {
        s[3][i] = V_XOR(s[3][i], NAME(v_context)(i));
        s[5][i] = V_XOR(s[5][i], NAME(v_context)(i));
      }
      NAME(update256)(s, m[part]);
    }
  }
}

/* One full chunk of 32 bytes of every message. */
INLINE void NAME(chunk256)(V s[6][NV], const uint8_t *const *in, uint8_t *const *out, size_t off, bool opening) {
  V x[NV], z[NV];
#pragma GCC unroll 8
  EACH {
    x[i] = NAME(v_load)(i, in, off);
    z[i] = V_XOR(V_XOR_AND(V_XOR3(s[1][i], s[4][i], s[5][i]), s[2][i], s[3][i]), x[i]);
  }
  NAME(v_store)(z, out, off);
  NAME(update256)(s, opening ? z : x);
}

INLINE void NAME(finish256)(V s[6][NV], uint8_t (*tags)[16], size_t ad_len, size_t len) {
  V t[NV];
  uint8_t u[16];
  store_le64(u, 8 * (uint64_t)ad_len);
  store_le64(u + 8, 8 * (uint64_t)len);
  const V lengths = V_BROADCAST(u);
#pragma GCC unroll 8
  EACH t[i] = V_XOR(s[3][i], lengths);
  for (int round = 0; round < 7; round++) NAME(update256)(s, t);
#pragma GCC unroll 8
  EACH t[i] = V_XOR(V_XOR3(s[0][i], s[1][i], s[2][i]), V_XOR3(s[3][i], s[4][i], s[5][i]));
  NAME(v_tag)(t, tags);
}

/* ---- whole messages; `wide` (a constant) selects 128X2 ---- */

/* Absorbs one chunk without output: AD, and the last chunk of a message that is not full. */
INLINE void NAME(absorb)(V s[8][NV], const uint8_t *const *chunk, bool wide) {
  V m0[NV], m1[NV];
#pragma GCC unroll 8
  EACH {
    m0[i] = NAME(v_load)(i, chunk, 0);
    if (wide) m1[i] = NAME(v_load)(i, chunk, 32);
  }
  if (wide) {
    NAME(update128)(s, m0, m1);
  } else {
    NAME(update256)(s, m0);
  }
}

/* Key stream of the next chunk. */
INLINE void NAME(peek)(const V s[8][NV], uint8_t *const *out, bool wide) {
  V z0[NV], z1[NV];
  if (wide) {
    NAME(stream128)(s, z0, z1);
    NAME(v_store)(z0, out, 0);
    NAME(v_store)(z1, out, 32);
  } else {
#pragma GCC unroll 8
    EACH z0[i] = V_XOR_AND(V_XOR3(s[1][i], s[4][i], s[5][i]), s[2][i], s[3][i]);
    NAME(v_store)(z0, out, 0);
  }
}

INLINE void NAME(message)(const struct key_material *key, struct msg *msgs, size_t len, size_t ad_len, bool wide, bool opening) {
  const size_t rate = wide ? 64 : 32;
  V s[8][NV];
  uint8_t chunk[NMSG][64], stream[NMSG][64], tags[NMSG][16];
  const uint8_t *in[NMSG], *chunks[NMSG], *nonces[NMSG];
  uint8_t *out[NMSG], *streams[NMSG];
#pragma GCC unroll 4
  for (int j = 0; j < NMSG; j++) {
    in[j] = msgs[j].in;
    out[j] = msgs[j].out;
    nonces[j] = msgs[j].nonce;
    chunks[j] = chunk[j];
    streams[j] = stream[j];
  }
  if (wide) {
    NAME(init128)(s, key->raw, nonces);
  } else {
    NAME(init256)(s, key->raw, nonces);
  }
  for (size_t off = 0; off < ad_len; off += rate) {
    size_t n = ad_len - off < rate ? ad_len - off : rate;
    for (int j = 0; j < NMSG; j++) {
      memset(chunk[j], 0, rate);
      memcpy(chunk[j], msgs[j].ad + off, n);
    }
    NAME(absorb)(s, chunks, wide);
  }
  size_t off = 0;
  /* The blocks of the state move on by one at every step; unrolled, they do so by name instead of by copying registers. */
#pragma GCC unroll 4
  for (; off + rate <= len; off += rate) {
    if (wide) {
      NAME(chunk128)(s, in, out, off, opening);
    } else {
      NAME(chunk256)(s, in, out, off, opening);
    }
  }
  if (off < len) {
    /* The state takes the plaintext followed by zeros, in both directions. */
    NAME(peek)(s, streams, wide);
    for (int j = 0; j < NMSG; j++) {
      memset(chunk[j], 0, rate);
      for (size_t i = 0; i < len - off; i++) {
        uint8_t x = in[j][off + i], y = x ^ stream[j][i];
        out[j][off + i] = y;
        chunk[j][i] = opening ? y : x;
      }
    }
    NAME(absorb)(s, chunks, wide);
    wipe(chunk, sizeof chunk);
    wipe(stream, sizeof stream);
  }
  if (wide) {
    NAME(finish128)(s, tags, ad_len, len);
  } else {
    NAME(finish256)(s, tags, ad_len, len);
  }
  for (int j = 0; j < NMSG; j++) memcpy(msgs[j].tag, tags[j], TAG_LEN);
}
