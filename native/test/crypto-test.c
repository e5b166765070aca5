/*
 * The crypto kernel without Node, to be run under the address and undefined-behaviour sanitizers (run.sh). Every buffer is
 * allocated with exactly the size that the contract asks for, so that reading or writing one byte too far is seen.
 * The comparison with independent implementations is the business of src/crypto/native-*.test.ts.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../crypto/eme.h"
#include "../crypto/key-setup.h"
#include "../crypto/names.h"
#include "../crypto/random.h"
#include "../crypto/run.h"
#include "../crypto/sha256.h"
#include "../crypto/slots.h"
#include "../crypto/tiers.h"
#include "vectors.h"

static unsigned checks, failures;

#define CHECK(ok, ...)                                   \
  do {                                                   \
    checks++;                                            \
    if (!(ok) && ++failures <= 20) {                     \
      printf("%s:%d: %s: ", __FILE__, __LINE__, #ok);    \
      printf(__VA_ARGS__);                               \
      printf("\n");                                      \
    }                                                    \
  } while (0)

/* A block of its own, so that the sanitizer knows its ends. */
static uint8_t *block(size_t len) {
  uint8_t *p = malloc(len == 0 ? 1 : len);
  if (p == NULL) abort();
  return p;
}

static uint8_t *pattern(size_t len, uint32_t seed) {
  uint8_t *p = block(len);
  for (size_t i = 0; i < len; i++) {
    seed = seed * 1664525 + 1013904223;
    p[i] = (uint8_t)(seed >> 24);
  }
  return p;
}

static uint8_t *from_hex(const char *text, size_t *len) {
  *len = strlen(text) / 2;
  uint8_t *p = block(*len);
  for (size_t i = 0; i < *len; i++) {
    unsigned v;
    if (sscanf(text + 2 * i, "%2x", &v) != 1) abort();
    p[i] = (uint8_t)v;
  }
  return p;
}

static const size_t key_len[] = {32, 64, 32, 16, 32, 32, 32};

static struct key_material *new_key(uint32_t kind, uint32_t seed) {
  struct key_material *key = aligned_alloc(64, (sizeof *key + 63) / 64 * 64);
  uint8_t *bytes = pattern(key_len[kind], seed);
  if (key == NULL) abort();
  key_setup(key, kind, bytes, key_len[kind]);
  free(bytes);
  return key;
}

static void test_vectors(const char *tier) {
  for (size_t i = 0; i < sizeof block_vectors / sizeof block_vectors[0]; i++) {
    const struct block_vector *v = &block_vectors[i];
    size_t klen, alen, plen, blen;
    uint8_t *kbytes = from_hex(v->key, &klen), *ad = from_hex(v->ad, &alen), *plain = from_hex(v->plain, &plen),
      *sealed = from_hex(v->block, &blen);
    struct key_material *key = new_key(v->kind, 0);
    key_setup(key, v->kind, kbytes, klen);
    uint8_t *out = block(blen), *back = block(plen);
    CHECK(run_seal_one(key, sealed, plain, plen, ad, alen, out) && memcmp(out, sealed, blen) == 0, "%s, vector %zu", tier, i);
    CHECK(run_open_one(key, sealed, blen, ad, alen, back) && memcmp(back, plain, plen) == 0, "%s, vector %zu", tier, i);
    free(kbytes), free(ad), free(plain), free(sealed), free(key), free(out), free(back);
  }
  for (size_t i = 0; i < sizeof name_vectors / sizeof name_vectors[0]; i++) {
    const struct name_vector *v = &name_vectors[i];
    size_t klen, tlen, nlen, len = strlen(v->text);
    uint8_t *kbytes = from_hex(v->key, &klen), *tweak = from_hex(v->tweak, &tlen), *name = from_hex(v->name, &nlen);
    struct key_material *key = new_key(KIND_EME, 0);
    key_setup(key, KIND_EME, kbytes, klen);
    uint8_t *text = block(len + 1), *source = block(len), *back = block(nlen + 1);
    memcpy(source, v->text, len);
    CHECK(name_encrypt(key, tweak, name, nlen, text, false) == len && memcmp(text, v->text, len + 1) == 0, "%s, name %zu", tier, i);
    CHECK(name_decrypt(key, tweak, source, len, back, nlen + 1, false) == (int64_t)nlen && memcmp(back, name, nlen) == 0, "%s, name %zu",
      tier, i);
    CHECK(name_decrypt(key, tweak, source, len, back, nlen, false) == NAME_NO_ROOM, "%s, name %zu", tier, i);
    free(kbytes), free(tweak), free(name), free(key), free(text), free(source), free(back);
  }
}

/* Seals on the tier in use, opens on it and on the portable one, then spoils single bytes. */
static void test_run(uint32_t kind, size_t len, const char *tier) {
  struct key_material *key = new_key(kind, 1);
  size_t sealed_len = run_sealed_len(kind, len), step = PLAIN_BLOCK + block_overhead(kind);
  uint8_t *plain = pattern(len, (uint32_t)len), *id = pattern(FILE_ID_LEN, 2), *sealed = block(sealed_len), *back = block(len);
  CHECK(run_seal(key, plain, len, sealed, id, 9, NULL) == (int64_t)sealed_len, "%s, kind %u, %zu bytes", tier, kind, len);
  CHECK(run_opened_len(kind, sealed_len) == len, "kind %u, %zu bytes", kind, len);
  CHECK(run_open(key, sealed, sealed_len, back, id, 9) == (int64_t)len && memcmp(back, plain, len) == 0, "%s, kind %u, %zu bytes", tier,
    kind, len);
  tiers_force("portable");
  memset(back, 0xa5, len);
  CHECK(run_open(key, sealed, sealed_len, back, id, 9) == (int64_t)len && memcmp(back, plain, len) == 0, "%s, kind %u, %zu bytes", tier,
    kind, len);
  tiers_force(tier);
  for (size_t spoiled = len % 89; spoiled < sealed_len; spoiled += 1 + sealed_len / 3) {
    size_t bad = spoiled / step, good = bad * PLAIN_BLOCK;
    sealed[spoiled] ^= 0x40;
    memset(back, 0xa5, len);
    CHECK(run_open(key, sealed, sealed_len, back, id, 9) == -(int64_t)bad - 1, "%s, kind %u, %zu bytes, byte %zu", tier, kind, len,
      spoiled);
    CHECK(memcmp(back, plain, good < len ? good : len) == 0, "%s, kind %u", tier, kind);
    for (size_t i = good; i < len; i++) failures += back[i] != 0;
    sealed[spoiled] ^= 0x40;
  }
  free(key), free(plain), free(id), free(sealed), free(back);
}

static void test_single(uint32_t kind, size_t len, size_t ad_len, const char *tier) {
  struct key_material *key = new_key(kind, 3);
  size_t sealed_len = len + block_overhead(kind);
  uint8_t *plain = pattern(len, 4), *ad = pattern(ad_len, 5), *nonce = pattern(kind_nonce_len(kind), 6);
  uint8_t *sealed = block(sealed_len), *other = block(sealed_len), *back = block(len);
  CHECK(run_seal_one(key, nonce, plain, len, ad, ad_len, sealed), "%s, kind %u", tier, kind);
  CHECK(run_open_one(key, sealed, sealed_len, ad, ad_len, back) && memcmp(back, plain, len) == 0, "%s, kind %u, %zu bytes", tier, kind,
    len);
  tiers_force("portable");
  CHECK(run_seal_one(key, nonce, plain, len, ad, ad_len, other) && memcmp(sealed, other, sealed_len) == 0,
    "%s, kind %u, %zu bytes, AD %zu", tier, kind, len, ad_len);
  tiers_force(tier);
  for (size_t short_len = 0; short_len < sealed_len; short_len += 7) {
    uint8_t *cut = block(short_len);
    memcpy(cut, sealed, short_len);
    CHECK(!run_open_one(key, cut, short_len, ad, ad_len, back), "%s, kind %u, cut to %zu", tier, kind, short_len);
    free(cut);
  }
  free(key), free(plain), free(ad), free(nonce), free(sealed), free(other), free(back);
}

static void test_holes(uint32_t kind) {
  struct key_material *key = new_key(kind, 1);
  size_t step = PLAIN_BLOCK + block_overhead(kind), blocks = 70;
  uint8_t *id = pattern(FILE_ID_LEN, 2), *sealed = calloc(blocks, step), *back = block(blocks * PLAIN_BLOCK);
  memset(back, 1, blocks * PLAIN_BLOCK);
  CHECK(run_open(key, sealed, blocks * step, back, id, 0) == (int64_t)(blocks * PLAIN_BLOCK), "kind %u", kind);
  for (size_t i = 0; i < blocks * PLAIN_BLOCK; i++) failures += back[i] != 0;
  sealed[50 * step + step - 1] = 1;
  CHECK(run_open(key, sealed, blocks * step, back, id, 0) == -51, "kind %u", kind);
  CHECK(run_open(key, sealed, step - 1, back, id, 0) == -1, "kind %u", kind);
  free(key), free(id), free(sealed), free(back);
}

static void test_names(const char *tier) {
  struct key_material *key = new_key(KIND_EME, 1);
  uint8_t *tweak = pattern(16, 2);
  for (size_t len = 1; len <= NAME_MAX_PLAIN; len += len < 260 ? 1 : 61) {
    for (int padded = 0; padded < 2; padded++) {
      size_t text_len = name_text_len(len, padded);
      uint8_t *name = pattern(len, (uint32_t)len), *text = block(text_len + 1), *source = block(text_len), *back = block(len + 1);
      CHECK(name_encrypt(key, tweak, name, len, text, padded) == text_len, "%s, %zu bytes", tier, len);
      memcpy(source, text, text_len);
      CHECK(name_decrypt(key, tweak, source, text_len, back, len + 1, padded) == (int64_t)len && memcmp(back, name, len) == 0,
        "%s, %zu bytes", tier, len);
      free(name), free(text), free(source), free(back);
    }
  }
  /* Arbitrary texts of any length must only be refused. */
  for (size_t len = 0; len < 3000; len += 1 + len / 20) {
    uint8_t *text = pattern(len, (uint32_t)len), back[1];
    for (size_t i = 0; i < len; i++) text[i] = "ABCDwxyz0189-_=Q"[text[i] & 15];
    for (int padded = 0; padded < 2; padded++) CHECK(name_decrypt(key, tweak, text, len, back, 0, padded) < 0, "%zu", len);
    free(text);
  }
  free(key), free(tweak);
}

static void *wiper(void *arg) {
  (void)arg;
  slots_wipe();
  return NULL;
}

static void test_slots(void) {
  uint64_t handles[SLOT_COUNT], extra;
  uint8_t *bytes = pattern(32, 1);
  for (unsigned i = 0; i < SLOT_COUNT; i++) CHECK(slot_create(KIND_AES_GCM, bytes, 32, &handles[i]) == SLOT_OK, "slot %u", i);
  CHECK(slot_create(KIND_AES_GCM, bytes, 32, &extra) == SLOT_FULL, "one too many");
  CHECK(slot_free(handles[7]) && !slot_free(handles[7]) && slot_acquire(handles[7]) == NULL, "a freed key");
  CHECK(slot_create(KIND_EME, bytes, 16, &extra) == SLOT_OK && slot_acquire(handles[7]) == NULL, "a used slot");
  /* A wipe waits for the call in progress. */
  const struct key_material *key = slot_acquire(extra);
  CHECK(key != NULL && key->kind == KIND_EME && !key_is_zero(key), "an acquired key");
  pthread_t thread;
  if (pthread_create(&thread, NULL, wiper, NULL) != 0) abort();
  usleep(20000);
  CHECK(!key_is_zero(key), "wiped while in use");
  slot_release(extra);
  pthread_join(thread, NULL);
  CHECK(slot_acquire(extra) == NULL && slot_acquire(handles[0]) == NULL && slot_acquire(0) == NULL, "after the wipe");
  free(bytes);
}

/* A forked child has no keys, and other random bytes than its parent. */
static void test_fork(void) {
  uint64_t handle;
  uint8_t *bytes = pattern(32, 1), mine[16], its[16];
  int ends[2], status;
  CHECK(slot_create(KIND_AES_GCM, bytes, 32, &handle) == SLOT_OK, "before the fork");
  CHECK(random_nonces(mine, 1, 16, 16), "before the fork");
  if (pipe(ends) != 0) abort();
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    bool ok = slot_acquire(handle) == NULL && random_nonces(its, 1, 16, 16) && write(ends[1], its, 16) == 16;
    _exit(ok ? 0 : 1);
  }
  close(ends[1]);
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0, "the child kept a key");
  CHECK(read(ends[0], its, 16) == 16 && random_nonces(mine, 1, 16, 16) && memcmp(mine, its, 16) != 0, "the child repeats nonces");
  CHECK(slot_free(handle), "after the fork");
  close(ends[0]);
  free(bytes);
}

static void test_random(void) {
  for (size_t len = 0; len < 40000; len += 1 + len / 3) {
    uint8_t *p = block(len);
    CHECK(random_fill(p, len), "%zu bytes", len);
    free(p);
  }
  uint8_t *nonces = block(32 * 32);
  for (int i = 0; i < 100; i++) CHECK(random_nonces(nonces, 32, 32, 32), "nonces");
  random_wipe();
  CHECK(random_nonces(nonces, 32, 32, 32) && memcmp(nonces, nonces + 32, 32) != 0, "nonces after a wipe");
  free(nonces);
}

/* `crypto-test quick` leaves out most lengths, and what user-mode emulators do not do (MADV_WIPEONFORK). */
int main(int argc, char **argv) {
  bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;
  static const size_t lengths[] = {1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1023, 1024, 1025, 4095, 4096,
    4097, 8192, 8193};
  tiers_init();
  for (int t = 0; t <= (int)tiers_best(); t++) {
    const char *tier = tier_name((enum tier)t);
    CHECK(tiers_force(tier), "%s", tier);
    test_vectors(tier);
    if (!quick) test_names(tier);
    for (uint32_t kind = 0; kind < KIND_EME; kind++) {
      for (size_t len = 0; len <= 600; len += quick ? 29 : len < 140 ? 1 : 37) test_single(kind, len, (len * 7) % 150, tier);
      test_single(kind, 10000, 1000, tier);
      if (kind == KIND_AES_GCM96) continue;
      for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i += quick ? 5 : 1) test_run(kind, lengths[i], tier);
      for (size_t blocks = 2; blocks <= 9; blocks += quick ? 3 : 1) test_run(kind, blocks * PLAIN_BLOCK + (blocks % 2) * 100, tier);
      if (quick) continue;
      test_run(kind, 31 * PLAIN_BLOCK, tier);
      test_run(kind, 65 * PLAIN_BLOCK + 1, tier);
      test_holes(kind);
    }
    test_random();
  }
  tiers_force(NULL);
  test_slots();
  if (!quick) test_fork();
  printf("%u checks up to tier %s, %u failures\n", checks, tier_name(tiers_best()), failures);
  return failures == 0 ? 0 : 1;
}
