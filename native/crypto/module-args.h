/*
 * Reading arguments of Node-API calls. Each reader throws a JavaScript error and returns false if the argument does not
 * fit; the caller then returns NULL at once.
 */
#ifndef AEGISFS_CRYPTO_MODULE_ARGS_H
#define AEGISFS_CRYPTO_MODULE_ARGS_H

#include <node_api.h>

#include "kernel.h"

#define MAX_SAFE_INTEGER 9007199254740991.0

/* A Uint8Array's memory. */
struct bytes {
  uint8_t *data;
  size_t len;
};

static inline bool fail_type(napi_env env, const char *message) {
  napi_throw_type_error(env, "ERR_INVALID_ARG_TYPE", message);
  return false;
}

static inline bool fail_range(napi_env env, const char *message) {
  napi_throw_range_error(env, "ERR_OUT_OF_RANGE", message);
  return false;
}

/* The first `count` arguments into `argv`. */
static inline bool read_args(napi_env env, napi_callback_info info, size_t count, napi_value *argv) {
  size_t argc = count;
  if (napi_get_cb_info(env, info, &argc, argv, NULL, NULL) == napi_ok && argc >= count) return true;
  return fail_type(env, "too few arguments");
}

static inline bool read_bytes(napi_env env, napi_value value, struct bytes *out) {
  static uint8_t nothing[1];
  napi_typedarray_type type;
  void *data;
  if (napi_get_typedarray_info(env, value, &type, &out->len, &data, NULL, NULL) != napi_ok || type != napi_uint8_array) {
    return fail_type(env, "expected a Uint8Array");
  }
  /* An empty array may have no memory; C functions want an address even for zero bytes. */
  out->data = data == NULL ? nothing : data;
  return true;
}

/* A non-negative safe integer. */
static inline bool read_integer(napi_env env, napi_value value, uint64_t *out) {
  double d;
  if (napi_get_value_double(env, value, &d) != napi_ok) return fail_type(env, "expected a number");
  if (!(d >= 0 && d <= MAX_SAFE_INTEGER) || d != (double)(uint64_t)d) return fail_range(env, "expected a non-negative safe integer");
  *out = (uint64_t)d;
  return true;
}

static inline bool read_bool(napi_env env, napi_value value, bool *out) {
  return napi_get_value_bool(env, value, out) == napi_ok || fail_type(env, "expected a boolean");
}

/* The part of `array` from the offset in `value` on. */
static inline bool read_tail(napi_env env, napi_value array, napi_value value, struct bytes *out) {
  uint64_t off;
  if (!read_bytes(env, array, out) || !read_integer(env, value, &off)) return false;
  if (off > out->len) return fail_range(env, "offset lies outside the array");
  out->data += off;
  out->len -= off;
  return true;
}

/* The same, cut to the length in `length`, which must fit. */
static inline bool read_slice(napi_env env, napi_value array, napi_value offset, napi_value length, struct bytes *out) {
  uint64_t len;
  if (!read_tail(env, array, offset, out) || !read_integer(env, length, &len)) return false;
  if (len > out->len) return fail_range(env, "length reaches beyond the array");
  out->len = len;
  return true;
}

static inline napi_value number(napi_env env, double value) {
  napi_value result;
  return napi_create_double(env, value, &result) == napi_ok ? result : NULL;
}

static inline napi_value boolean(napi_env env, bool value) {
  napi_value result;
  return napi_get_boolean(env, value, &result) == napi_ok ? result : NULL;
}

static inline napi_value string(napi_env env, const char *value) {
  napi_value result;
  return napi_create_string_utf8(env, value, NAPI_AUTO_LENGTH, &result) == napi_ok ? result : NULL;
}

/* A new Uint8Array. */
static inline napi_value new_bytes(napi_env env, size_t len, uint8_t **data) {
  napi_value buffer, result;
  void *memory;
  if (napi_create_arraybuffer(env, len, &memory, &buffer) != napi_ok) return NULL;
  if (napi_create_typedarray(env, napi_uint8_array, len, buffer, 0, &result) != napi_ok) return NULL;
  *data = memory;
  return result;
}

#endif
