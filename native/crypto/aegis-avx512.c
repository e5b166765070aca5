/*
 * AEGIS with 512-bit VAES: two messages share a register (lanes 0 and 1 of the first, then of the second), and four
 * messages run side by side in two registers per state block. What is left over runs as two; a
 * single message shares its registers with nobody: its lanes simply stand there twice, which costs nothing.
 */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-512.h"

#define NMSG 2
#define NV 1
#define NAME(x) two_##x
#include "aegis-512bit.h"
#include "aegis-vector.h"
#undef NMSG
#undef NV
#undef NAME

#define NMSG 4
#define NV 2
#define NAME(x) four_##x
#include "aegis-512bit.h"
#include "aegis-vector.h"

INLINE void batch(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len, bool wide, bool opening) {
  for (; count >= 4; count -= 4, msgs += 4) four_message(key, msgs, len, ad_len, wide, opening);
  if (count >= 2) {
    two_message(key, msgs, len, ad_len, wide, opening);
    count -= 2;
    msgs += 2;
  }
  if (count > 0) {
    struct msg twice[2] = {msgs[0], msgs[0]};
    two_message(key, twice, len, ad_len, wide, opening);
    memcpy(msgs[0].tag, twice[0].tag, TAG_LEN);
  }
}

TARGET void aegis128x2_avx512_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true, false);
}

TARGET void aegis128x2_avx512_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true, true);
}

TARGET void aegis256x2_avx512_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false, false);
}

TARGET void aegis256x2_avx512_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false, true);
}
#endif
