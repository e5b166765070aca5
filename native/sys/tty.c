/* The terminal, for reading a password. */
#include "module.h"

#include <termios.h>
#include <unistd.h>

static napi_value js_isatty(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 1);
  int fd = sys_int(&a, 0);
  SYS_CHECK(a);
  napi_value result = NULL;
  napi_get_boolean(env, isatty(fd) == 1, &result);
  return result;
}

static napi_value js_setEcho(napi_env env, napi_callback_info info) {
  SYS_ARGS(a, 2);
  int fd = sys_int(&a, 0);
  bool on;
  if (napi_get_value_bool(env, a.v[1], &on) != napi_ok) sys_throw(&a, 1, "a boolean", false);
  SYS_CHECK(a);
  struct termios state;
  if (tcgetattr(fd, &state) != 0) return sys_result(env, -1);
  int before = (state.c_lflag & ECHO) != 0;
  state.c_lflag = on ? state.c_lflag | ECHO : state.c_lflag & ~(tcflag_t)ECHO;
  /* What is typed ahead stays: scripts may have written the password already. */
  int r;
  SYS_RETRY(r, tcsetattr(fd, TCSANOW, &state));
  return r == -1 ? sys_result(env, r) : sys_number(env, before);
}

bool sys_init_tty(napi_env env, napi_value target) {
  static const sys_function functions[] = {
      {"isatty", js_isatty},
      {"setEcho", js_setEcho},
  };
  return sys_define(env, target, functions, SYS_COUNT(functions));
}
