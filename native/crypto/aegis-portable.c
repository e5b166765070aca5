/*
 * AEGIS-128X2 and AEGIS-256X2 (draft-irtf-cfrg-aegis-aead; format.md 13) without AES instructions: the whole state stays
 * in bit planes (aes-bitslice.h), one AES round of all its blocks at once. Element 8·lane + j of a plane is block S[j].
 * AEGIS is not key-committing against an attacker who picks keys (the draft's security considerations); here all keys are
 * derived from one master key, so nobody can present a file under a key of his choice.
 */
#include "aegis.h"
#include "aes-bitslice.h"
#include "engines.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef uint64_t quad __attribute__((vector_size(32)));

union words {
  plane p;
  uint64_t w[4]; /* per lane two: S[0..3] and S[4..7], 16 bits each */
};

/* S[j] of each lane takes the place of S[j+1], the last one that of S[0]. */
static inline ALWAYS_INLINE void rotate(plane *x, int blocks) {
#if defined(__SSE2__)
  union {
    plane p;
    __m128i v[2];
  } u = {*x};
  for (int i = 0; i < 2; i++) {
    __m128i up = _mm_slli_si128(u.v[i], 2);
    __m128i last = blocks == 8 ? _mm_srli_si128(u.v[i], 14) : _mm_srli_si128(_mm_slli_si128(u.v[i], 4), 14);
    u.v[i] = _mm_or_si128(up, last);
  }
  *x = u.p;
#else
  const plane eight = {7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14};
  const plane six = {5, 0, 1, 2, 3, 4, 5, 6, 13, 8, 9, 10, 11, 12, 13, 14};
  *x = blocks == 8 ? __builtin_shuffle(*x, eight) : __builtin_shuffle(*x, six);
#endif
}

static inline ALWAYS_INLINE void update(plane s[8], const plane m[8], int blocks) {
  plane r[8];
  for (int b = 0; b < 8; b++) r[b] = s[b];
  aes_round_planes(r);
  for (int b = 0; b < 8; b++) {
    rotate(&r[b], blocks);
    s[b] ^= r[b] ^ m[b];
  }
}

/* Puts 16-byte blocks at S[0] and, unless NULL, S[4] of the two lanes; everything else is zero. */
static inline ALWAYS_INLINE void place(plane m[8], const uint8_t *lane0, const uint8_t *lane0_s4, const uint8_t *lane1,
  const uint8_t *lane1_s4) {
  uint16_t t[4][8] = {{0}};
  slice_block(t[0], lane0);
  if (lane0_s4 != NULL) slice_block(t[1], lane0_s4);
  slice_block(t[2], lane1);
  if (lane1_s4 != NULL) slice_block(t[3], lane1_s4);
  for (int b = 0; b < 8; b++) m[b] = (plane)(quad){t[0][b], t[1][b], t[2][b], t[3][b]};
}

/* A chunk of message or AD: one (256X2) or two (128X2) blocks per lane. */
static inline ALWAYS_INLINE void chunk_planes(plane m[8], const uint8_t *chunk, int blocks) {
  if (blocks == 8) {
    place(m, chunk, chunk + 32, chunk + 16, chunk + 48);
  } else {
    place(m, chunk, NULL, chunk + 16, NULL);
  }
}

/* Spreads one state, given as blocks of one lane, over both lanes. */
static void set_state(plane s[8], const uint8_t (*state)[16], int blocks) {
  uint8_t both[16][16] = {{0}};
  for (int j = 0; j < blocks; j++) {
    memcpy(both[j], state[j], 16);
    memcpy(both[8 + j], state[j], 16);
  }
  sliced_load((struct sliced *)(void *)s, &both[0][0], 16);
  wipe(both, sizeof both);
}

/* The lane contexts, at S[3] and at the last block. */
static void context_planes(plane c[8], int blocks) {
  uint8_t both[16][16] = {{0}};
  both[3][1] = both[blocks == 8 ? 7 : 5][1] = 1;
  both[8 + 3][0] = both[8 + (blocks == 8 ? 7 : 5)][0] = 1;
  both[8 + 3][1] = both[8 + (blocks == 8 ? 7 : 5)][1] = 1;
  sliced_load((struct sliced *)(void *)c, &both[0][0], 16);
}

static void init128(plane s[8], const uint8_t *key, const uint8_t *nonce) {
  uint8_t state[8][16];
  plane c[8], m[8];
  xor16(state[0], key, nonce);
  memcpy(state[1], aegis_c1, 16);
  memcpy(state[2], aegis_c0, 16);
  memcpy(state[3], aegis_c1, 16);
  xor16(state[4], key, nonce);
  xor16(state[5], key, aegis_c0);
  xor16(state[6], key, aegis_c1);
  xor16(state[7], key, aegis_c0);
  set_state(s, (const uint8_t(*)[16])state, 8);
  context_planes(c, 8);
  place(m, nonce, key, nonce, key);
  for (int i = 0; i < 10; i++) {
    for (int b = 0; b < 8; b++) s[b] ^= c[b];
    update(s, m, 8);
  }
  wipe(state, sizeof state);
  wipe(m, sizeof m);
}

static void init256(plane s[8], const uint8_t *key, const uint8_t *nonce) {
  uint8_t state[6][16], mixed[4][16];
  plane c[8], m[4][8];
  memcpy(mixed[0], key, 32);
  xor16(mixed[2], key, nonce);
  xor16(mixed[3], key + 16, nonce + 16);
  memcpy(state[0], mixed[2], 16);
  memcpy(state[1], mixed[3], 16);
  memcpy(state[2], aegis_c1, 16);
  memcpy(state[3], aegis_c0, 16);
  xor16(state[4], key, aegis_c0);
  xor16(state[5], key + 16, aegis_c1);
  set_state(s, (const uint8_t(*)[16])state, 6);
  context_planes(c, 6);
  for (int i = 0; i < 4; i++) place(m[i], mixed[i], NULL, mixed[i], NULL);
  for (int i = 0; i < 16; i++) {
    for (int b = 0; b < 8; b++) s[b] ^= c[b];
    update(s, m[i & 3], 6);
  }
  wipe(state, sizeof state);
  wipe(mixed, sizeof mixed);
  wipe(m, sizeof m);
}

/* Key stream of one chunk, in the order of the chunk's bytes. */
static inline ALWAYS_INLINE void key_stream(const plane s[8], uint8_t *z, int blocks) {
  uint16_t t[4][8];
  for (int b = 0; b < 8; b++) {
    union words u = {s[b]};
    for (int lane = 0; lane < 2; lane++) {
      uint64_t lo = u.w[2 * lane], hi = u.w[2 * lane + 1];
      if (blocks == 8) {
        t[lane][b] = (uint16_t)((hi >> 32) ^ (lo >> 16) ^ ((lo >> 32) & (lo >> 48)));
        t[2 + lane][b] = (uint16_t)((lo >> 32) ^ (hi >> 16) ^ ((hi >> 32) & (hi >> 48)));
      } else {
        t[lane][b] = (uint16_t)((lo >> 16) ^ hi ^ (hi >> 16) ^ ((lo >> 32) & (lo >> 48)));
      }
    }
  }
  for (int i = 0; i < (blocks == 8 ? 4 : 2); i++) unslice_block(z + 16 * i, t[i]);
}

static void finalize(plane s[8], uint8_t tag[TAG_LEN], size_t ad_len, size_t len, int blocks) {
  uint8_t u[16], parts[16][16];
  plane m[8];
  store_le64(u, 8 * (uint64_t)ad_len);
  store_le64(u + 8, 8 * (uint64_t)len);
  sliced_store((const struct sliced *)(const void *)s, &parts[0][0], 16);
  int from = blocks == 8 ? 2 : 3;
  uint8_t t[2][16];
  for (int lane = 0; lane < 2; lane++) xor16(t[lane], parts[8 * lane + from], u);
  place(m, t[0], blocks == 8 ? t[0] : NULL, t[1], blocks == 8 ? t[1] : NULL);
  for (int i = 0; i < 7; i++) update(s, m, blocks);
  sliced_store((const struct sliced *)(const void *)s, &parts[0][0], 16);
  memset(tag, 0, TAG_LEN);
  /* S[7] of 128X2 stays out of the tag. */
  for (int j = 0; j < (blocks == 8 ? 7 : 6); j++) {
    xor16(tag, tag, parts[j]);
    xor16(tag, tag, parts[8 + j]);
  }
  wipe(parts, sizeof parts);
}

static inline ALWAYS_INLINE void run(const struct key_material *key, struct msg *msg, size_t len, size_t ad_len, int blocks, bool opening) {
  const size_t rate = blocks == 8 ? 64 : 32;
  plane s[8], m[8];
  uint8_t z[64], x[64];
  if (blocks == 8) {
    init128(s, key->raw, msg->nonce);
  } else {
    init256(s, key->raw, msg->nonce);
  }
  for (size_t off = 0; off < ad_len; off += rate) {
    size_t n = ad_len - off < rate ? ad_len - off : rate;
    memset(x, 0, rate);
    memcpy(x, msg->ad + off, n);
    chunk_planes(m, x, blocks);
    update(s, m, blocks);
  }
  for (size_t off = 0; off < len; off += rate) {
    size_t n = len - off < rate ? len - off : rate;
    memset(x, 0, rate);
    memcpy(x, msg->in + off, n);
    key_stream(s, z, blocks);
    for (size_t i = 0; i < rate; i++) z[i] ^= x[i];
    memcpy(msg->out + off, z, n);
    /* The state takes the plaintext; when opening that is the output, and zeros after it. */
    if (opening) memcpy(x, z, n);
    chunk_planes(m, x, blocks);
    update(s, m, blocks);
  }
  finalize(s, msg->tag, ad_len, len, blocks);
  wipe(s, sizeof s);
  wipe(m, sizeof m);
  wipe(z, sizeof z);
  wipe(x, sizeof x);
}

void aegis128x2_portable_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) run(key, &msgs[i], len, ad_len, 8, false);
}

void aegis128x2_portable_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) run(key, &msgs[i], len, ad_len, 8, true);
}

void aegis256x2_portable_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) run(key, &msgs[i], len, ad_len, 6, false);
}

void aegis256x2_portable_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) run(key, &msgs[i], len, ad_len, 6, true);
}
