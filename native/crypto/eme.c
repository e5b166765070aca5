/* EME in the notation of format.md 14. The masks L[j] are recomputed per call: doubling costs less than loading them. */
#include "eme.h"

#include "tiers.h"

struct block {
  uint64_t lo, hi;
};

static inline struct block load(const uint8_t *p) { return (struct block){load_le64(p), load_le64(p + 8)}; }

static inline void store(uint8_t *p, struct block b) {
  store_le64(p, b.lo);
  store_le64(p + 8, b.hi);
}

static inline struct block add(struct block a, struct block b) { return (struct block){a.lo ^ b.lo, a.hi ^ b.hi}; }

/* Doubling with byte 0 as the least significant. */
static inline struct block twice(struct block b) {
  uint64_t carry = 0 - (b.hi >> 63);
  return (struct block){(b.lo << 1) ^ (carry & 0x87), (b.hi << 1) | (b.lo >> 63)};
}

static void add_masks(const struct key_material *key, uint8_t *data, size_t blocks) {
  struct block l = load(key->eme_l);
  for (size_t j = 0; j < blocks; j++) {
    l = twice(l);
    store(data + 16 * j, add(load(data + 16 * j), l));
  }
}

void eme_transform(const struct key_material *key, bool decrypt, const uint8_t tweak[16], uint8_t *data, size_t blocks) {
  const struct engines *engines = engines_now();
  ecb_fn *cipher = decrypt ? engines->ecb_decrypt : engines->ecb_encrypt;
  struct block t = load(tweak);
  uint8_t middle[16];
  add_masks(key, data, blocks);
  cipher(&key->aes, data, data, blocks);
  struct block mp = t;
  for (size_t j = 0; j < blocks; j++) mp = add(mp, load(data + 16 * j));
  store(middle, mp);
  cipher(&key->aes, middle, middle, 1);
  struct block mc = load(middle), m = add(mp, mc), first = add(mc, t);
  for (size_t j = 1; j < blocks; j++) {
    m = twice(m);
    struct block ccc = add(load(data + 16 * j), m);
    first = add(first, ccc);
    store(data + 16 * j, ccc);
  }
  store(data, first);
  cipher(&key->aes, data, data, blocks);
  add_masks(key, data, blocks);
  wipe(middle, sizeof middle);
}
