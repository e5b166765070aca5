/* The process as a whole: session, signals, limits, replacement and end. */
#include "module.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static napi_value js_umask(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  mode_t mask = sys_uint(&a, 0);
  SYS_CHECK(a);
  return sys_number(env, umask(mask));
}

static napi_value js_setsid(napi_env env, napi_callback_info info) {
  (void)info;
  return sys_result(env, setsid());
}

static napi_value js_getppid(napi_env env, napi_callback_info info) {
  (void)info;
  return sys_number(env, getppid());
}

static napi_value js_kill(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  pid_t pid = sys_int(&a, 0);
  int number = sys_int(&a, 1);
  SYS_CHECK(a);
  return sys_result(env, kill(pid, number));
}

static bool put_limit(napi_env env, napi_value pair, uint32_t index, rlim_t limit) {
  napi_value number;
  double value = limit == RLIM_INFINITY ? HUGE_VAL : (double)limit;
  return napi_create_double(env, value, &number) == napi_ok && napi_set_element(env, pair, index, number) == napi_ok;
}

static napi_value js_getNofile(napi_env env, napi_callback_info info) {
  (void)info;
  /* Cannot fail for the own process and a known resource. */
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(RLIMIT_NOFILE, &limit);
  napi_value pair;
  if (napi_create_array_with_length(env, 2, &pair) != napi_ok || !put_limit(env, pair, 0, limit.rlim_cur) ||
      !put_limit(env, pair, 1, limit.rlim_max)) {
    return NULL;
  }
  return pair;
}

static napi_value js_setNofile(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  double soft = sys_double(&a, 0);
  SYS_CHECK(a);
  if (!(soft >= 0)) return sys_number(env, -EINVAL);
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return sys_result(env, -1);
  limit.rlim_cur = soft <= SYS_MAX_SAFE ? (rlim_t)soft : RLIM_INFINITY;
  return sys_result(env, setrlimit(RLIMIT_NOFILE, &limit));
}

static napi_value js_setUndumpable(napi_env env, napi_callback_info info) {
  (void)info;
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return sys_result(env, -1);
  return sys_result(env, prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
}

static napi_value js_exitNow(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int code = sys_int(&a, 0);
  SYS_CHECK(a);
  _exit(code);
}

static void free_strings(char **list) {
  for (size_t i = 0; list != NULL && list[i] != NULL; i++) free(list[i]);
  free(list);
}

/* A NULL-terminated copy of an array of strings, or NULL after throwing. */
static char **copy_strings(sys_args *a, size_t index) {
  uint32_t count;
  if (napi_get_array_length(a->env, a->v[index], &count) != napi_ok) {
    sys_throw(a, index, "an array of strings", false);
    return NULL;
  }
  char **list = calloc((size_t)count + 1, sizeof *list);
  if (list == NULL) {
    sys_throw(a, index, "a list that fits into memory", true);
    return NULL;
  }
  sys_args element = *a;
  for (uint32_t i = 0; i < count; i++) {
    if (napi_get_element(a->env, a->v[index], i, &element.v[index]) == napi_ok) list[i] = sys_string(&element, index);
    if (list[i] == NULL) {
      a->thrown = true;
      free_strings(list);
      return NULL;
    }
  }
  return list;
}

/* Node ignores SIGPIPE and makes 0, 1 and 2 close-on-exec; a program that follows must find the usual state. */
static void usual_state(void) {
  for (int fd = 0; fd <= 2; fd++) {
    int flags = fcntl(fd, F_GETFD);
    if (flags != -1) fcntl(fd, F_SETFD, flags & ~FD_CLOEXEC);
  }
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static napi_value js_execve(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 3);
  char *file = sys_string(&a, 0);
  char **argv = a.thrown ? NULL : copy_strings(&a, 1);
  char **envp = a.thrown ? NULL : copy_strings(&a, 2);
  int saved = 0;
  if (!a.thrown) {
    usual_state();
    execve(file, argv, envp);
    saved = errno;
    signal(SIGPIPE, SIG_IGN);
  }
  free(file);
  free_strings(argv);
  free_strings(envp);
  SYS_CHECK(a);
  return sys_number(env, -saved);
}

bool sys_init_process(napi_env env, napi_value target) {
  static const sys_function functions[] = {
      {"umask", js_umask},         {"setsid", js_setsid},       {"getppid", js_getppid},
      {"kill", js_kill},           {"getNofile", js_getNofile}, {"setNofile", js_setNofile},
      {"exitNow", js_exitNow},     {"execve", js_execve},       {"setUndumpable", js_setUndumpable},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
