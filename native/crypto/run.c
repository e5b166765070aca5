/*
 * Everything about a block that does not depend on the cipher: where nonce and tag lie, the associated data, holes,
 * constant-time comparison, and that no byte of a block that is not authentic stays in the output.
 */
#include "run.h"

#include "random.h"
#include "tiers.h"

#define AD_LEN 24u

struct layout {
  size_t nonce, tag, body; /* offsets inside a sealed block of a given plaintext length */
};

/* AES-SIV has its SIV before the ciphertext, all others the tag after it (format.md 6). */
static struct layout layout_of(uint32_t kind, size_t plain_len) {
  size_t nonce = kind_nonce_len(kind);
  if (kind == KIND_AES_SIV) return (struct layout){0, nonce, nonce + TAG_LEN};
  return (struct layout){0, nonce + plain_len, nonce};
}

static bool is_zero(const uint8_t *p, size_t len) {
  uint64_t any = 0;
  size_t i = 0;
  for (; i + 8 <= len; i += 8) any |= load_le64(p + i);
  for (; i < len; i++) any |= p[i];
  return any == 0;
}

/* A hole is a full block of zeros. Its nonce is looked at first, so this is cheap for real blocks. */
static bool is_hole(const uint8_t *block, size_t len, size_t nonce_len) {
  if (!is_zero(block, nonce_len)) return false;
  for (size_t i = nonce_len; i < len; i += 256) {
    if (!is_zero(block + i, len - i < 256 ? len - i : 256)) return false;
  }
  return true;
}

size_t run_sealed_len(uint32_t kind, size_t len) {
  size_t blocks = len / PLAIN_BLOCK + (len % PLAIN_BLOCK != 0);
  return len + blocks * block_overhead(kind);
}

size_t run_opened_len(uint32_t kind, size_t len) {
  size_t overhead = block_overhead(kind), full = len / (PLAIN_BLOCK + overhead), rest = len % (PLAIN_BLOCK + overhead);
  return full * PLAIN_BLOCK + (rest > overhead ? rest - overhead : 0);
}

/* AD = BE64(block number) ‖ file ID (format.md 7.3). */
static void block_ad(uint8_t ad[AD_LEN], uint64_t number, const uint8_t *file_id) {
  store_be64(ad, number);
  memcpy(ad + 8, file_id, FILE_ID_LEN);
}

/* Bytes 0…7 of the nonce of block 0 unchanged, bytes 8…15 plus the block number, modulo 2^64 (format.md 10.1). */
static bool derived_nonces(uint8_t *dst, size_t count, size_t stride, const uint8_t *block0_nonce, uint64_t first_block) {
  for (size_t i = 0; i < count; i++) {
    memcpy(dst + i * stride, block0_nonce, 8);
    store_be64(dst + i * stride + 8, load_be64(block0_nonce + 8) + first_block + i);
    if (is_zero(dst + i * stride, 16)) return false;
  }
  return true;
}

int64_t run_seal(
  const struct key_material *key, const uint8_t *src, size_t len, uint8_t *dst, const uint8_t *file_id, uint64_t first_block,
  const uint8_t *block0_nonce) {
  const struct engine *engine = &engines_now()->aead[key->kind];
  size_t nonce_len = kind_nonce_len(key->kind), overhead = block_overhead(key->kind);
  struct msg msgs[MAX_BATCH];
  uint8_t ad[MAX_BATCH][AD_LEN];
  uint8_t *out = dst;
  while (len > 0) {
    size_t full = len / PLAIN_BLOCK;
    size_t plain_len = full > 0 ? PLAIN_BLOCK : len;
    size_t count = full > MAX_BATCH ? MAX_BATCH : full > 0 ? full : 1;
    struct layout at = layout_of(key->kind, plain_len);
    if (block0_nonce != NULL) {
      if (!derived_nonces(out, count, plain_len + overhead, block0_nonce, first_block)) return -1;
    } else if (!random_nonces(out, count, nonce_len, plain_len + overhead)) {
      return -1;
    }
    for (size_t i = 0; i < count; i++) {
      uint8_t *block = out + i * (plain_len + overhead);
      block_ad(ad[i], first_block++, file_id);
      msgs[i].nonce = block;
      msgs[i].ad = ad[i];
      msgs[i].in = src + i * plain_len;
      msgs[i].out = block + at.body;
    }
    engine->seal(key, msgs, count, plain_len, AD_LEN);
    for (size_t i = 0; i < count; i++) memcpy(out + i * (plain_len + overhead) + at.tag, msgs[i].tag, TAG_LEN);
    src += count * plain_len;
    len -= count * plain_len;
    out += count * (plain_len + overhead);
  }
  return out - dst;
}

/* Blocks of one length that are neither holes nor malformed, waiting to be opened together. */
struct batch {
  const struct key_material *key;
  const struct engine *engine;
  size_t plain_len;
  size_t count;
  struct msg msgs[MAX_BATCH];
  const uint8_t *stored_tag[MAX_BATCH];
  size_t index[MAX_BATCH];
  uint8_t ad[MAX_BATCH][AD_LEN];
};

/* Index of the first block that is not authentic, or −1. */
static int64_t flush(struct batch *batch) {
  size_t count = batch->count;
  if (count == 0) return -1;
  batch->count = 0;
  /* SIV needs the stored SIV to decrypt (kernel.h). */
  for (size_t i = 0; i < count; i++) memcpy(batch->msgs[i].tag, batch->stored_tag[i], TAG_LEN);
  batch->engine->open(batch->key, batch->msgs, count, batch->plain_len, AD_LEN);
  for (size_t i = 0; i < count; i++) {
    if (differs16(batch->msgs[i].tag, batch->stored_tag[i])) return (int64_t)batch->index[i];
  }
  return -1;
}

static void add(struct batch *batch, const uint8_t *block, uint8_t *out, size_t index, uint64_t number, const uint8_t *file_id) {
  size_t i = batch->count++;
  struct layout at = layout_of(batch->key->kind, batch->plain_len);
  block_ad(batch->ad[i], number, file_id);
  batch->msgs[i].nonce = block;
  batch->msgs[i].ad = batch->ad[i];
  batch->msgs[i].in = block + at.body;
  batch->msgs[i].out = out;
  batch->stored_tag[i] = block + at.tag;
  batch->index[i] = index;
}

/* Index of the first bad block, or −1. */
static int64_t open_blocks(const struct key_material *key, const uint8_t *src, size_t len, uint8_t *dst, const uint8_t *file_id,
  uint64_t first_block) {
  size_t nonce_len = kind_nonce_len(key->kind), overhead = block_overhead(key->kind), sealed = PLAIN_BLOCK + overhead;
  size_t full = len / sealed, rest = len % sealed;
  struct batch batch;
  batch.key = key;
  batch.engine = &engines_now()->aead[key->kind];
  batch.plain_len = PLAIN_BLOCK;
  batch.count = 0;
  int64_t bad;
  for (size_t i = 0; i < full; i++) {
    const uint8_t *block = src + i * sealed;
    uint8_t *out = dst + i * PLAIN_BLOCK;
    if (is_zero(block, nonce_len)) {
      if (!is_hole(block, sealed, nonce_len)) {
        bad = flush(&batch);
        return bad >= 0 ? bad : (int64_t)i;
      }
      memset(out, 0, PLAIN_BLOCK);
      continue;
    }
    add(&batch, block, out, i, first_block + i, file_id);
    if (batch.count == MAX_BATCH && (bad = flush(&batch)) >= 0) return bad;
  }
  if ((bad = flush(&batch)) >= 0) return bad;
  if (rest == 0) return -1;
  const uint8_t *block = src + full * sealed;
  if (rest < overhead || is_zero(block, nonce_len)) return (int64_t)full;
  batch.plain_len = rest - overhead;
  add(&batch, block, dst + full * PLAIN_BLOCK, full, first_block + full, file_id);
  return flush(&batch);
}

int64_t run_open(const struct key_material *key, const uint8_t *src, size_t len, uint8_t *dst, const uint8_t *file_id,
  uint64_t first_block) {
  size_t total = run_opened_len(key->kind, len);
  int64_t bad = open_blocks(key, src, len, dst, file_id, first_block);
  if (bad < 0) return (int64_t)total;
  size_t good = (size_t)bad * PLAIN_BLOCK;
  if (good < total) wipe(dst + good, total - good);
  return -(bad + 1);
}

bool run_seal_one(const struct key_material *key, const uint8_t *nonce, const uint8_t *in, size_t len, const uint8_t *ad, size_t ad_len,
  uint8_t *out) {
  struct layout at = layout_of(key->kind, len);
  size_t nonce_len = kind_nonce_len(key->kind);
  if (nonce != NULL) {
    memcpy(out, nonce, nonce_len);
  } else if (!random_nonces(out, 1, nonce_len, 0)) {
    return false;
  }
  struct msg msg = {.nonce = out, .ad = ad, .in = in, .out = out + at.body};
  engines_now()->aead[key->kind].seal(key, &msg, 1, len, ad_len);
  memcpy(out + at.tag, msg.tag, TAG_LEN);
  return true;
}

bool run_open_one(const struct key_material *key, const uint8_t *in, size_t len, const uint8_t *ad, size_t ad_len, uint8_t *out) {
  size_t overhead = block_overhead(key->kind), nonce_len = kind_nonce_len(key->kind);
  if (len < overhead || is_zero(in, nonce_len)) return false;
  size_t plain_len = len - overhead;
  struct layout at = layout_of(key->kind, plain_len);
  struct msg msg = {.nonce = in, .ad = ad, .in = in + at.body, .out = out};
  memcpy(msg.tag, in + at.tag, TAG_LEN);
  engines_now()->aead[key->kind].open(key, &msg, 1, plain_len, ad_len);
  if (!differs16(msg.tag, in + at.tag)) return true;
  wipe(out, plain_len);
  return false;
}
