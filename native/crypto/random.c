/*
 * A getrandom call costs microseconds, a block sealed with AEGIS a tenth of one: so random bytes are drawn in large pieces.
 * One pool for the process, behind a lock that is held for nanoseconds. Bytes are wiped as they are handed out.
 * The lock and the fill level lie in the same MADV_WIPEONFORK page range as the bytes: a forked child finds an empty,
 * unlocked pool and can never repeat a nonce of its parent.
 */
#include "random.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/random.h>

#define POOL_BYTES 16384u

struct pool {
  pthread_mutex_t lock; /* all zero is an unlocked mutex on Linux */
  size_t left;          /* unused bytes, at the end of `bytes` */
  uint8_t bytes[POOL_BYTES];
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

/* With the pool locked; `len` is at most POOL_BYTES. */
static bool take(uint8_t *dst, size_t len) {
  if (pool->left < len) {
    wipe(pool->bytes, sizeof pool->bytes);
    pool->left = 0;
    if (!from_kernel(pool->bytes, sizeof pool->bytes)) return false;
    pool->left = sizeof pool->bytes;
  }
  uint8_t *p = pool->bytes + (sizeof pool->bytes - pool->left);
  memcpy(dst, p, len);
  wipe(p, len);
  pool->left -= len;
  return true;
}

static bool is_zero(const uint8_t *p, size_t len) {
  unsigned any = 0;
  for (size_t i = 0; i < len; i++) any |= p[i];
  return any == 0;
}

bool random_nonces(uint8_t *dst, size_t count, size_t len, size_t stride) {
  pthread_once(&pool_once, make_pool);
  if (pool == NULL) return false;
  bool ok = true;
  pthread_mutex_lock(&pool->lock);
  for (size_t i = 0; ok && i < count; i++) {
    do ok = take(dst + i * stride, len);
    while (ok && is_zero(dst + i * stride, len));
  }
  pthread_mutex_unlock(&pool->lock);
  return ok;
}

bool random_fill(uint8_t *dst, size_t len) {
  if (len == 0) return true;
  bool ok;
  do {
    if (len > POOL_BYTES / 4) {
      ok = from_kernel(dst, len);
    } else {
      pthread_once(&pool_once, make_pool);
      if (pool == NULL) return false;
      pthread_mutex_lock(&pool->lock);
      ok = take(dst, len);
      pthread_mutex_unlock(&pool->lock);
    }
  } while (ok && len >= 12 && is_zero(dst, len));
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
