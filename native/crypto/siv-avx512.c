/* AES-SIV on 512-bit VAES. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-512.h"

#include "siv-vector.h"

TARGET void siv_avx512_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_seal(key, msgs, count, len, ad_len);
}

TARGET void siv_avx512_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_open(key, msgs, count, len, ad_len);
}
#endif
