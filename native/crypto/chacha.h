/*
 * ChaCha20 (RFC 8439 2.3) on several blocks at once: vector i holds state word i of LANES blocks. The includer defines
 * LANES (4 or 8) and TARGET (a target attribute or nothing).
 */
#include "kernel.h"

#pragma GCC diagnostic ignored "-Wpsabi"

#define CHACHA_FN static inline ALWAYS_INLINE TARGET

typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));
typedef uint64_t lanes64 __attribute__((vector_size(4 * LANES)));

static const uint32_t chacha_sigma[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#if LANES == 8
/* Rotations by whole bytes are one shuffle there. */
typedef uint8_t lane_bytes __attribute__((vector_size(4 * LANES)));
#define ROTATE16(x)                                                                                                     \
  ((lanes)__builtin_shuffle((lane_bytes)(x), (lane_bytes){2,  3,  0,  1,  6,  7,  4,  5,  10, 11, 8,  9,  14, 15, 12, 13, \
                                                          18, 19, 16, 17, 22, 23, 20, 21, 26, 27, 24, 25, 30, 31, 28, 29}))
#define ROTATE8(x)                                                                                                      \
  ((lanes)__builtin_shuffle((lane_bytes)(x), (lane_bytes){3,  0,  1,  2,  7,  4,  5,  6,  11, 8,  9,  10, 15, 12, 13, 14, \
                                                          19, 16, 17, 18, 23, 20, 21, 22, 27, 24, 25, 26, 31, 28, 29, 30}))
#else
#define ROTATE16(x) ROTATE(x, 16)
#define ROTATE8(x) ROTATE(x, 8)
#endif

#define QUARTER(a, b, c, d, ROT16, ROT8)         \
  do {                                           \
    (a) += (b), (d) ^= (a), (d) = ROT16(d);      \
    (c) += (d), (b) ^= (c), (b) = ROTATE(b, 12); \
    (a) += (b), (d) ^= (a), (d) = ROT8(d);       \
    (c) += (d), (b) ^= (c), (b) = ROTATE(b, 7);  \
  } while (0)
#define WORD_ROTATE16(x) ROTATE(x, 16)
#define WORD_ROTATE8(x) ROTATE(x, 8)

#define CHACHA_ROUNDS(x, ROT16, ROT8)                                                                                      \
  for (int chacha_i = 0; chacha_i < 10; chacha_i++) {                                                         \
    QUARTER((x)[0], (x)[4], (x)[8], (x)[12], ROT16, ROT8);                                                                 \
    QUARTER((x)[1], (x)[5], (x)[9], (x)[13], ROT16, ROT8);                                                                 \
    QUARTER((x)[2], (x)[6], (x)[10], (x)[14], ROT16, ROT8);                                                                \
    QUARTER((x)[3], (x)[7], (x)[11], (x)[15], ROT16, ROT8);                                                                \
    QUARTER((x)[0], (x)[5], (x)[10], (x)[15], ROT16, ROT8);                                                                \
    QUARTER((x)[1], (x)[6], (x)[11], (x)[12], ROT16, ROT8);                                                                \
    QUARTER((x)[2], (x)[7], (x)[8], (x)[13], ROT16, ROT8);                                                                 \
    QUARTER((x)[3], (x)[4], (x)[9], (x)[14], ROT16, ROT8);                                                                 \
  }

/* HChaCha20 (draft-irtf-cfrg-xchacha 2.2): the rounds without the final addition, first and last row out. */
CHACHA_FN void hchacha(uint8_t out[32], const uint8_t key[32], const uint8_t nonce[16]) {
  uint32_t x[16];
  memcpy(x, chacha_sigma, 16);
  memcpy(x + 4, key, 32);
  memcpy(x + 12, nonce, 16);
  CHACHA_ROUNDS(x, WORD_ROTATE16, WORD_ROTATE8);
  memcpy(out, x, 16);
  memcpy(out + 16, x + 12, 16);
  wipe(x, sizeof x);
}

/* Key stream of LANES consecutive blocks from `counter` on; `state` gives the other words. */
CHACHA_FN void chacha_blocks(const uint32_t state[16], uint32_t counter, uint8_t *out) {
  lanes x[16], start[16];
  for (int i = 0; i < 16; i++) start[i] = (lanes){0} + state[i];
  start[12] = (lanes){0} + counter;
  for (int i = 0; i < LANES; i++) start[12][i] += (uint32_t)i;
  for (int i = 0; i < 16; i++) x[i] = start[i];
  CHACHA_ROUNDS(x, ROTATE16, ROTATE8);
  for (int i = 0; i < 16; i++) x[i] += start[i];
  /* Transpose: words 4g…4g+3 of every block into 16-byte pieces; LANES / 4 groups of four blocks lie side by side. */
  for (int g = 0; g < 4; g++) {
#if LANES == 4
    lanes lo01 = __builtin_shuffle(x[4 * g], x[4 * g + 1], (lanes){0, 4, 1, 5});
    lanes hi01 = __builtin_shuffle(x[4 * g], x[4 * g + 1], (lanes){2, 6, 3, 7});
    lanes lo23 = __builtin_shuffle(x[4 * g + 2], x[4 * g + 3], (lanes){0, 4, 1, 5});
    lanes hi23 = __builtin_shuffle(x[4 * g + 2], x[4 * g + 3], (lanes){2, 6, 3, 7});
    lanes row[4] = {
      (lanes)__builtin_shuffle((lanes64)lo01, (lanes64)lo23, (lanes64){0, 2}),
      (lanes)__builtin_shuffle((lanes64)lo01, (lanes64)lo23, (lanes64){1, 3}),
      (lanes)__builtin_shuffle((lanes64)hi01, (lanes64)hi23, (lanes64){0, 2}),
      (lanes)__builtin_shuffle((lanes64)hi01, (lanes64)hi23, (lanes64){1, 3}),
    };
#else
    lanes lo01 = __builtin_shuffle(x[4 * g], x[4 * g + 1], (lanes){0, 8, 1, 9, 4, 12, 5, 13});
    lanes hi01 = __builtin_shuffle(x[4 * g], x[4 * g + 1], (lanes){2, 10, 3, 11, 6, 14, 7, 15});
    lanes lo23 = __builtin_shuffle(x[4 * g + 2], x[4 * g + 3], (lanes){0, 8, 1, 9, 4, 12, 5, 13});
    lanes hi23 = __builtin_shuffle(x[4 * g + 2], x[4 * g + 3], (lanes){2, 10, 3, 11, 6, 14, 7, 15});
    lanes row[4] = {
      (lanes)__builtin_shuffle((lanes64)lo01, (lanes64)lo23, (lanes64){0, 4, 2, 6}),
      (lanes)__builtin_shuffle((lanes64)lo01, (lanes64)lo23, (lanes64){1, 5, 3, 7}),
      (lanes)__builtin_shuffle((lanes64)hi01, (lanes64)hi23, (lanes64){0, 4, 2, 6}),
      (lanes)__builtin_shuffle((lanes64)hi01, (lanes64)hi23, (lanes64){1, 5, 3, 7}),
    };
#endif
    for (int half = 0; half < LANES / 4; half++) {
      for (int r = 0; r < 4; r++) memcpy(out + 64 * (4 * half + r) + 16 * g, (const uint8_t *)&row[r] + 16 * half, 16);
    }
  }
}

/* One message: XChaCha20-Poly1305 (format.md 15, C.3; RFC 8439 2.8 for the construction of the tag). */
typedef void absorb_fn(struct poly1305 *mac, const uint8_t *data, size_t len);

CHACHA_FN void xchacha_message(
  const struct key_material *key, struct msg *msg, size_t len, size_t ad_len, bool opening, absorb_fn *absorb) {
  uint8_t stream[64 * LANES], subkey[32], lengths[16];
  uint32_t state[16];
  struct poly1305 mac;
  hchacha(subkey, key->raw, msg->nonce);
  memcpy(state, chacha_sigma, 16);
  memcpy(state + 4, subkey, 32);
  state[12] = state[13] = 0;
  memcpy(state + 14, msg->nonce + 16, 8);
  chacha_blocks(state, 0, stream);
  poly1305_init(&mac, stream);
  absorb(&mac, msg->ad, ad_len);
  /* Block 0 is the Poly1305 key; the data begins at block 1 (RFC 8439 2.8). */
  size_t used = 64;
  uint32_t counter = LANES;
  for (size_t off = 0; off < len;) {
    if (used == sizeof stream) {
      chacha_blocks(state, counter, stream);
      counter += LANES;
      used = 0;
    }
    size_t n = len - off < sizeof stream - used ? len - off : sizeof stream - used;
    if (opening) absorb(&mac, msg->in + off, n);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) xor16(msg->out + off + i, msg->in + off + i, stream + used + i);
    for (; i < n; i++) msg->out[off + i] = msg->in[off + i] ^ stream[used + i];
    if (!opening) absorb(&mac, msg->out + off, n);
    off += n;
    used += n;
  }
  store_le64(lengths, ad_len);
  store_le64(lengths + 8, len);
  absorb(&mac, lengths, 16);
  poly1305_finish(&mac, msg->tag);
  wipe(stream, sizeof stream);
  wipe(subkey, sizeof subkey);
  wipe(state, sizeof state);
}

/* Key stream with counter 0 and nonce 0; `len` is a multiple of 64 × LANES. */
CHACHA_FN void chacha_stream(const uint8_t key[32], uint8_t *out, size_t len) {
  uint32_t state[16] = {0};
  memcpy(state, chacha_sigma, 16);
  memcpy(state + 4, key, 32);
  for (uint32_t counter = 0; len > 0; counter += LANES, out += 64 * LANES, len -= 64 * LANES) chacha_blocks(state, counter, out);
  wipe(state, sizeof state);
}
