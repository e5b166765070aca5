/* Size, space and holes of an open file, and what its filesystem can do with them. */
#include "module.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

static napi_value js_ftruncate(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  int fd = sys_int(&a, 0);
  off_t length = sys_offset(&a, 1);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, ftruncate(fd, length));
  return sys_result(env, r);
}

static napi_value js_fallocate(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 4);
  int fd = sys_int(&a, 0);
  int mode = sys_int(&a, 1);
  off_t offset = sys_offset(&a, 2);
  off_t len = sys_offset(&a, 3);
  SYS_CHECK(a);
  int r;
  SYS_RETRY(r, fallocate(fd, mode, offset, len));
  return sys_result(env, r);
}

static napi_value js_lseek(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 3);
  int fd = sys_int(&a, 0);
  off_t offset = sys_int64(&a, 1); /* relative offsets may be negative */
  int whence = sys_int(&a, 2);
  SYS_CHECK(a);
  off_t r;
  SYS_RETRY(r, lseek(fd, offset, whence));
  return sys_result(env, r);
}

static napi_value js_copyFileRange(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int fd_in = sys_int(&a, 0);
  loff_t off_in = sys_offset(&a, 1);
  int fd_out = sys_int(&a, 2);
  loff_t off_out = sys_offset(&a, 3);
  int64_t len = sys_offset(&a, 4);
  SYS_CHECK(a);
  ssize_t r;
  SYS_RETRY(r, copy_file_range(fd_in, &off_in, fd_out, &off_out, (size_t)len, 0));
  return sys_result(env, r);
}

static napi_value js_getFlags(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int fd = sys_int(&a, 0);
  SYS_CHECK(a);
  /* Declared with long, but kernel and filesystems use int. The top bit is reserved and would look like an errno. */
  unsigned flags = 0;
  int r;
  SYS_RETRY(r, ioctl(fd, FS_IOC_GETFLAGS, &flags));
  return r == -1 ? sys_result(env, r) : sys_number(env, flags & 0x7fffffffu);
}

bool sys_init_allocate(napi_env env, napi_value target) {
  static const sys_function functions[] = {
      {"ftruncate", js_ftruncate},           {"fallocate", js_fallocate}, {"lseek", js_lseek},
      {"copyFileRange", js_copyFileRange}, {"getFlags", js_getFlags},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
