#include "args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sys_throw(sys_args *a, size_t index, const char *expected, bool range) {
  if (a->thrown) return;
  a->thrown = true;
  char message[160];
  snprintf(message, sizeof message, "%s: argument %zu is not %s", a->function, index + 1, expected);
  if (range) {
    napi_throw_range_error(a->env, "ERR_OUT_OF_RANGE", message);
  } else {
    napi_throw_type_error(a->env, "ERR_INVALID_ARG_TYPE", message);
  }
}

const char *sys_text(sys_args *a, size_t i) {
  sys_bytes whole = sys_array(a, i);
  size_t off = (size_t)sys_whole(a, i + 1, 0, SYS_MAX_SAFE, "a byte offset");
  if (a->thrown) return "";
  /* memchr needs a valid pointer, which an empty array may not have. */
  if (off >= whole.len || memchr(whole.p + off, 0, whole.len - off) == NULL) {
    sys_throw(a, i, "text that ends with NUL inside the array", true);
    return "";
  }
  return (const char *)whole.p + off;
}

char *sys_string(sys_args *a, size_t index) {
  size_t len;
  if (napi_get_value_string_utf8(a->env, a->v[index], NULL, 0, &len) != napi_ok) {
    sys_throw(a, index, "a string", false);
    return NULL;
  }
  char *text = malloc(len + 1);
  if (text == NULL || napi_get_value_string_utf8(a->env, a->v[index], text, len + 1, &len) != napi_ok) {
    free(text);
    sys_throw(a, index, "a string that fits into memory", true);
    return NULL;
  }
  if (strlen(text) != len) {
    free(text);
    sys_throw(a, index, "a string without NUL", true);
    return NULL;
  }
  return text;
}

bool sys_define(napi_env env, napi_value target, const sys_function *functions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    napi_value fn;
    if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].call, NULL, &fn) != napi_ok) return false;
    if (napi_set_named_property(env, target, functions[i].name, fn) != napi_ok) return false;
  }
  return true;
}
