/* What all GCM engines share. */
#ifndef AEGISFS_CRYPTO_GCM_H
#define AEGISFS_CRYPTO_GCM_H

#include "kernel.h"

/* J0 for a 12-byte nonce (SP 800-38D 7.1): only the wrapped master key of old vaults. */
static inline void gcm_counter96(uint8_t j0[16], const uint8_t *nonce) {
  memcpy(j0, nonce, 12);
  j0[12] = j0[13] = j0[14] = 0;
  j0[15] = 1;
}

#endif
