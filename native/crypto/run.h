/* Runs of file blocks and single messages, on whatever engine is in use (format.md 6 and 7). */
#ifndef AEGISFS_CRYPTO_RUN_H
#define AEGISFS_CRYPTO_RUN_H

#include "kernel.h"

#define FILE_ID_LEN 16u

/* Bytes that a block grows by: nonce and tag. */
static inline size_t block_overhead(uint32_t kind) { return kind_nonce_len(kind) + TAG_LEN; }
/* Size of the sealed form of `len` plaintext bytes. */
size_t run_sealed_len(uint32_t kind, size_t len);
/* Most plaintext bytes that `len` sealed bytes can hold. */
size_t run_opened_len(uint32_t kind, size_t len);

/*
 * Seals blocks. `block0_nonce` NULL: with fresh nonces; otherwise (AES-SIV only, reverse mode) with those that follow from the
 * 16-byte nonce of block 0 (format.md 10.1). Bytes written, or −1 if there are no random bytes or a derived nonce is all zero.
 * src and dst do not overlap.
 */
int64_t run_seal(
  const struct key_material *key, const uint8_t *src, size_t len, uint8_t *dst, const uint8_t *file_id, uint64_t first_block,
  const uint8_t *block0_nonce);
/* Opens blocks. Plaintext bytes written (run_opened_len of them), or −(1 + index of the first bad block), with everything from that
 * block on zeroed. */
int64_t run_open(const struct key_material *key, const uint8_t *src, size_t len, uint8_t *dst, const uint8_t *file_id,
  uint64_t first_block);

/* Seals one message to nonce ‖ sealed. `nonce` NULL draws one. False if that fails. */
bool run_seal_one(const struct key_material *key, const uint8_t *nonce, const uint8_t *in, size_t len, const uint8_t *ad, size_t ad_len,
  uint8_t *out);
/* Opens one message; out holds len − overhead bytes. False (and out zeroed) if it is not authentic or its nonce is all zero. */
bool run_open_one(const struct key_material *key, const uint8_t *in, size_t len, const uint8_t *ad, size_t ad_len, uint8_t *out);

#endif
