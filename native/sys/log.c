/* syslog(3). One connection per process, as libc keeps it. */
#include "module.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

/* openlog keeps the pointer, so the text must never be freed while libc may use it. */
static char *kept_ident;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

/* openlog itself does not tell whether anybody listens. */
static int probe(int type) {
  int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  if (fd == -1) return -errno;
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/dev/log"};
  int r;
  SYS_RETRY(r, connect(fd, (struct sockaddr *)&address, sizeof address));
  int result = r == -1 ? -errno : 0;
  close(fd);
  return result;
}

static napi_value js_openlog(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  char *ident = sys_string(&a, 0);
  SYS_CHECK(a);
  int reached = probe(SOCK_DGRAM);
  if (reached == -EPROTOTYPE) reached = probe(SOCK_STREAM);
  if (reached != 0) {
    free(ident);
    return sys_number(env, reached);
  }
  pthread_mutex_lock(&kept_lock);
  closelog();
  openlog(ident, LOG_PID | LOG_NDELAY, LOG_USER);
  free(kept_ident);
  kept_ident = ident;
  pthread_mutex_unlock(&kept_lock);
  return sys_number(env, 0);
}

/* A message is never refused: logging must not fail on odd bytes. */
static napi_value js_syslog(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  int priority = sys_int(&a, 0);
  char message[8192];
  size_t len = 0;
  if (napi_get_value_string_utf8(env, a.v[1], message, sizeof message, &len) != napi_ok) sys_throw(&a, 1, "a string", false);
  SYS_CHECK(a);
  for (size_t i = 0; i < len; i++) {
    if (message[i] == 0) message[i] = '?';
  }
  syslog(priority, "%s", message);
  return NULL;
}

bool sys_init_log(napi_env env, napi_value target) {
  static const sys_function functions[] = {
      {"openlog", js_openlog},
      {"syslog", js_syslog},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
