/* AES-SIV on AES-NI: the CMAC chains of up to 32 blocks of a run fill the pipeline. */
#include "engines.h"
#include "siv-batch.h"

#ifdef HAVE_X86_TIERS
void siv_aesni_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_seal(key, msgs, count, len, ad_len, aes_ecb_encrypt_aesni);
}

void siv_aesni_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  siv_batch_open(key, msgs, count, len, ad_len, aes_ecb_encrypt_aesni);
}
#endif
