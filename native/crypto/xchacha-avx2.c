/* XChaCha20-Poly1305 with eight ChaCha20 blocks at a time; Poly1305 on 64-bit integers. */
#include "engines.h"
#include "poly1305.h"

#ifdef HAVE_X86_TIERS
#define LANES 8
#define TARGET __attribute__((target("avx2,bmi2")))
#include "chacha.h"

TARGET static void absorb(struct poly1305 *mac, const uint8_t *data, size_t len) { poly1305_padded(mac, data, len); }

TARGET void xchacha_avx2_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) xchacha_message(key, &msgs[i], len, ad_len, false, absorb);
}

TARGET void xchacha_avx2_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) xchacha_message(key, &msgs[i], len, ad_len, true, absorb);
}

TARGET void chacha_stream_avx2(const uint8_t key[32], uint8_t *out, size_t len) { chacha_stream(key, out, len); }
#endif
