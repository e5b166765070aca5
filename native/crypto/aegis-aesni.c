/* AEGIS with 128-bit AES-NI: one message, one register per lane. Its blocks are enough to fill the pipeline. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-128.h"

#define NMSG 1
#define NV 2
#define NAME(x) one_##x

#include "aegis-128bit.h"
#include "aegis-vector.h"

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
