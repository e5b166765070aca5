/* AES-ECB on 256-bit VAES. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-256.h"

#include "aes-vector.h"

TARGET void aes_ecb_encrypt_vaes(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key, in, out, blocks, false);
}

TARGET void aes_ecb_decrypt_vaes(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key, in, out, blocks, true);
}
#endif
