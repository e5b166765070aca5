/* AES-256-GCM on 256-bit VAES and VPCLMULQDQ. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-256.h"

#include "gcm-vector.h"

TARGET void gcm_vaes_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false);
}

TARGET void gcm_vaes_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true);
}
#endif
