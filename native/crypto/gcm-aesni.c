/* AES-256-GCM on 128-bit AES-NI and PCLMULQDQ. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-128.h"

#include "gcm-vector.h"

TARGET void gcm_aesni_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false);
}

TARGET void gcm_aesni_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true);
}
#endif
