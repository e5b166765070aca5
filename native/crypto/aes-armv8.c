/* AES-ECB on the AES instructions of ARMv8. */
#include "engines.h"

#ifdef HAVE_ARM_TIER
#include "vector-neon.h"

#include "aes-vector.h"

TARGET void aes_ecb_encrypt_armv8(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key, in, out, blocks, false);
}

TARGET void aes_ecb_decrypt_armv8(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key, in, out, blocks, true);
}
#endif
