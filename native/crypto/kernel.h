/*
 * The contract between the layers of the crypto kernel: key material, messages, and the table of engines that each
 * instruction-set tier fills in. Nothing here knows Node.
 */
#ifndef AEGISFS_CRYPTO_KERNEL_H
#define AEGISFS_CRYPTO_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Engines are written as small functions that must end up in one loop. Sanitizers take minutes to compile such loops, and do not need
 * them. */
#if defined(__SANITIZE_ADDRESS__)
#define ALWAYS_INLINE
#else
#define ALWAYS_INLINE __attribute__((always_inline))
#endif

/* Numbered like KeyKind in src/native.ts. */
enum kind {
  KIND_AES_GCM = 0,
  KIND_AES_SIV = 1,
  KIND_XCHACHA = 2,
  KIND_AEGIS128X2 = 3,
  KIND_AEGIS256X2 = 4,
  KIND_AES_GCM96 = 5,
  KIND_EME = 6,
  KIND_COUNT = 7,
};

#if defined(__aarch64__)
enum tier { TIER_PORTABLE = 0, TIER_ARMV8 = 1, TIER_COUNT = 2 };
#else
enum tier { TIER_PORTABLE = 0, TIER_AESNI = 1, TIER_VAES = 2, TIER_AVX512 = 3, TIER_COUNT = 4 };
#endif

#define PLAIN_BLOCK 4096u /* plaintext bytes of a full file block (format.md 7.3) */
#define TAG_LEN 16u       /* tag, or SIV, of every cipher (format.md 6) */
#define MAX_NONCE 32u
#define MAX_BATCH 32u     /* most messages handed to an engine at once */
#define GHASH_POWERS 32u  /* precomputed powers of the GHASH key */
#define EME_MAX_BLOCKS 128u

/* Expanded AES key. The same bytes serve every tier, so that a tier may be switched while keys exist. */
struct aes_key {
  uint32_t rounds;           /* 10 or 14 */
  uint32_t pad[3];
  uint8_t enc[15][16];       /* FIPS 197 encryption round keys */
  uint8_t dec[15][16];       /* equivalent inverse cipher, first key used first; only filled for EME */
  uint16_t sliced[15][8];    /* enc as bit planes, for the portable engine */
};

/*
 * Everything a cipher needs, derived once from the key. One record fills at most one page of locked memory
 * (slots.c). Raw key bytes are kept only where the cipher works with them.
 */
struct key_material {
  uint32_t kind;
  uint32_t key_len;
  uint8_t raw[32];           /* AEGIS and XChaCha20 key; unused for AES kinds */
  _Alignas(64) struct aes_key aes;    /* GCM, CMAC half of SIV, EME */
  struct aes_key ctr;                 /* CTR half of SIV */
  uint8_t cmac_k1[16];
  uint8_t cmac_k2[16];
  uint8_t s2v_start[16];     /* dbl(CMAC(0^16)), RFC 5297 2.4 */
  uint8_t eme_l[16];         /* AES-encrypt(0^16), format.md 14 */
  /*
   * Powers H^32 … H^1 of the hash key as POLYVAL elements (RFC 8452 appendix A), 128-bit little-endian. A vector load
   * that starts at a low power runs past H^1; what follows must stay readable and is only multiplied by zero.
   */
  _Alignas(64) uint8_t hash_powers[GHASH_POWERS][16];
  uint8_t after_powers[48];
};

/* One message of a batch. All messages of a batch have the same length and the same AD length. */
struct msg {
  const uint8_t *nonce;
  const uint8_t *ad;
  const uint8_t *in;
  uint8_t *out;
  /* seal: the tag. open: the tag that the message should have; for SIV the caller puts the stored SIV here first */
  uint8_t tag[TAG_LEN];
};

/*
 * Seals or opens `count` (1…MAX_BATCH) messages. Opening writes the plaintext and the expected tag; comparing in
 * constant time and erasing on a mismatch is the caller's part (run.c).
 */
typedef void batch_fn(const struct key_material *key, struct msg *msgs, size_t count, size_t len, size_t ad_len);
/* AES in electronic-codebook form over independent blocks; in and out may be the same. */
typedef void ecb_fn(const struct aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks);
/* Raw ChaCha20 key stream with counter 0 and nonce 0, `len` a multiple of 1024. */
typedef void stream_fn(const uint8_t key[32], uint8_t *out, size_t len);

struct engine {
  batch_fn *seal;
  batch_fn *open;
  enum tier tier;            /* the tier that really works for this kind */
};

/* Kinds 0…5 as rows, with the best engine for the tier in use. */
struct engines {
  struct engine aead[KIND_EME];
  ecb_fn *ecb_encrypt;
  ecb_fn *ecb_decrypt;
  enum tier ecb_tier;
  stream_fn *stream;
};

static inline size_t kind_key_len_ok(uint32_t kind, size_t len) {
  switch (kind) {
    case KIND_AES_SIV: return len == 64;
    case KIND_AEGIS128X2: return len == 16;
    case KIND_EME: return len == 16 || len == 32;
    case KIND_AES_GCM: case KIND_AES_GCM96: case KIND_XCHACHA: case KIND_AEGIS256X2: return len == 32;
    default: return 0;
  }
}

static inline size_t kind_nonce_len(uint32_t kind) {
  switch (kind) {
    case KIND_XCHACHA: return 24;
    case KIND_AEGIS256X2: return 32;
    case KIND_AES_GCM96: return 12;
    default: return 16;
  }
}

/* Overwrites memory in a way the compiler may not drop. */
static inline void wipe(void *p, size_t n) {
  memset(p, 0, n);
  __asm__ __volatile__("" : : "r"(p) : "memory");
}

/* 0 if equal, without a branch that depends on the bytes. */
static inline unsigned differs16(const uint8_t *a, const uint8_t *b) {
  uint64_t x[2], y[2];
  memcpy(x, a, 16);
  memcpy(y, b, 16);
  uint64_t d = (x[0] ^ y[0]) | (x[1] ^ y[1]);
  return (unsigned)((d | (0 - d)) >> 63);
}

static inline void xor16(uint8_t *out, const uint8_t *a, const uint8_t *b) {
  uint64_t x[2], y[2];
  memcpy(x, a, 16);
  memcpy(y, b, 16);
  x[0] ^= y[0];
  x[1] ^= y[1];
  memcpy(out, x, 16);
}

static inline uint64_t load_be64(const uint8_t *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return __builtin_bswap64(v);
}

static inline void store_be64(uint8_t *p, uint64_t v) {
  v = __builtin_bswap64(v);
  memcpy(p, &v, 8);
}

static inline uint64_t load_le64(const uint8_t *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return v;
}

static inline uint32_t load_le32(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return v;
}

static inline void store_le64(uint8_t *p, uint64_t v) { memcpy(p, &v, 8); }
static inline void store_le32(uint8_t *p, uint32_t v) { memcpy(p, &v, 4); }

/* Big-endian doubling in GF(2^128) (RFC 5297 2.3, SP 800-38B). */
static inline void double_be(uint8_t b[16]) {
  uint64_t hi = load_be64(b), lo = load_be64(b + 8);
  uint64_t carry = 0 - (hi >> 63);
  store_be64(b, (hi << 1) | (lo >> 63));
  store_be64(b + 8, (lo << 1) ^ (carry & 0x87));
}

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the crypto kernel is written for little-endian processors"
#endif

#endif
