/*
 * Calls on an open descriptor. read, write, pollIn and flock report EINTR: they may block for long, and the caller decides.
 * close and dup2 are never repeated: after EINTR the descriptor is closed already and the number may belong to another thread.
 */
#include "module.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static napi_value js_close(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int fd = sys_int(&a, 0);
  SYS_CHECK(a);
  return sys_result(env, close(fd));
}

static napi_value js_dup(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int fd = sys_int(&a, 0);
  SYS_CHECK(a);
  return sys_result(env, fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

static napi_value js_dup2(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  int from = sys_int(&a, 0);
  int to = sys_int(&a, 1);
  SYS_CHECK(a);
  return sys_result(env, dup2(from, to));
}

static napi_value js_setCloexec(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  int fd = sys_int(&a, 0);
  bool on;
  if (napi_get_value_bool(env, a.v[1], &on) != napi_ok) sys_throw(&a, 1, "a boolean", false);
  SYS_CHECK(a);
  int flags = fcntl(fd, F_GETFD);
  if (flags == -1) return sys_result(env, -1);
  return sys_result(env, fcntl(fd, F_SETFD, on ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC));
}

static napi_value js_read(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 4);
  int fd = sys_int(&a, 0);
  sys_bytes dst = sys_range(&a, 1);
  SYS_CHECK(a);
  return sys_result(env, read(fd, dst.p, dst.len));
}

static napi_value js_write(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 4);
  int fd = sys_int(&a, 0);
  sys_bytes src = sys_range(&a, 1);
  SYS_CHECK(a);
  return sys_result(env, write(fd, src.p, src.len));
}

static napi_value js_pread(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int fd = sys_int(&a, 0);
  sys_bytes dst = sys_range(&a, 1);
  off_t offset = sys_offset(&a, 4);
  SYS_CHECK(a);
  ssize_t r;
  SYS_RETRY(r, pread(fd, dst.p, dst.len, offset));
  return sys_result(env, r);
}

static napi_value js_preadNowait(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int fd = sys_int(&a, 0);
  sys_bytes dst = sys_range(&a, 1);
  off_t offset = sys_offset(&a, 4);
  SYS_CHECK(a);
  struct iovec part = {.iov_base = dst.p, .iov_len = dst.len};
  ssize_t r;
  SYS_RETRY(r, preadv2(fd, &part, 1, offset, RWF_NOWAIT));
  return sys_result(env, r);
}

static napi_value js_pwrite(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int fd = sys_int(&a, 0);
  sys_bytes src = sys_range(&a, 1);
  off_t offset = sys_offset(&a, 4);
  SYS_CHECK(a);
  ssize_t r;
  SYS_RETRY(r, pwrite(fd, src.p, src.len, offset));
  return sys_result(env, r);
}

static napi_value js_fchmod(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  int fd = sys_int(&a, 0);
  mode_t mode = sys_uint(&a, 1);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, fchmod(fd, mode));
  return sys_result(env, r);
}

static napi_value js_fchown(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 3);
  int fd = sys_int(&a, 0);
  uid_t uid = sys_id(&a, 1);
  gid_t gid = sys_id(&a, 2);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, fchown(fd, uid, gid));
  return sys_result(env, r);
}

static napi_value js_futimens(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int fd = sys_int(&a, 0);
  struct timespec times[2] = {
      {.tv_sec = sys_int64(&a, 1), .tv_nsec = sys_int(&a, 2)},
      {.tv_sec = sys_int64(&a, 3), .tv_nsec = sys_int(&a, 4)},
  };
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, futimens(fd, times));
  return sys_result(env, r);
}

static napi_value js_fsync(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int fd = sys_int(&a, 0);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, fsync(fd));
  return sys_result(env, r);
}

static napi_value js_fdatasync(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int fd = sys_int(&a, 0);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, fdatasync(fd));
  return sys_result(env, r);
}

static napi_value js_syncfs(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int fd = sys_int(&a, 0);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, syncfs(fd));
  return sys_result(env, r);
}

static napi_value js_flock(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  int fd = sys_int(&a, 0);
  int op = sys_int(&a, 1);
  SYS_CHECK(a);
  return sys_result(env, flock(fd, op));
}

static napi_value js_getdents64(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 4);
  int fd = sys_int(&a, 0);
  sys_bytes dst = sys_range(&a, 1);
  SYS_CHECK(a);
  /* The kernel takes an unsigned int here. */
  size_t len = dst.len > INT32_MAX ? INT32_MAX : dst.len;
  long r;
  SYS_RETRY(r, syscall(SYS_getdents64, fd, dst.p, len));
  return sys_result(env, r);
}

/* The position of a directory is a cookie of up to 63 bits, more than a double holds, so it comes in two halves. */
static napi_value js_seekdir(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 3);
  int fd = sys_int(&a, 0);
  uint64_t low = sys_uint(&a, 1);
  uint64_t high = sys_uint(&a, 2);
  SYS_CHECK(a);
  off_t r = lseek(fd, (off_t)(high << 32 | low), SEEK_SET);
  /* The new position is of no use to the caller and may look like a failure: an end-of-directory cookie can have any value. */
  return sys_result(env, r == (off_t)-1 ? -1 : 0);
}

static napi_value js_pollIn(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  struct pollfd entry = {.fd = sys_int(&a, 0), .events = POLLIN};
  int timeout = sys_int(&a, 1);
  SYS_CHECK(a);
  int r = poll(&entry, 1, timeout);
  if (r == 1 && (entry.revents & POLLNVAL) != 0) {
    errno = EBADF;
    r = -1;
  }
  return sys_result(env, r);
}

bool sys_init_files(napi_env env, napi_value target) {
  static const sys_function functions[] = {
      {"close", js_close},
      {"dup", js_dup},
      {"dup2", js_dup2},
      {"setCloexec", js_setCloexec},
      {"read", js_read},
      {"write", js_write},
      {"pread", js_pread},
      {"preadNowait", js_preadNowait},
      {"pwrite", js_pwrite},
      {"fchmod", js_fchmod},
      {"fchown", js_fchown},
      {"futimens", js_futimens},
      {"fsync", js_fsync},
      {"fdatasync", js_fdatasync},
      {"syncfs", js_syncfs},
      {"flock", js_flock},
      {"getdents64", js_getdents64},
      {"seekdir", js_seekdir},
      {"pollIn", js_pollIn},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
