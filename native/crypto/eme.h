/* EME (Halevi and Rogaway, "A Parallelizable Enciphering Mode", CT-RSA 2004; format.md 14). */
#ifndef AEGISFS_CRYPTO_EME_H
#define AEGISFS_CRYPTO_EME_H

#include "kernel.h"

/* Transforms `blocks` (1…128) 16-byte blocks in place. */
void eme_transform(const struct key_material *key, bool decrypt, const uint8_t tweak[16], uint8_t *data, size_t blocks);

#endif
