/* stat(2) and statfs(2) into Float64Arrays; the layouts are Stat and Statfs of src/native.ts. */
#include "module.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STAT_FIELDS 17
#define STATFS_FIELDS 12

static void put_stat(double *out, const struct stat *st) {
  out[0] = (double)(uint32_t)st->st_ino;
  out[1] = (double)(uint32_t)((uint64_t)st->st_ino >> 32);
  out[2] = (double)st->st_dev;
  out[3] = (double)st->st_mode;
  out[4] = (double)st->st_nlink;
  out[5] = (double)st->st_uid;
  out[6] = (double)st->st_gid;
  out[7] = (double)st->st_rdev;
  out[8] = (double)st->st_size;
  out[9] = (double)st->st_blksize;
  out[10] = (double)st->st_blocks;
  out[11] = (double)st->st_atim.tv_sec;
  out[12] = (double)st->st_atim.tv_nsec;
  out[13] = (double)st->st_mtim.tv_sec;
  out[14] = (double)st->st_mtim.tv_nsec;
  out[15] = (double)st->st_ctim.tv_sec;
  out[16] = (double)st->st_ctim.tv_nsec;
}

static napi_value js_fstat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  int fd = sys_int(&a, 0);
  double *out = sys_doubles(&a, 1, STAT_FIELDS);
  SYS_CHECK(a);
  struct stat st;
  int r;
  /* glibc turns fstat into newfstatat with an empty path, which older kernels handle more slowly. */
#ifdef SYS_fstat
  SYS_RETRY(r, (int)syscall(SYS_fstat, fd, &st));
#else
  SYS_RETRY(r, fstat(fd, &st));
#endif
  if (r == 0) put_stat(out, &st);
  return sys_result(env, r);
}

static napi_value js_fstatat(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  int dirfd = sys_int(&a, 0);
  const char *path = sys_text(&a, 1);
  double *out = sys_doubles(&a, 3, STAT_FIELDS);
  int flags = sys_int(&a, 4);
  SYS_CHECK(a);
  struct stat st;
  int r;
  SYS_RETRY(r, fstatat(dirfd, path, &st, flags));
  if (r == 0) put_stat(out, &st);
  return sys_result(env, r);
}

static napi_value js_fstatfs(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  int fd = sys_int(&a, 0);
  double *out = sys_doubles(&a, 1, STATFS_FIELDS);
  SYS_CHECK(a);
  struct statfs fs;
  int r;
  SYS_RETRY(r, fstatfs(fd, &fs));
  if (r == 0) {
    out[0] = (double)(uint64_t)fs.f_type;
    out[1] = (double)fs.f_bsize;
    out[2] = (double)fs.f_blocks;
    out[3] = (double)fs.f_bfree;
    out[4] = (double)fs.f_bavail;
    out[5] = (double)fs.f_files;
    out[6] = (double)fs.f_ffree;
    out[7] = (double)fs.f_namelen;
    out[8] = (double)fs.f_frsize;
    out[9] = (double)fs.f_flags;
    /* An opaque pair; its members have no public name. */
    int32_t fsid[2];
    memcpy(fsid, &fs.f_fsid, sizeof fsid);
    out[10] = (double)fsid[0];
    out[11] = (double)fsid[1];
  }
  return sys_result(env, r);
}

bool sys_init_stat(napi_env env, napi_value target) {
  static const sys_function functions[] = {
      {"fstat", js_fstat},
      {"fstatat", js_fstatat},
      {"fstatfs", js_fstatfs},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
