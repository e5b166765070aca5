/* AES-SIV on 256-bit VAES. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-256.h"

#include "siv-vector.h"

TARGET void siv_vaes_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_seal(key, msgs, count, len, ad_len);
}

TARGET void siv_vaes_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_open(key, msgs, count, len, ad_len);
}
#endif
