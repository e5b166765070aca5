/*
 * One-time work per key. It is portable code for every tier: the forms it makes are the same for all of them, and it
 * runs a handful of times per mount.
 */
#include "key-setup.h"

#include "aes-portable.h"
#include "polyval.h"

/* Powers of the GHASH key H = AES(0^16) (SP 800-38D 6.4) as POLYVAL elements. */
static void setup_gcm(struct key_material *key, const uint8_t *bytes) {
  uint8_t h[16] = {0};
  aes_expand(&key->aes, bytes, 32);
  aes_ecb_encrypt_portable(&key->aes, h, h, 1);
  struct element h1 = ghash_key(h);
  struct element power = h1;
  for (unsigned i = GHASH_POWERS; i-- > 0;) {
    element_store(key->hash_powers[i], power);
    power = polyval_dot(power, h1);
  }
  wipe(h, sizeof h);
  wipe(&h1, sizeof h1);
  wipe(&power, sizeof power);
}

/* CMAC subkeys (SP 800-38B 6.1) and the start of S2V (RFC 5297 2.4). The first half of the key is for CMAC (RFC 5297 2.6). */
static void setup_siv(struct key_material *key, const uint8_t *bytes) {
  uint8_t l[16] = {0};
  aes_expand(&key->aes, bytes, 32);
  aes_expand(&key->ctr, bytes + 32, 32);
  aes_ecb_encrypt_portable(&key->aes, l, l, 1);
  memcpy(key->cmac_k1, l, 16);
  double_be(key->cmac_k1);
  memcpy(key->cmac_k2, key->cmac_k1, 16);
  double_be(key->cmac_k2);
  /* CMAC(0^16) is AES of the block XOR k1, a complete last block. */
  aes_ecb_encrypt_portable(&key->aes, key->cmac_k1, key->s2v_start, 1);
  double_be(key->s2v_start);
  wipe(l, sizeof l);
}

static void setup_eme(struct key_material *key, const uint8_t *bytes, size_t len) {
  uint8_t zero[16] = {0};
  aes_expand(&key->aes, bytes, len);
  aes_expand_inverse(&key->aes);
  aes_ecb_encrypt_portable(&key->aes, zero, key->eme_l, 1);
}

void key_setup(struct key_material *key, uint32_t kind, const uint8_t *bytes, size_t len) {
  memset(key, 0, sizeof *key);
  key->kind = kind;
  key->key_len = (uint32_t)len;
  switch (kind) {
    case KIND_AES_GCM:
    case KIND_AES_GCM96:
      setup_gcm(key, bytes);
      break;
    case KIND_AES_SIV:
      setup_siv(key, bytes);
      break;
    case KIND_EME:
      setup_eme(key, bytes, len);
      break;
    default:
      memcpy(key->raw, bytes, len);
      break;
  }
}

/* The first bytes of an AES key schedule are the key itself. */
bool key_is_zero(const struct key_material *key) {
  unsigned any = 0;
  const uint8_t *aes = &key->aes.enc[0][0], *ctr = &key->ctr.enc[0][0];
  switch (key->kind) {
    case KIND_AES_GCM:
    case KIND_AES_GCM96:
    case KIND_EME:
      for (size_t i = 0; i < key->key_len; i++) any |= aes[i];
      break;
    case KIND_AES_SIV:
      for (size_t i = 0; i < 32; i++) any |= (unsigned)(aes[i] | ctr[i]);
      break;
    default:
      for (size_t i = 0; i < key->key_len; i++) any |= key->raw[i];
      break;
  }
  return any == 0;
}
