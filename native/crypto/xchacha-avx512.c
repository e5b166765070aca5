/*
 * XChaCha20-Poly1305 on AVX-512: sixteen ChaCha20 blocks at a time. Within a batch the sub-keys (HChaCha20) and the Poly1305
 * keys (block 0) of sixteen messages are made side by side, and Poly1305 runs over eight messages side by side.
 */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#define TARGET __attribute__((target("avx2,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512ifma,prefer-vector-width=512")))
#include "poly1305-avx512.h"

#define FN static inline ALWAYS_INLINE TARGET
#define WIDE 16

static const uint32_t sigma[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

#define QUARTER(a, b, c, d)                                                                 \
  do {                                                                                      \
    (a) = _mm512_add_epi32(a, b), (d) = _mm512_rol_epi32(_mm512_xor_si512(d, a), 16);        \
    (c) = _mm512_add_epi32(c, d), (b) = _mm512_rol_epi32(_mm512_xor_si512(b, c), 12);        \
    (a) = _mm512_add_epi32(a, b), (d) = _mm512_rol_epi32(_mm512_xor_si512(d, a), 8);         \
    (c) = _mm512_add_epi32(c, d), (b) = _mm512_rol_epi32(_mm512_xor_si512(b, c), 7);         \
  } while (0)

FN void rounds(__m512i x[16]) {
  for (int i = 0; i < 10; i++) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) QUARTER(x[j], x[4 + j], x[8 + j], x[12 + j]);
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) QUARTER(x[j], x[4 + (j + 1) % 4], x[8 + (j + 2) % 4], x[12 + (j + 3) % 4]);
  }
}

/* Rows of sixteen 32-bit words, one vector per state word, to one vector per block. */
FN void transpose16x16(__m512i x[16]) {
  __m512i a[16], b[16];
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    a[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]);
    a[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    /* b[i + k]: words i…i+3 of blocks k, k+4, k+8, k+12 */
    b[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
    b[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
    b[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
    b[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
  }
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) {
    __m512i lo01 = _mm512_shuffle_i32x4(b[k], b[4 + k], 0x88), hi01 = _mm512_shuffle_i32x4(b[k], b[4 + k], 0xdd);
    __m512i lo23 = _mm512_shuffle_i32x4(b[8 + k], b[12 + k], 0x88), hi23 = _mm512_shuffle_i32x4(b[8 + k], b[12 + k], 0xdd);
    x[k] = _mm512_shuffle_i32x4(lo01, lo23, 0x88);
    x[8 + k] = _mm512_shuffle_i32x4(lo01, lo23, 0xdd);
    x[4 + k] = _mm512_shuffle_i32x4(hi01, hi23, 0x88);
    x[12 + k] = _mm512_shuffle_i32x4(hi01, hi23, 0xdd);
  }
}

/* What differs between messages. */
struct stream {
  uint32_t key[8];
  uint32_t nonce[2];
};

/* Sixteen consecutive blocks of key stream, one per vector. */
FN void blocks16(const struct stream *s, uint32_t counter, __m512i x[16]) {
  const __m512i steps = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i count = _mm512_add_epi32(_mm512_set1_epi32((int)counter), steps);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) x[i] = _mm512_set1_epi32((int)sigma[i]);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) x[4 + i] = _mm512_set1_epi32((int)s->key[i]);
  x[12] = count;
  x[13] = _mm512_setzero_si512();
  x[14] = _mm512_set1_epi32((int)s->nonce[0]);
  x[15] = _mm512_set1_epi32((int)s->nonce[1]);
  rounds(x);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) x[i] = _mm512_add_epi32(x[i], _mm512_set1_epi32((int)sigma[i]));
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) x[4 + i] = _mm512_add_epi32(x[4 + i], _mm512_set1_epi32((int)s->key[i]));
  x[12] = _mm512_add_epi32(x[12], count);
  x[14] = _mm512_add_epi32(x[14], _mm512_set1_epi32((int)s->nonce[0]));
  x[15] = _mm512_add_epi32(x[15], _mm512_set1_epi32((int)s->nonce[1]));
  transpose16x16(x);
}

/* Data from block 1 of the stream on (RFC 8439 2.8). */
FN void crypt(const struct stream *s, const uint8_t *in, uint8_t *out, size_t len) {
  uint32_t counter = 1;
  for (; len >= 64 * WIDE; len -= 64 * WIDE, in += 64 * WIDE, out += 64 * WIDE, counter += WIDE) {
    __m512i x[16];
    blocks16(s, counter, x);
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) _mm512_storeu_si512(out + 64 * i, _mm512_xor_si512(x[i], _mm512_loadu_si512(in + 64 * i)));
  }
  if (len > 0) {
    __m512i x[16];
    uint8_t stream[64 * WIDE];
    blocks16(s, counter, x);
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) _mm512_storeu_si512(stream + 64 * i, x[i]);
    for (size_t i = 0; i < len; i++) out[i] = in[i] ^ stream[i];
    wipe(stream, sizeof stream);
  }
}

/* Sub-keys and Poly1305 keys of up to sixteen messages; vector element i belongs to message i. */
FN void prepare(const struct key_material *key, const struct msg *msgs, size_t count, struct stream *streams, uint8_t (*mac_keys)[32]) {
  uint32_t words[16][16];
  __m512i x[16], sub[8];
  memset(words, 0, sizeof words);
  for (size_t i = 0; i < count; i++) memcpy(words[i], msgs[i].nonce, 24);
#pragma GCC unroll 16
  for (int i = 0; i < 16; i++) x[i] = _mm512_loadu_si512(words[i]);
  transpose16x16(x);
  const __m512i nonce0 = x[4], nonce1 = x[5];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) x[12 + i] = x[i];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) x[i] = _mm512_set1_epi32((int)sigma[i]);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) x[4 + i] = _mm512_set1_epi32((int)load_le32(key->raw + 4 * i));
  /* HChaCha20 (draft-irtf-cfrg-xchacha 2.2): first and last row, without the final addition. */
  rounds(x);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    sub[i] = x[i];
    sub[4 + i] = x[12 + i];
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) x[i] = _mm512_set1_epi32((int)sigma[i]);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) x[4 + i] = sub[i];
  x[12] = x[13] = _mm512_setzero_si512();
  x[14] = nonce0;
  x[15] = nonce1;
  rounds(x);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    x[i] = _mm512_add_epi32(x[i], _mm512_set1_epi32((int)sigma[i]));
    x[4 + i] = _mm512_add_epi32(x[4 + i], sub[i]);
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) x[8 + i] = sub[i];
  transpose16x16(x);
#pragma GCC unroll 16
  for (int i = 0; i < 16; i++) _mm512_storeu_si512(words[i], x[i]);
  for (size_t i = 0; i < count; i++) {
    memcpy(mac_keys[i], words[i], 32);
    memcpy(streams[i].key, words[i] + 8, 32);
    memcpy(streams[i].nonce, msgs[i].nonce + 16, 8);
  }
  wipe(words, sizeof words);
}

FN void finish(struct poly1305 *mac, struct msg *msg, size_t len, size_t ad_len) {
  uint8_t lengths[16];
  store_le64(lengths, ad_len);
  store_le64(lengths + 8, len);
  poly1305_blocks(mac, lengths, 1);
  poly1305_finish(mac, msg->tag);
}

FN void tag_one(struct msg *msg, const uint8_t *mac_key, const uint8_t *data, size_t len, size_t ad_len) {
  struct poly1305 mac;
  poly1305_init(&mac, mac_key);
  poly1305_padded(&mac, msg->ad, ad_len);
  poly1305_padded(&mac, data, len);
  finish(&mac, msg, len, ad_len);
}

/* Up to eight tags side by side; the length is a multiple of 64. Spare elements repeat the first message. */
FN void tag_eight(struct msg *msgs, size_t count, const uint8_t (*mac_keys)[32], bool opening, size_t len, size_t ad_len) {
  struct poly1305 macs[8];
  const uint8_t *data[8];
  uint64_t r[2][8], h[3][8];
  for (size_t i = 0; i < 8; i++) {
    size_t j = i < count ? i : 0;
    data[i] = opening ? msgs[j].in : msgs[j].out;
    poly1305_init(&macs[i], mac_keys[j]);
    poly1305_padded(&macs[i], msgs[j].ad, ad_len);
    r[0][i] = load_le64(mac_keys[j]);
    r[1][i] = load_le64(mac_keys[j] + 8);
    h[0][i] = macs[i].h0;
    h[1][i] = macs[i].h1;
    h[2][i] = macs[i].h2;
  }
  struct poly8 p;
  poly8_init(&p, _mm512_loadu_si512(r[0]), _mm512_loadu_si512(r[1]));
  p.h0 = _mm512_loadu_si512(h[0]);
  p.h1 = _mm512_loadu_si512(h[1]);
  p.h2 = _mm512_loadu_si512(h[2]);
  for (size_t off = 0; off < len; off += 64) poly8_chunk(&p, data, off);
  poly8_extract(&p, h);
  for (size_t i = 0; i < count; i++) {
    macs[i].h0 = h[0][i];
    macs[i].h1 = h[1][i];
    macs[i].h2 = h[2][i];
    finish(&macs[i], &msgs[i], len, ad_len);
  }
  wipe(macs, sizeof macs);
  wipe(r, sizeof r);
}

FN void batch(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len, bool opening) {
  while (count > 0) {
    size_t n = count < WIDE ? count : WIDE;
    struct stream streams[WIDE];
    uint8_t mac_keys[WIDE][32];
    prepare(key, msgs, n, streams, mac_keys);
    /* Four messages of scalar Poly1305 cost about as much as eight side by side. */
    for (size_t first = 0; first < n; first += 8) {
      size_t some = n - first < 8 ? n - first : 8;
      bool together = len % 64 == 0 && some >= 3;
      if (opening && together) tag_eight(msgs + first, some, (const uint8_t(*)[32])mac_keys + first, true, len, ad_len);
      for (size_t i = first; i < first + some; i++) {
        if (opening && !together) tag_one(&msgs[i], mac_keys[i], msgs[i].in, len, ad_len);
        crypt(&streams[i], msgs[i].in, msgs[i].out, len);
        if (!opening && !together) tag_one(&msgs[i], mac_keys[i], msgs[i].out, len, ad_len);
      }
      if (!opening && together) tag_eight(msgs + first, some, (const uint8_t(*)[32])mac_keys + first, false, len, ad_len);
    }
    wipe(streams, sizeof streams);
    wipe(mac_keys, sizeof mac_keys);
    msgs += n;
    count -= n;
  }
}

TARGET void xchacha_avx512_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false);
}

TARGET void xchacha_avx512_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true);
}

TARGET void chacha_stream_avx512(const uint8_t key[32], uint8_t *out, size_t len) {
  struct stream s = {.nonce = {0, 0}};
  memcpy(s.key, key, 32);
  for (uint32_t counter = 0; len > 0; counter += WIDE, out += 64 * WIDE, len -= 64 * WIDE) {
    __m512i x[16];
    blocks16(&s, counter, x);
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) _mm512_storeu_si512(out + 64 * i, x[i]);
  }
  wipe(&s, sizeof s);
}
#endif
