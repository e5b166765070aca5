/* Extended attributes, of an open descriptor or of a name in a directory. */
#include "module.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

/* "/proc/self/fd/" and the digits of a descriptor and a slash. */
#define PROC_PREFIX_MAX 32

/*
 * There is no *at form of the xattr calls on older kernels. The last component is not followed (the l… calls), the directory is
 * reached through its descriptor. Returns NULL with errno set.
 */
static const char *through_proc(char *buffer, int dirfd, const char *path) {
  if (dirfd == AT_FDCWD || path[0] == '/') return path;
  size_t len = strnlen(path, PATH_MAX);
  if (len == PATH_MAX) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  int prefix = snprintf(buffer, PROC_PREFIX_MAX, "/proc/self/fd/%d/", dirfd);
  memcpy(buffer + prefix, path, len);
  buffer[(size_t)prefix + len] = 0;
  return buffer;
}

static napi_value js_fgetxattr(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 6);
  int fd = sys_int(&a, 0);
  const char *name = sys_text(&a, 1);
  sys_bytes dst = sys_range(&a, 3);
  SYS_CHECK(a);
  ssize_t r;
  SYS_RETRY(r, fgetxattr(fd, name, dst.p, dst.len));
  return sys_result(env, r);
}

static napi_value js_fsetxattr(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 7);
  int fd = sys_int(&a, 0);
  const char *name = sys_text(&a, 1);
  sys_bytes value = sys_range(&a, 3);
  int flags = sys_int(&a, 6);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, fsetxattr(fd, name, value.p, value.len, flags));
  return sys_result(env, r);
}

static napi_value js_flistxattr(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 4);
  int fd = sys_int(&a, 0);
  sys_bytes dst = sys_range(&a, 1);
  SYS_CHECK(a);
  ssize_t r;
  SYS_RETRY(r, flistxattr(fd, (char *)dst.p, dst.len));
  return sys_result(env, r);
}

static napi_value js_fremovexattr(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 3);
  int fd = sys_int(&a, 0);
  const char *name = sys_text(&a, 1);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, fremovexattr(fd, name));
  return sys_result(env, r);
}

static napi_value js_lgetxattrat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 8);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  const char *name = sys_text(&a, 3);
  sys_bytes dst = sys_range(&a, 5);
  SYS_CHECK(a);
  char buffer[PROC_PREFIX_MAX + PATH_MAX];
  const char *full = through_proc(buffer, dirfd, path);
  if (full == NULL) return sys_result(env, -1);
  ssize_t r;
  SYS_RETRY(r, lgetxattr(full, name, dst.p, dst.len));
  return sys_result(env, r);
}

static napi_value js_lsetxattrat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 9);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  const char *name = sys_text(&a, 3);
  sys_bytes value = sys_range(&a, 5);
  int flags = sys_int(&a, 8);
  SYS_CHECK(a);
  char buffer[PROC_PREFIX_MAX + PATH_MAX];
  const char *full = through_proc(buffer, dirfd, path);
  if (full == NULL) return sys_result(env, -1);
  int r;
  SYS_RETRY(r, lsetxattr(full, name, value.p, value.len, flags));
  return sys_result(env, r);
}

static napi_value js_llistxattrat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 6);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  sys_bytes dst = sys_range(&a, 3);
  SYS_CHECK(a);
  char buffer[PROC_PREFIX_MAX + PATH_MAX];
  const char *full = through_proc(buffer, dirfd, path);
  if (full == NULL) return sys_result(env, -1);
  ssize_t r;
  SYS_RETRY(r, llistxattr(full, (char *)dst.p, dst.len));
  return sys_result(env, r);
}

static napi_value js_lremovexattrat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  const char *name = sys_text(&a, 3);
  SYS_CHECK(a);
  char buffer[PROC_PREFIX_MAX + PATH_MAX];
  const char *full = through_proc(buffer, dirfd, path);
  if (full == NULL) return sys_result(env, -1);
  int r;
  SYS_RETRY(r, lremovexattr(full, name));
  return sys_result(env, r);
}

bool sys_init_xattr(napi_env env, napi_value target) {
  static const sys_function functions[] = {
      {"fgetxattr", js_fgetxattr},         {"fsetxattr", js_fsetxattr},     {"flistxattr", js_flistxattr},
      {"fremovexattr", js_fremovexattr},   {"lgetxattrat", js_lgetxattrat}, {"lsetxattrat", js_lsetxattrat},
      {"llistxattrat", js_llistxattrat}, {"lremovexattrat", js_lremovexattrat},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
