/* AEGIS with 256-bit VAES: both lanes of a message in one register. */
#include "engines.h"

#ifdef HAVE_X86_TIERS
#include "vector-256.h"

#define NMSG 1
#define NV 1
#define NAME(x) one_##x
#include "aegis-256bit.h"
#include "aegis-vector.h"
#undef NMSG
#undef NV
#undef NAME

#define NMSG 2
#define NV 2
#define NAME(x) two_##x
#include "aegis-256bit.h"
#include "aegis-vector.h"

/* Two messages where there are two: the sixteen registers do not hold both states, but spilling costs less than waiting. */
INLINE void batch(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len, bool wide, bool opening) {
  for (; count >= 2; count -= 2, msgs += 2) two_message(key, msgs, len, ad_len, wide, opening);
  if (count > 0) one_message(key, msgs, len, ad_len, wide, opening);
}

TARGET void aegis128x2_vaes_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true, false);
}

TARGET void aegis128x2_vaes_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, true, true);
}

TARGET void aegis256x2_vaes_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false, false);
}

TARGET void aegis256x2_vaes_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  batch(key, msgs, count, len, ad_len, false, true);
}
#endif
