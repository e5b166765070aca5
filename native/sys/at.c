/* The *at calls: a directory descriptor and a name relative to it. */
#include "module.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* asm-generic/unistd.h; fchmodat2 is new in Linux 6.6, later than the headers this builds with. */
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static napi_value js_openat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  int flags = sys_int(&a, 3);
  mode_t mode = sys_uint(&a, 4);
  SYS_CHECK(a);
  int r;
  /* No descriptor may leak into a helper program; setCloexec(fd, false) lifts it where one must. */
  SYS_RETRY(r, openat(dirfd, path, flags | O_CLOEXEC, mode));
  return sys_result(env, r);
}

static napi_value js_mkdirat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 4);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  mode_t mode = sys_uint(&a, 3);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, mkdirat(dirfd, path, mode));
  return sys_result(env, r);
}

static napi_value js_mknodat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  mode_t mode = sys_uint(&a, 3);
  dev_t rdev = sys_uint(&a, 4);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, mknodat(dirfd, path, mode, rdev));
  return sys_result(env, r);
}

static napi_value js_symlinkat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  const char *link_target = sys_text(&a, 0);
  int dirfd = sys_int(&a, 2);
  const char *path = sys_text(&a, 3);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, symlinkat(link_target, dirfd, path));
  return sys_result(env, r);
}

static napi_value js_readlinkat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 6);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  sys_bytes dst = sys_range(&a, 3);
  SYS_CHECK(a);
  ssize_t r;
  SYS_RETRY(r, readlinkat(dirfd, path, (char *)dst.p, dst.len));
  return sys_result(env, r);
}

static napi_value js_linkat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 7);
  int olddirfd = sys_int(&a, 0);
  const char *oldpath = sys_text(&a, 1);
  int newdirfd = sys_int(&a, 3);
  const char *newpath = sys_text(&a, 4);
  int flags = sys_int(&a, 6);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, linkat(olddirfd, oldpath, newdirfd, newpath, flags));
  return sys_result(env, r);
}

static napi_value js_unlinkat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 4);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  int flags = sys_int(&a, 3);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, unlinkat(dirfd, path, flags));
  return sys_result(env, r);
}

static napi_value js_renameat2(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 7);
  int olddirfd = sys_int(&a, 0);
  const char *oldpath = sys_text(&a, 1);
  int newdirfd = sys_int(&a, 3);
  const char *newpath = sys_text(&a, 4);
  unsigned flags = sys_uint(&a, 6);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, (int)syscall(SYS_renameat2, olddirfd, oldpath, newdirfd, newpath, flags));
  return sys_result(env, r);
}

/* For kernels without fchmodat2: chmod through /proc needs a descriptor that is known not to be a symlink. */
static int chmod_through_proc(int dirfd, const char *path, mode_t mode) {
  int fd;
  SYS_RETRY(fd, openat(dirfd, path, O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (fd == -1) return -1;
  struct stat st;
  int r = fstat(fd, &st);
  if (r == 0 && S_ISLNK(st.st_mode)) {
    errno = ELOOP;
    r = -1;
  } else if (r == 0) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    SYS_RETRY(r, chmod(link, mode));
  }
  int saved = errno;
  close(fd);
  errno = saved;
  return r;
}

static napi_value js_fchmodatNofollow(napi_env env, napi_callback_info info) {
  static atomic_bool missing;
  SYS_ARGS(a, 4);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  mode_t mode = sys_uint(&a, 3);
  SYS_CHECK(a);
  if (!atomic_load_explicit(&missing, memory_order_relaxed)) {
    int r;
    SYS_RETRY(r, (int)syscall(SYS_fchmodat2, dirfd, path, mode, AT_SYMLINK_NOFOLLOW));
    if (r == 0) return sys_number(env, 0);
    if (errno == ENOSYS) {
      atomic_store_explicit(&missing, true, memory_order_relaxed);
    } else if (errno != EPERM && errno != EOPNOTSUPP) {
      /* EPERM may come from a container's syscall filter, EOPNOTSUPP from a symlink: the other way gives the true answer. */
      return sys_result(env, r);
    }
  }
  return sys_result(env, chmod_through_proc(dirfd, path, mode));
}

static napi_value js_fchownatNofollow(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  uid_t uid = sys_id(&a, 3);
  gid_t gid = sys_id(&a, 4);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, fchownat(dirfd, path, uid, gid, AT_SYMLINK_NOFOLLOW));
  return sys_result(env, r);
}

static napi_value js_utimensat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 8);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  struct timespec times[2] = {
      {.tv_sec = sys_int64(&a, 3), .tv_nsec = sys_int(&a, 4)},
      {.tv_sec = sys_int64(&a, 5), .tv_nsec = sys_int(&a, 6)},
  };
  int flags = sys_int(&a, 7);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, utimensat(dirfd, path, times, flags));
  return sys_result(env, r);
}

static napi_value js_faccessat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  int mode = sys_int(&a, 3);
  int flags = sys_int(&a, 4);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, faccessat(dirfd, path, mode, flags));
  return sys_result(env, r);
}

bool sys_init_at(napi_env env, napi_value target) {
  static const sys_function functions[] = {
      {"openat", js_openat},
      {"mkdirat", js_mkdirat},
      {"mknodat", js_mknodat},
      {"symlinkat", js_symlinkat},
      {"readlinkat", js_readlinkat},
      {"linkat", js_linkat},
      {"unlinkat", js_unlinkat},
      {"renameat2", js_renameat2},
      {"fchmodatNofollow", js_fchmodatNofollow},
      {"fchownatNofollow", js_fchownatNofollow},
      {"utimensat", js_utimensat},
      {"faccessat", js_faccessat},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
