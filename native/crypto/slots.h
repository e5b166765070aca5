/* Process-wide table of keys in locked memory. All threads, and so all JavaScript environments, share it. */
#ifndef AEGISFS_CRYPTO_SLOTS_H
#define AEGISFS_CRYPTO_SLOTS_H

#include "kernel.h"

#define SLOT_COUNT 64u

enum slot_status { SLOT_OK = 0, SLOT_FULL = -1, SLOT_NO_MEMORY = -2 };

/* Copies and expands a key whose length was checked before. The handle is a positive integer below 2^53. */
enum slot_status slot_create(uint32_t kind, const uint8_t *bytes, size_t len, uint64_t *handle);
/* Wipes one key after the calls that still use it have ended. False if the handle is stale. */
bool slot_free(uint64_t handle);
void slots_wipe(void);

/* The key of a handle, held in place until slot_release; NULL if the handle is stale. */
const struct key_material *slot_acquire(uint64_t handle);
void slot_release(uint64_t handle);

#endif
