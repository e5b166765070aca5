/* SHA-256 (FIPS 180-4): only the names of long-name files (format.md 8.5), so no key material passes through. */
#ifndef AEGISFS_CRYPTO_SHA256_H
#define AEGISFS_CRYPTO_SHA256_H

#include "kernel.h"

void sha256(const uint8_t *data, size_t len, uint8_t out[32]);

#endif
