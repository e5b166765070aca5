/*
 * AES-256-GCM (SP 800-38D) without special instructions. Nonces of 12 bytes give J0 = nonce ‖ 1, all others
 * J0 = GHASH(padded nonce ‖ 0^8 ‖ BE64(bits)) (7.1).
 */
#include "engines.h"
#include "gcm.h"
#include "polyval.h"

#define STREAM_BLOCKS 16

static void absorb(struct element *acc, const struct multiplier *h, const uint8_t *data, size_t len) {
  for (; len >= 16; data += 16, len -= 16) *acc = polyval_mul(element_add(*acc, element_block(data)), h);
  if (len > 0) {
    uint8_t last[16] = {0};
    memcpy(last, data, len);
    *acc = polyval_mul(element_add(*acc, element_block(last)), h);
    wipe(last, sizeof last);
  }
}

static void absorb_lengths(struct element *acc, const struct multiplier *h, size_t ad_len, size_t len) {
  struct element block = {8 * (uint64_t)len, 8 * (uint64_t)ad_len};
  *acc = polyval_mul(element_add(*acc, block), h);
}

static void counter_mode(const struct aes_key *key, const uint8_t j0[16], const uint8_t *in, uint8_t *out, size_t len) {
  uint8_t stream[16 * STREAM_BLOCKS];
  uint32_t counter = __builtin_bswap32(load_le32(j0 + 12));
  while (len > 0) {
    size_t n = len < sizeof stream ? len : sizeof stream;
    size_t blocks = (n + 15) / 16;
    for (size_t i = 0; i < blocks; i++) {
      memcpy(stream + 16 * i, j0, 12);
      store_le32(stream + 16 * i + 12, __builtin_bswap32(++counter));
    }
    aes_ecb_encrypt_portable(key, stream, stream, blocks);
    for (size_t i = 0; i < n; i++) out[i] = in[i] ^ stream[i];
    in += n;
    out += n;
    len -= n;
  }
  wipe(stream, sizeof stream);
}

static void run(const struct key_material *key, struct msg *msg, size_t len, size_t ad_len, bool opening) {
  struct multiplier h = multiplier_of(element_load(key->hash_powers[GHASH_POWERS - 1]));
  struct element acc = {0, 0};
  uint8_t j0[16], mask[16];
  if (kind_nonce_len(key->kind) == 12) {
    gcm_counter96(j0, msg->nonce);
  } else {
    absorb(&acc, &h, msg->nonce, 16);
    absorb_lengths(&acc, &h, 0, 16);
    element_unblock(j0, acc);
  }
  aes_ecb_encrypt_portable(&key->aes, j0, mask, 1);
  acc = (struct element){0, 0};
  absorb(&acc, &h, msg->ad, ad_len);
  if (opening) absorb(&acc, &h, msg->in, len);
  counter_mode(&key->aes, j0, msg->in, msg->out, len);
  if (!opening) absorb(&acc, &h, msg->out, len);
  absorb_lengths(&acc, &h, ad_len, len);
  element_unblock(msg->tag, acc);
  xor16(msg->tag, msg->tag, mask);
  wipe(&h, sizeof h);
  wipe(mask, sizeof mask);
}

void gcm_portable_seal(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) run(key, &msgs[i], len, ad_len, false);
}

void gcm_portable_open(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len) {
  for (size_t i = 0; i < count; i++) run(key, &msgs[i], len, ad_len, true);
}
