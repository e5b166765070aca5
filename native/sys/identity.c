/*
 * Credentials of one thread. The kernel keeps them per thread; the glibc functions change all threads of the process, so only raw
 * system calls are used here. Real and saved ids stay as they are: they are the way back.
 */
#include "module.h"

#include <grp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the process had when the addon was first loaded; written once, before any thread can change its own. */
static struct {
  uid_t uid;
  gid_t gid;
  gid_t *groups;
  int group_count;
} original;
static pthread_once_t original_once = PTHREAD_ONCE_INIT;

static void remember_original(void) {
  original.uid = geteuid();
  original.gid = getegid();
  int count = getgroups(0, NULL);
  if (count > 0) {
    original.groups = malloc(sizeof(gid_t) * (size_t)count);
    if (original.groups != NULL) count = getgroups(count, original.groups);
  }
  original.group_count = original.groups != NULL && count > 0 ? count : 0;
}

static int set_groups(int count, const gid_t *groups) { return (int)syscall(SYS_setgroups, (size_t)count, groups); }
static int set_effective_gid(gid_t gid) { return (int)syscall(SYS_setresgid, -1, gid, -1); }
static int set_effective_uid(uid_t uid) { return (int)syscall(SYS_setresuid, -1, uid, -1); }

/* The user first: only with it come the capabilities that the other two need. */
static int restore(void) {
  if (set_effective_uid(original.uid) != 0) return -1;
  if (set_effective_gid(original.gid) != 0) return -1;
  return set_groups(original.group_count, original.groups);
}

static napi_value js_setThreadCredentials(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 4);
  uid_t uid = sys_uint(&a, 0);
  gid_t gid = sys_uint(&a, 1);
  napi_typedarray_type type = napi_uint8_array;
  size_t capacity = 0;
  void *groups = NULL;
  if (napi_get_typedarray_info(env, a.v[2], &type, &capacity, &groups, NULL, NULL) != napi_ok || type != napi_uint32_array) {
    sys_throw(&a, 2, "a Uint32Array", false);
  }
  /* NGROUPS_MAX of linux/limits.h. */
  int count = (int)sys_whole(&a, 3, 0, 65536, "a number of groups");
  if (!a.thrown && (size_t)count > capacity) sys_throw(&a, 3, "a number of groups inside the array", true);
  SYS_CHECK(a);
  /* -1 would mean "leave unchanged", that is: stay root. */
  if (uid == UINT32_MAX || gid == UINT32_MAX) return sys_number(env, -EINVAL);
  _Static_assert(sizeof(gid_t) == sizeof(uint32_t), "group ids are 32 bits");
  if (set_groups(count, groups) != 0 || set_effective_gid(gid) != 0 || set_effective_uid(uid) != 0) {
    int saved = errno;
    restore();
    return sys_number(env, -saved);
  }
  return sys_number(env, 0);
}

static napi_value js_restoreThreadCredentials(napi_env env, napi_callback_info info) {
  (void)info;
  return sys_result(env, restore());
}

bool sys_init_identity(napi_env env, napi_value target) {
  pthread_once(&original_once, remember_original);
  static const sys_function functions[] = {
      {"setThreadCredentials", js_setThreadCredentials},
      {"restoreThreadCredentials", js_restoreThreadCredentials},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
