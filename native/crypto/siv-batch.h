/*
 * AES-SIV (RFC 5297) over a batch: a CMAC is one long chain of AES calls, so the chains of different messages run
 * side by side. The includer names its ECB function SIV_ECB, and may replace the two long loops, SIV_CHAIN and SIV_COUNTER_MODE,
 * by something better than the generic ones below.
 */
#ifndef AEGISFS_CRYPTO_SIV_BATCH_H
#define AEGISFS_CRYPTO_SIV_BATCH_H

#include "kernel.h"

#define SIV_STREAM_BLOCKS 32

#ifndef SIV_FN
#define SIV_FN static inline ALWAYS_INLINE
#endif

/* Continues the chains over whole blocks. */
SIV_FN void siv_chain(
  const struct key_material *key, uint8_t (*chain)[16], const uint8_t *const *data, size_t count, size_t blocks) {
  for (size_t b = 0; b < blocks; b++) {
    for (size_t i = 0; i < count; i++) xor16(chain[i], chain[i], data[i] + 16 * b);
    SIV_ECB(&key->aes, &chain[0][0], &chain[0][0], count);
  }
}
#ifndef SIV_CHAIN
#define SIV_CHAIN siv_chain
#endif

/* Ends the chains with `len` bytes each, 1…16 unless the whole message is empty (SP 800-38B 6.2). */
SIV_FN void siv_chain_end(
  const struct key_material *key, uint8_t (*chain)[16], const uint8_t *const *data, size_t count, size_t len) {
  for (size_t i = 0; i < count; i++) {
    uint8_t last[16] = {0};
    memcpy(last, data[i], len);
    if (len < 16) last[len] = 0x80;
    xor16(last, last, len < 16 ? key->cmac_k2 : key->cmac_k1);
    xor16(chain[i], chain[i], last);
    wipe(last, sizeof last);
  }
  SIV_ECB(&key->aes, &chain[0][0], &chain[0][0], count);
}

/* CMAC of equally long strings. */
SIV_FN void siv_cmac(
  const struct key_material *key, uint8_t (*out)[16], const uint8_t **data, size_t count, size_t len) {
  size_t blocks = len == 0 ? 0 : (len - 1) / 16;
  memset(out, 0, 16 * count);
  siv_chain(key, out, data, count, blocks);
  for (size_t i = 0; i < count; i++) data[i] += 16 * blocks;
  siv_chain_end(key, out, data, count, len - 16 * blocks);
}

/* D after AD and nonce, the strings before the plaintext (format.md 15, C.2). */
SIV_FN void siv_prefix(
  const struct key_material *key, uint8_t (*d)[16], const struct msg *msgs, size_t count, size_t ad_len) {
  uint8_t mac[MAX_BATCH][16];
  const uint8_t *data[MAX_BATCH];
  for (size_t i = 0; i < count; i++) {
    memcpy(d[i], key->s2v_start, 16);
    data[i] = msgs[i].ad;
  }
  siv_cmac(key, mac, data, count, ad_len);
  for (size_t i = 0; i < count; i++) {
    xor16(d[i], d[i], mac[i]);
    double_be(d[i]);
    data[i] = msgs[i].nonce;
  }
  siv_cmac(key, mac, data, count, 16);
  for (size_t i = 0; i < count; i++) xor16(d[i], d[i], mac[i]);
}

/* The last string of S2V: the plaintext with D XORed to its end, or padded and mixed with dbl(D). Result in `d`. */
SIV_FN void siv_plaintext(
  const struct key_material *key, uint8_t (*d)[16], const uint8_t **plain, size_t count, size_t len) {
  uint8_t chain[MAX_BATCH][16];
  uint8_t tail[MAX_BATCH][32];
  size_t head = len < 16 ? 0 : (len - 16) / 16 * 16;
  size_t rest = len - head;
  memset(chain, 0, sizeof chain);
  memset(tail, 0, sizeof tail);
  for (size_t i = 0; i < count; i++) {
    memcpy(tail[i], plain[i] + head, rest);
    if (rest >= 16) {
      xor16(tail[i] + rest - 16, tail[i] + rest - 16, d[i]);
    } else {
      tail[i][rest] = 0x80;
      double_be(d[i]);
      xor16(tail[i], tail[i], d[i]);
    }
  }
  SIV_CHAIN(key, chain, plain, count, head / 16);
  for (size_t i = 0; i < count; i++) plain[i] = tail[i];
  if (rest > 16) {
    siv_chain(key, chain, plain, count, 1);
    for (size_t i = 0; i < count; i++) plain[i] += 16;
    rest -= 16;
  } else {
    rest = 16;
  }
  siv_chain_end(key, chain, plain, count, rest);
  memcpy(d, chain, 16 * count);
  wipe(tail, sizeof tail);
}

#ifndef SIV_COUNTER_MODE
#define SIV_COUNTER_MODE siv_counter_mode
/* AES-CTR with the SIV as counter, bits 31 and 63 cleared (RFC 5297 2.5); the counter is 128 bits wide but cannot pass bit 63. */
SIV_FN void siv_counter_mode(
  const struct key_material *key, const uint8_t siv[16], const uint8_t *in, uint8_t *out, size_t len) {
  uint8_t stream[16 * SIV_STREAM_BLOCKS];
  uint64_t hi = load_be64(siv), lo = load_be64(siv + 8) & 0x7fffffff7fffffffull;
  while (len > 0) {
    size_t n = len < sizeof stream ? len : sizeof stream;
    size_t blocks = (n + 15) / 16;
    for (size_t i = 0; i < blocks; i++) {
      store_be64(stream + 16 * i, hi);
      store_be64(stream + 16 * i + 8, lo++);
    }
    SIV_ECB(&key->ctr, stream, stream, blocks);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) xor16(out + i, in + i, stream + i);
    for (; i < n; i++) out[i] = in[i] ^ stream[i];
    in += n;
    out += n;
    len -= n;
  }
  wipe(stream, sizeof stream);
}
#endif

SIV_FN void siv_batch_seal(
  const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  uint8_t d[MAX_BATCH][16];
  const uint8_t *plain[MAX_BATCH];
  siv_prefix(key, d, msgs, count, ad_len);
  for (size_t i = 0; i < count; i++) plain[i] = msgs[i].in;
  siv_plaintext(key, d, plain, count, len);
  for (size_t i = 0; i < count; i++) {
    memcpy(msgs[i].tag, d[i], 16);
    SIV_COUNTER_MODE(key, msgs[i].tag, msgs[i].in, msgs[i].out, len);
  }
}

/* Opening decrypts first; the SIV that should have been stored comes back in msg.tag. */
SIV_FN void siv_batch_open(
  const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  uint8_t d[MAX_BATCH][16];
  const uint8_t *plain[MAX_BATCH];
  for (size_t i = 0; i < count; i++) {
    SIV_COUNTER_MODE(key, msgs[i].tag, msgs[i].in, msgs[i].out, len);
    plain[i] = msgs[i].out;
  }
  siv_prefix(key, d, msgs, count, ad_len);
  siv_plaintext(key, d, plain, count, len);
  for (size_t i = 0; i < count; i++) memcpy(msgs[i].tag, d[i], 16);
}

#endif
