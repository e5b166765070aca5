/* Which instruction sets this processor has, and which engines are in use. */
#ifndef AEGISFS_CRYPTO_TIERS_H
#define AEGISFS_CRYPTO_TIERS_H

#include "kernel.h"

/* Detects the processor and reads AEGISFS_TIER; safe to call from every thread, works once. */
void tiers_init(void);
/* Best tier that the processor can run. */
enum tier tiers_best(void);
const char *tier_name(enum tier tier);
/* Uses engines up to `name`; NULL goes back to the choice made at load. False if the name is unknown or the processor lacks the tier. */
bool tiers_force(const char *name);
/* The engines in use. A call picks them once, so switching during a call is harmless. */
const struct engines *engines_now(void);
/* Tier that does the work for a kind. */
enum tier tier_of(uint32_t kind);
/* True if the processor has AES and carry-less multiplication instructions. */
bool tiers_have_aes(void);

#endif
