/* AEGIS with 128-bit AES-NI: one message, one register per lane. Its eight or six blocks per lane are enough to fill the pipeline. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-128.h"

#define NMSG 1
#define NV 2
#define NAME(x) one_##x

INLINE V one_v_context(int i) { return _mm_cvtsi32_si128(0x100 + i); }

INLINE V one_v_nonce(int i, const uint8_t *const *nonces, size_t off) {
  (void)i;
  return V_BROADCAST(nonces[0] + off);
}

INLINE V one_v_load(int i, const uint8_t *const *in, size_t off) { return V_BROADCAST(in[0] + off + 16 * (size_t)i); }

INLINE void one_v_store(const V *v, uint8_t *const *out, size_t off) {
  _mm_storeu_si128((__m128i *)(void *)(out[0] + off), v[0]);
  _mm_storeu_si128((__m128i *)(void *)(out[0] + off + 16), v[1]);
}

INLINE void one_v_tag(const V *v, uint8_t (*tags)[16]) { _mm_storeu_si128((__m128i *)(void *)tags[0], _mm_xor_si128(v[0], v[1])); }

#include "aegis-x86.h"

TARGET void aegis128x2_aesni_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) one_message(key, &msgs[i], len, ad_len, true, false);
}

TARGET void aegis128x2_aesni_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) one_message(key, &msgs[i], len, ad_len, true, true);
}

TARGET void aegis256x2_aesni_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) one_message(key, &msgs[i], len, ad_len, false, false);
}

TARGET void aegis256x2_aesni_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) one_message(key, &msgs[i], len, ad_len, false, true);
}
#endif
