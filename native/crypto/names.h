/* Encryption of one file or xattr name (format.md 8.2, 8.3). */
#ifndef AEGISFS_CRYPTO_NAMES_H
#define AEGISFS_CRYPTO_NAMES_H

#include "kernel.h"

#define NAME_MAX_PLAIN (16u * EME_MAX_BLOCKS - 1u)

/* Length of the text of a name, without the NUL. */
size_t name_text_len(size_t name_len, bool padded);

/* Writes text and NUL; `len` is at most NAME_MAX_PLAIN. Length of the text. */
size_t name_encrypt(const struct key_material *key, const uint8_t tweak[16], const uint8_t *name, size_t len, uint8_t *text, bool padded);
#define NAME_BAD (-1)
#define NAME_NO_ROOM (-2)
/* Writes name and NUL. Length of the name, NAME_BAD if the text breaks rules 1–4 of format.md 8.3, NAME_NO_ROOM if name and NUL need
 * more than `room` bytes. */
int64_t name_decrypt(
  const struct key_material *key, const uint8_t tweak[16], const uint8_t *text, size_t len, uint8_t *name, size_t room, bool padded);

#endif
