/* AES-SIV on the AES instructions of ARMv8. */
#include "engines.h"

#ifdef HAVE_ARM_TIER
#include "vector-neon.h"

#include "siv-vector.h"

TARGET void siv_armv8_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_seal(key, msgs, count, len, ad_len);
}

TARGET void siv_armv8_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_open(key, msgs, count, len, ad_len);
}
#endif
