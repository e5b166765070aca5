/* AES without AES instructions, and everything derived from a key before any tier uses it. */
#ifndef AEGISFS_CRYPTO_AES_PORTABLE_H
#define AEGISFS_CRYPTO_AES_PORTABLE_H

#include "kernel.h"

/* Fills all forms of the round keys from a 16- or 32-byte key (FIPS 197 5.2), in constant time. */
void aes_expand(struct aes_key *key, const uint8_t *bytes, size_t len);
/* Fills key->dec (equivalent inverse cipher, FIPS 197 5.3.5). */
void aes_expand_inverse(struct aes_key *key);

ecb_fn aes_ecb_encrypt_portable;
ecb_fn aes_ecb_decrypt_portable;

#endif
