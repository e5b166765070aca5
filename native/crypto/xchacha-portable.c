/* XChaCha20-Poly1305, four ChaCha20 blocks at a time (SSE2 and NEON are enough for that). */
#include "engines.h"
#include "poly1305.h"

#define LANES 4
#define TARGET
#include "chacha.h"

static void absorb(struct poly1305 *mac, const uint8_t *data, size_t len) { poly1305_padded(mac, data, len); }

void xchacha_portable_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) xchacha_message(key, &msgs[i], len, ad_len, false, absorb);
}

void xchacha_portable_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) xchacha_message(key, &msgs[i], len, ad_len, true, absorb);
}

void chacha_stream_portable(const uint8_t key[32], uint8_t *out, size_t len) { chacha_stream(key, out, len); }
