/* Mounting, and descriptors that come from elsewhere. */
#include "module.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

static napi_value js_mount(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 5);
  char *source = sys_string(&a, 0);
  char *where = sys_string(&a, 1);
  char *type = sys_string(&a, 2);
  unsigned flags = sys_uint(&a, 3);
  char *data = sys_string(&a, 4);
  int r = -1;
  if (!a.thrown) {
    r = mount(source, where, type, flags, data);
    if (r == -1) r = -errno;
  }
  free(source);
  free(where);
  free(type);
  free(data);
  SYS_CHECK(a);
  return sys_number(env, r);
}

static napi_value js_umount2(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  char *where = sys_string(&a, 0);
  int flags = sys_int(&a, 1);
  int r = -1;
  if (!a.thrown) {
    r = umount2(where, flags);
    if (r == -1) r = -errno;
  }
  free(where);
  SYS_CHECK(a);
  return sys_number(env, r);
}

static napi_value js_socketpair(napi_env env, napi_callback_info info) {
  (void)info;
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return sys_result(env, -1);
  napi_value pair;
  if (napi_create_array_with_length(env, 2, &pair) != napi_ok || napi_set_element(env, pair, 0, sys_number(env, fds[0])) != napi_ok ||
      napi_set_element(env, pair, 1, sys_number(env, fds[1])) != napi_ok) {
    close(fds[0]);
    close(fds[1]);
    return NULL;
  }
  return pair;
}

/* The first descriptor of the message; any other is closed. Returns -EPROTO if there is none. */
static int take_descriptor(struct msghdr *message) {
  int taken = -EPROTO;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int fd;
      memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof fd);
      if (taken < 0) {
        taken = fd;
      } else {
        close(fd);
      }
    }
  }
  return taken;
}

static napi_value js_recvFd(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int socket = sys_int(&a, 0);
  SYS_CHECK(a);
  char byte;
  struct iovec part = {.iov_base = &byte, .iov_len = 1};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t r;
  SYS_RETRY(r, recvmsg(socket, &message, MSG_CMSG_CLOEXEC));
  if (r == -1) return sys_result(env, r);
  return sys_number(env, take_descriptor(&message));
}

static napi_value js_fuseClone(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int session = sys_int(&a, 0);
  SYS_CHECK(a);
  int fd;
  SYS_RETRY(fd, open("/dev/fuse", O_RDWR | O_CLOEXEC));
  if (fd == -1) return sys_result(env, fd);
  uint32_t source = (uint32_t)session;
  if (ioctl(fd, FUSE_DEV_IOC_CLONE, &source) == -1) {
    int saved = errno;
    close(fd);
    return sys_number(env, -saved);
  }
  return sys_number(env, fd);
}

bool sys_init_mounts(napi_env env, napi_value target) {
  static const sys_function functions[] = {
      {"mount", js_mount}, {"umount2", js_umount2}, {"socketpair", js_socketpair}, {"recvFd", js_recvFd}, {"fuseClone", js_fuseClone},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
