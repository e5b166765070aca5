/* AES-ECB on 128-bit AES-NI. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-128.h"

#include "aes-vector.h"

TARGET void aes_ecb_encrypt_aesni(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key, in, out, blocks, false);
}

TARGET void aes_ecb_decrypt_aesni(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key, in, out, blocks, true);
}
#endif
