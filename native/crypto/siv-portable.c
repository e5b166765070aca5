/* AES-SIV on the portable AES. */
#include "engines.h"

#define SIV_ECB aes_ecb_encrypt_portable
#include "siv-batch.h"

void siv_portable_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_seal(key, msgs, count, len, ad_len);
}

void siv_portable_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_open(key, msgs, count, len, ad_len);
}
