/* Random bytes for nonces and ids, from the kernel. */
#ifndef AEGISFS_CRYPTO_RANDOM_H
#define AEGISFS_CRYPTO_RANDOM_H

#include "kernel.h"

/* Fills `count` nonces of `len` bytes, `stride` bytes apart; none of them is all zero (format.md 6). False if the kernel gives no random
 * bytes. */
bool random_nonces(uint8_t *dst, size_t count, size_t len, size_t stride);
/* Fills any length; a result of 12 bytes or more is never all zero. */
bool random_fill(uint8_t *dst, size_t len);
/* Throws away what is in the pool. */
void random_wipe(void);

#endif
