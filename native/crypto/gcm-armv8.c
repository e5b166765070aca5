/* AES-256-GCM on the AES and PMULL instructions of ARMv8. */
#include "engines.h"

#ifdef HAVE_ARM_TIER
#include "vector-neon.h"

#include "gcm-vector.h"

TARGET void gcm_armv8_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false);
}

TARGET void gcm_armv8_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true);
}
#endif
