/* Turns key bytes into key material. */
#ifndef AEGISFS_CRYPTO_KEY_SETUP_H
#define AEGISFS_CRYPTO_KEY_SETUP_H

#include "kernel.h"

/* `len` must fit `kind` (kind_key_len_ok). Copies what it needs; the caller may wipe `bytes` afterwards. */
void key_setup(struct key_material *key, uint32_t kind, const uint8_t *bytes, size_t len);
/* True if the bytes that the cipher works with are all zero (format.md 2.1 rule 1). */
bool key_is_zero(const struct key_material *key);

#endif
