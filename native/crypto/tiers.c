/*
 * Tiers, slowest first. A tier is usable only if the processor has all of its instructions and the operating system
 * saves the registers they use (XGETBV). Engines are compiled with function-level target attributes, so that one
 * addon runs everywhere.
 *
 *   portable  C with vector extensions, bit-sliced AES
 *   aesni     AES-NI, PCLMULQDQ, SSSE3, SSE4.1
 *   vaes      AVX2, VAES and VPCLMULQDQ on 256 bits
 *   avx512    VAES and VPCLMULQDQ on 512 bits, AVX-512 F/BW/DQ/VL/IFMA
 *
 * On ARM there is, besides the portable tier, armv8: AES and PMULL instructions.
 */
#include "tiers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engines.h"

#if defined(__aarch64__)
static const char *const names[TIER_COUNT] = {"portable", "armv8"};
#else
static const char *const names[TIER_COUNT] = {"portable", "aesni", "vaes", "avx512"};
#endif

#define ENGINE(name, tier) {name##_seal, name##_open, tier}
/* All AES-based kinds of a tier. */
#define AES_ROWS(name, tier)                              \
  [KIND_AES_GCM] = ENGINE(gcm_##name, tier),              \
  [KIND_AES_GCM96] = ENGINE(gcm_##name, tier),            \
  [KIND_AES_SIV] = ENGINE(siv_##name, tier),              \
  [KIND_AEGIS128X2] = ENGINE(aegis128x2_##name, tier),    \
  [KIND_AEGIS256X2] = ENGINE(aegis256x2_##name, tier)
#define ECB(name, tier) .ecb_encrypt = aes_ecb_encrypt_##name, .ecb_decrypt = aes_ecb_decrypt_##name, .ecb_tier = tier
/* `chacha` is the variant that has the ChaCha20 of the tier. */
#define TIER(name, tier, chacha, chacha_tier) \
  [tier] = {.aead = {AES_ROWS(name, tier), [KIND_XCHACHA] = ENGINE(xchacha_##chacha, chacha_tier)}, ECB(name, tier), \
            .stream = chacha_stream_##chacha}

static const struct engines table[TIER_COUNT] = {
  TIER(portable, TIER_PORTABLE, portable, TIER_PORTABLE),
#ifdef HAVE_X86_TIERS
  TIER(aesni, TIER_AESNI, portable, TIER_PORTABLE),
  TIER(vaes, TIER_VAES, avx2, TIER_VAES),
  TIER(avx512, TIER_AVX512, avx512, TIER_AVX512),
#endif
#ifdef HAVE_ARM_TIER
  TIER(armv8, TIER_ARMV8, portable, TIER_PORTABLE),
#endif
};

#ifdef HAVE_X86_TIERS
/* Many processors with AES-NI have AVX2 but no VAES: only ChaCha20 gains from that. */
static const struct engines aesni_with_avx2[TIER_COUNT] = {TIER(aesni, TIER_AESNI, avx2, TIER_AESNI)};
static bool have_avx2;
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static enum tier best, preferred;
static _Atomic int in_use;

#ifdef HAVE_X86_TIERS
#include <cpuid.h>

static uint64_t enabled_state(void) {
  uint32_t lo, hi;
  __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
  return ((uint64_t)hi << 32) | lo;
}

static bool all(uint32_t word, uint32_t bits) { return (word & bits) == bits; }

/* Intel SDM volume 2, CPUID leaves 1 and 7; bit names as in cpuid.h. */
static enum tier detect(void) {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return TIER_PORTABLE;
  if (!all(c, bit_AES | bit_PCLMUL | bit_SSSE3 | bit_SSE4_1)) return TIER_PORTABLE;
  if (!all(c, bit_OSXSAVE | bit_AVX)) return TIER_AESNI;
  uint64_t state = enabled_state();
  if ((state & 0x6) != 0x6) return TIER_AESNI; /* XMM and YMM */
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return TIER_AESNI;
  have_avx2 = all(b, bit_AVX2 | bit_BMI2);
  if (!have_avx2 || !all(c, bit_VAES | bit_VPCLMULQDQ)) return TIER_AESNI;
  if ((state & 0xe0) != 0xe0) return TIER_VAES; /* opmask, upper halves of ZMM0–15, ZMM16–31 */
  if (!all(b, bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL | bit_AVX512IFMA)) return TIER_VAES;
  return TIER_AVX512;
}
#elif defined(HAVE_ARM_TIER)
#include <sys/auxv.h>

#include <asm/hwcap.h>

static enum tier detect(void) {
  unsigned long wanted = HWCAP_AES | HWCAP_PMULL;
  return (getauxval(AT_HWCAP) & wanted) == wanted ? TIER_ARMV8 : TIER_PORTABLE;
}
#else
static enum tier detect(void) { return TIER_PORTABLE; }
#endif

static int tier_by_name(const char *name) {
  for (int i = 0; i < TIER_COUNT; i++) {
    if (strcmp(name, names[i]) == 0) return i;
  }
  return -1;
}

static void init(void) {
  best = preferred = detect();
  const char *wanted = getenv("AEGISFS_TIER");
  int tier = wanted == NULL ? -1 : tier_by_name(wanted);
  if (tier >= 0 && tier < (int)best) preferred = (enum tier)tier;
  atomic_store(&in_use, (int)preferred);
}

void tiers_init(void) { pthread_once(&once, init); }

enum tier tiers_best(void) { return best; }

const char *tier_name(enum tier tier) { return names[tier]; }

bool tiers_force(const char *name) {
  int tier = name == NULL ? (int)preferred : tier_by_name(name);
  if (tier < 0 || tier > (int)best) return false;
  atomic_store(&in_use, tier);
  return true;
}

const struct engines *engines_now(void) {
  int tier = atomic_load_explicit(&in_use, memory_order_relaxed);
#ifdef HAVE_X86_TIERS
  if (tier == TIER_AESNI && have_avx2) return &aesni_with_avx2[TIER_AESNI];
#endif
  return &table[tier];
}

enum tier tier_of(uint32_t kind) {
  const struct engines *engines = engines_now();
  return kind == KIND_EME ? engines->ecb_tier : engines->aead[kind].tier;
}

bool tiers_have_aes(void) { return best > TIER_PORTABLE; }
