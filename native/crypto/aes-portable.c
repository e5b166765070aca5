/* Constant-time AES (FIPS 197) on bit planes, and the key expansion that all tiers share. */
#include "aes-portable.h"

#include "aes-bitslice.h"

void sliced_load(struct sliced *s, const uint8_t *in, size_t blocks) {
  uint16_t t[SLICED_BLOCKS][8];
  memset(s, 0, sizeof *s);
  for (size_t i = 0; i < blocks; i++) {
    slice_block(t[i], in + 16 * i);
    for (int b = 0; b < 8; b++) s->p[b][i] = t[i][b];
  }
}

void sliced_store(const struct sliced *s, uint8_t *out, size_t blocks) {
  for (size_t i = 0; i < blocks; i++) {
    uint16_t t[8];
    for (int b = 0; b < 8; b++) t[b] = s->p[b][i];
    unslice_block(out + 16 * i, t);
  }
}

static inline void add_round_key(plane q[8], const uint16_t key[8]) {
  for (int b = 0; b < 8; b++) q[b] ^= key[b];
}

static void encrypt_sliced(const struct aes_key *key, plane q[8]) {
  add_round_key(q, key->sliced[0]);
  for (uint32_t r = 1; r < key->rounds; r++) {
    aes_round_planes(q);
    add_round_key(q, key->sliced[r]);
  }
  sub_bytes(q);
  shift_rows(q);
  add_round_key(q, key->sliced[key->rounds]);
}

static void decrypt_sliced(const struct aes_key *key, plane q[8]) {
  add_round_key(q, key->sliced[key->rounds]);
  for (uint32_t r = key->rounds - 1; r > 0; r--) {
    inv_shift_rows(q);
    inv_sub_bytes(q);
    add_round_key(q, key->sliced[r]);
    inv_mix_columns(q);
  }
  inv_shift_rows(q);
  inv_sub_bytes(q);
  add_round_key(q, key->sliced[0]);
}

typedef void sliced_cipher(const struct aes_key *key, plane q[8]);

static void ecb(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks, sliced_cipher *cipher) {
  while (blocks > 0) {
    struct sliced s;
    size_t n = blocks < SLICED_BLOCKS ? blocks : SLICED_BLOCKS;
    sliced_load(&s, in, n);
    cipher(key, s.p);
    sliced_store(&s, out, n);
    in += 16 * n;
    out += 16 * n;
    blocks -= n;
  }
}

void aes_ecb_encrypt_portable(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key, in, out, blocks, encrypt_sliced);
}

void aes_ecb_decrypt_portable(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks) {
  ecb(key, in, out, blocks, decrypt_sliced);
}

/* The S-box on four bytes, through the same circuit as the cipher. */
static void sub_word(uint8_t word[4]) {
  struct sliced s;
  uint8_t block[16] = {0};
  memcpy(block, word, 4);
  sliced_load(&s, block, 1);
  sub_bytes(s.p);
  sliced_store(&s, block, 1);
  memcpy(word, block, 4);
  wipe(&s, sizeof s);
  wipe(block, sizeof block);
}

void aes_expand(struct aes_key *key, const uint8_t *bytes, size_t len) {
  uint8_t *w = &key->enc[0][0];
  size_t words = len / 4;
  uint8_t rcon = 1;
  key->rounds = (uint32_t)words + 6;
  memcpy(w, bytes, len);
  for (size_t i = words; i < 4 * (key->rounds + 1u); i++) {
    uint8_t t[4];
    memcpy(t, w + 4 * (i - 1), 4);
    if (i % words == 0) {
      uint8_t first = t[0];
      t[0] = t[1];
      t[1] = t[2];
      t[2] = t[3];
      t[3] = first;
      sub_word(t);
      t[0] ^= rcon;
      rcon = (uint8_t)((rcon << 1) ^ ((rcon >> 7) * 0x1b));
    } else if (words == 8 && i % words == 4) {
      sub_word(t);
    }
    for (int j = 0; j < 4; j++) w[4 * i + j] = w[4 * (i - words) + j] ^ t[j];
    wipe(t, sizeof t);
  }
  for (uint32_t r = 0; r <= key->rounds; r++) slice_block(key->sliced[r], key->enc[r]);
}

void aes_expand_inverse(struct aes_key *key) {
  struct sliced s;
  /* Rounds+1 <= 15 blocks fit into one batch; the outer two are then put back unmixed. */
  sliced_load(&s, &key->enc[0][0], key->rounds + 1);
  inv_mix_columns(s.p);
  uint8_t mixed[15][16];
  sliced_store(&s, &mixed[0][0], key->rounds + 1);
  for (uint32_t r = 1; r < key->rounds; r++) memcpy(key->dec[r], mixed[key->rounds - r], 16);
  memcpy(key->dec[0], key->enc[key->rounds], 16);
  memcpy(key->dec[key->rounds], key->enc[0], 16);
  wipe(&s, sizeof s);
  wipe(mixed, sizeof mixed);
}
