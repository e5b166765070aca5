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

/*
 * UTF-8 of the UTF-16 text, except that U+DC80 to U+DCFF alone stand for the bytes 0x80 to 0xff: paths need not be UTF-8
 * (src/base/byte-text.ts). `out` has room for three bytes per unit. Returns the length.
 */
static size_t encode(const char16_t *text, size_t len, char *out) {
  size_t n = 0;
  for (size_t i = 0; i < len; i++) {
    uint32_t c = text[i];
    bool pair = c >= 0xd800 && c < 0xdc00 && i + 1 < len && text[i + 1] >= 0xdc00 && text[i + 1] < 0xe000;
    if (pair) {
      c = 0x10000 + ((c - 0xd800) << 10) + (text[++i] - 0xdc00u);
      out[n++] = (char)(0xf0 | c >> 18);
      out[n++] = (char)(0x80 | (c >> 12 & 0x3f));
      out[n++] = (char)(0x80 | (c >> 6 & 0x3f));
      out[n++] = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x80) {
      out[n++] = (char)c;
    } else if (c < 0x800) {
      out[n++] = (char)(0xc0 | c >> 6);
      out[n++] = (char)(0x80 | (c & 0x3f));
    } else if (c >= 0xdc80 && c < 0xdd00) {
      out[n++] = (char)(c - 0xdc00);
    } else {
      out[n++] = (char)(0xe0 | c >> 12);
      out[n++] = (char)(0x80 | (c >> 6 & 0x3f));
      out[n++] = (char)(0x80 | (c & 0x3f));
    }
  }
  return n;
}

char *sys_string(sys_args *a, size_t index) {
  size_t len;
  if (napi_get_value_string_utf16(a->env, a->v[index], NULL, 0, &len) != napi_ok) {
    sys_throw(a, index, "a string", false);
    return NULL;
  }
  char16_t *units = malloc((len + 1) * sizeof *units);
  char *text = malloc(3 * len + 1);
  if (units == NULL || text == NULL || napi_get_value_string_utf16(a->env, a->v[index], units, len + 1, &len) != napi_ok) {
    free(units);
    free(text);
    sys_throw(a, index, "a string that fits into memory", true);
    return NULL;
  }
  size_t bytes = encode(units, len, text);
  free(units);
  text[bytes] = 0;
  if (strlen(text) != bytes) {
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
