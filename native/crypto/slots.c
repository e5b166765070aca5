/*
 * A slot is one page: lock word, generation and key material together, because MADV_WIPEONFORK zeroes whole pages and a
 * forked child must find a generation of 0 (a stale handle) and never a live handle to a zeroed key.
 *
 * Round keys and hash-key powers live in the slot too. No cipher keeps key bytes elsewhere beyond the length of one call.
 */
#include "slots.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "key-setup.h"

#define SLOT_BYTES 4096u

struct slot {
  _Atomic uint64_t generation; /* 0: free */
  _Atomic uint32_t users;      /* calls in progress */
  _Alignas(64) struct key_material key;
};
_Static_assert(sizeof(struct slot) <= SLOT_BYTES, "a slot must fit into one page");
_Static_assert(KIND_COUNT <= SLOT_COUNT, "a key of every kind must fit");

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER; /* create, free and wipe; never taken by users of keys */
static _Atomic(uint8_t *) table;
static uint64_t last_generation;

static struct slot *slot_at(uint8_t *base, uint64_t index) { return (struct slot *)(void *)(base + index * SLOT_BYTES); }

/* Only where the kernel cannot wipe on fork (before 4.14). */
static void forget_after_fork(void) {
  uint8_t *base = atomic_load(&table);
  for (uint64_t i = 0; i < SLOT_COUNT; i++) wipe(slot_at(base, i), sizeof(struct slot));
}

static uint8_t *map_table(void) {
  uint8_t *base = atomic_load(&table);
  if (base != NULL) return base;
  void *p = mmap(NULL, SLOT_COUNT * SLOT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return NULL;
  madvise(p, SLOT_COUNT * SLOT_BYTES, MADV_DONTDUMP);
  atomic_store(&table, p);
  if (madvise(p, SLOT_COUNT * SLOT_BYTES, MADV_WIPEONFORK) != 0) pthread_atfork(NULL, NULL, forget_after_fork);
  return p;
}

enum slot_status slot_create(uint32_t kind, const uint8_t *bytes, size_t len, uint64_t *handle) {
  enum slot_status status = SLOT_FULL;
  pthread_mutex_lock(&table_lock);
  uint8_t *base = map_table();
  if (base == NULL) {
    pthread_mutex_unlock(&table_lock);
    return SLOT_NO_MEMORY;
  }
  for (uint64_t i = 0; i < SLOT_COUNT; i++) {
    struct slot *slot = slot_at(base, i);
    if (atomic_load(&slot->generation) != 0) continue;
    /* A low RLIMIT_MEMLOCK is no reason to refuse a mount: the key may then be swapped out, nothing else changes. */
    (void)mlock(slot, SLOT_BYTES);
    key_setup(&slot->key, kind, bytes, len);
    uint64_t generation = ++last_generation;
    atomic_store(&slot->generation, generation);
    *handle = generation * SLOT_COUNT + i;
    status = SLOT_OK;
    break;
  }
  pthread_mutex_unlock(&table_lock);
  return status;
}

/* With table_lock held. New users are turned away first; then the last one is waited for (calls take microseconds). */
static void retire(struct slot *slot) {
  atomic_store(&slot->generation, 0);
  while (atomic_load(&slot->users) != 0) sched_yield();
  wipe(&slot->key, sizeof slot->key);
  (void)munlock(slot, SLOT_BYTES);
}

bool slot_free(uint64_t handle) {
  bool found = false;
  pthread_mutex_lock(&table_lock);
  uint8_t *base = atomic_load(&table);
  if (base != NULL) {
    struct slot *slot = slot_at(base, handle % SLOT_COUNT);
    uint64_t generation = atomic_load(&slot->generation);
    if (generation != 0 && generation == handle / SLOT_COUNT) {
      retire(slot);
      found = true;
    }
  }
  pthread_mutex_unlock(&table_lock);
  return found;
}

void slots_wipe(void) {
  pthread_mutex_lock(&table_lock);
  uint8_t *base = atomic_load(&table);
  for (uint64_t i = 0; base != NULL && i < SLOT_COUNT; i++) {
    struct slot *slot = slot_at(base, i);
    if (atomic_load(&slot->generation) != 0) retire(slot);
  }
  pthread_mutex_unlock(&table_lock);
}

const struct key_material *slot_acquire(uint64_t handle) {
  uint8_t *base = atomic_load(&table);
  uint64_t generation = handle / SLOT_COUNT;
  if (base == NULL || generation == 0) return NULL;
  struct slot *slot = slot_at(base, handle % SLOT_COUNT);
  /* Counting in before looking: retire() then either sees this user, or this user sees the generation gone. */
  atomic_fetch_add(&slot->users, 1);
  if (atomic_load(&slot->generation) == generation) return &slot->key;
  atomic_fetch_sub(&slot->users, 1);
  return NULL;
}

void slot_release(uint64_t handle) {
  atomic_fetch_sub(&slot_at(atomic_load(&table), handle % SLOT_COUNT)->users, 1);
}
