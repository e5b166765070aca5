/*
 * A getrandom call costs microseconds and 25 ns for every 16 bytes, a block sealed with AEGIS 85 ns: nonces taken one by one, or
 * even in large pieces, from the kernel would be a large part of all work. So the pool asks the kernel for a fresh 256-bit
 * key and fills itself with the ChaCha20 key stream of that key, which is then wiped: the construction that the kernel itself
 * answers a long getrandom with (drivers/char/random.c: one key per call, erased before the call returns), only on wider registers.
 * No key serves more than one filling, and nothing of a filling survives its use: bytes are wiped as they are handed out.
 *
 * One pool for the process, behind a lock that is held for nanoseconds. The lock and the fill level lie in the same
 * MADV_WIPEONFORK page range as the bytes: a forked child finds an empty, unlocked pool and can never repeat a nonce of its parent.
 *
 * Long requests, and with them every key, go to the kernel directly.
 */
#include "random.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "tiers.h"

#define POOL_BYTES 16384u
#define DIRECT_BYTES 32u /* requests from here on do not use the pool */

struct pool {
  pthread_mutex_t lock; /* all zero is an unlocked mutex on Linux */
  size_t left;          /* unused bytes, at the end of `bytes` */
  uint8_t seed[32];
  _Alignas(64) uint8_t bytes[POOL_BYTES];
};

static pthread_once_t pool_once = PTHREAD_ONCE_INIT;
static struct pool *pool;

/* Only where the kernel cannot wipe on fork (before 4.14). */
static void forget_after_fork(void) { memset(pool, 0, sizeof *pool); }

static void make_pool(void) {
  void *p = mmap(NULL, sizeof(struct pool), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return;
  madvise(p, sizeof(struct pool), MADV_DONTDUMP);
  (void)mlock(p, sizeof(struct pool));
  pool = p;
  if (madvise(p, sizeof(struct pool), MADV_WIPEONFORK) != 0) pthread_atfork(NULL, NULL, forget_after_fork);
}

static bool from_kernel(uint8_t *dst, size_t len) {
  while (len > 0) {
    ssize_t n = getrandom(dst, len, 0);
    if (n < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    dst += n;
    len -= (size_t)n;
  }
  return true;
}

/* With the pool locked: `len` (at most POOL_BYTES) unused bytes, NULL if the kernel gives none. The caller wipes them. */
static uint8_t *take(size_t len) {
  if (pool->left < len) {
    pool->left = 0;
    if (!from_kernel(pool->seed, sizeof pool->seed)) return NULL;
    engines_now()->stream(pool->seed, pool->bytes, sizeof pool->bytes);
    wipe(pool->seed, sizeof pool->seed);
    pool->left = sizeof pool->bytes;
  }
  uint8_t *p = pool->bytes + (sizeof pool->bytes - pool->left);
  pool->left -= len;
  return p;
}

/* The first bytes settle it but for once in 2^32. */
static bool is_zero(const uint8_t *p, size_t len) {
  if (len >= 4 && load_le32(p) != 0) return false;
  unsigned any = 0;
  for (size_t i = 0; i < len; i++) any |= p[i];
  return any == 0;
}

/* Random bytes without any condition on them. */
static bool draw(uint8_t *dst, size_t count, size_t len, size_t stride) {
  pthread_once(&pool_once, make_pool);
  if (pool == NULL || count * len > POOL_BYTES) return false;
  pthread_mutex_lock(&pool->lock);
  uint8_t *p = take(count * len);
  if (p != NULL) {
    for (size_t i = 0; i < count; i++) memcpy(dst + i * stride, p + i * len, len);
    wipe(p, count * len);
  }
  pthread_mutex_unlock(&pool->lock);
  return p != NULL;
}

bool random_nonces(uint8_t *dst, size_t count, size_t len, size_t stride) {
  bool ok = draw(dst, count, len, stride);
  for (size_t i = 0; ok && i < count; i++) {
    while (ok && is_zero(dst + i * stride, len)) ok = draw(dst + i * stride, 1, len, stride);
  }
  return ok;
}

bool random_fill(uint8_t *dst, size_t len) {
  bool ok;
  do ok = len >= DIRECT_BYTES ? from_kernel(dst, len) : draw(dst, 1, len, 0);
  while (ok && len >= 12 && is_zero(dst, len));
  return ok;
}

void random_wipe(void) {
  pthread_once(&pool_once, make_pool);
  if (pool == NULL) return;
  pthread_mutex_lock(&pool->lock);
  wipe(pool->bytes, sizeof pool->bytes);
  pool->left = 0;
  pthread_mutex_unlock(&pool->lock);
}
