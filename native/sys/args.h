/*
 * Reading the arguments of a native function. Checks are strict and cheap: a value of the wrong type throws a TypeError, a range
 * that does not fit its array a RangeError. File offsets are the exception: a negative or unsafe one is an ordinary -EINVAL.
 */
#ifndef AEGISFS_SYS_ARGS_H
#define AEGISFS_SYS_ARGS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifndef NAPI_VERSION
#define NAPI_VERSION 8
#endif
#include <node_api.h>

#define SYS_MAX_ARGS 9

typedef struct {
  napi_env env;
  const char *function;
  napi_value v[SYS_MAX_ARGS];
  bool thrown;  /* an exception is pending */
  bool invalid; /* an offset was negative or not exact: the call answers -EINVAL */
} sys_args;

typedef struct {
  uint8_t *p;
  size_t len;
} sys_bytes;

typedef struct {
  const char *name;
  napi_callback call;
} sys_function;

/* Throws (once per call) and marks the arguments as bad. */
void sys_throw(sys_args *a, size_t index, const char *expected, bool range);
/* A NUL-terminated copy of a JavaScript string on the heap, or NULL after throwing. Strings holding NUL are refused. */
char *sys_string(sys_args *a, size_t index);
/* Adds functions to `target`. Returns false with an exception pending. */
bool sys_define(napi_env env, napi_value target, const sys_function *functions, size_t count);

#define SYS_COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Declares `a` and fills it with `n` arguments. */
#define SYS_ARGS(a, n)                                                                \
  sys_args a = {.env = env, .function = __func__, .thrown = false, .invalid = false}; \
  do {                                                                                \
    size_t sys_argc = (n);                                                            \
    _Static_assert((n) <= SYS_MAX_ARGS, "too many arguments");                        \
    if (napi_get_cb_info(env, info, &sys_argc, a.v, NULL, NULL) != napi_ok) return NULL; \
  } while (0)

/* To be used once, after all arguments are read. */
#define SYS_CHECK(a)                                     \
  do {                                                   \
    if ((a).thrown) return NULL;                         \
    if ((a).invalid) return sys_number((a).env, -EINVAL); \
  } while (0)

/* Repeats a call as long as a signal interrupts it. */
#define SYS_RETRY(result, call)                   \
  do {                                            \
    (result) = (call);                            \
  } while ((result) == -1 && errno == EINTR)

static inline napi_value sys_number(napi_env env, int64_t value) {
  napi_value result = NULL;
  if (value >= INT32_MIN && value <= INT32_MAX) {
    napi_create_int32(env, (int32_t)value, &result);
  } else {
    napi_create_int64(env, value, &result);
  }
  return result;
}

/* The result of a system call: itself, or the negated errno for -1. */
static inline napi_value sys_result(napi_env env, int64_t result) {
  return sys_number(env, result == -1 ? -(int64_t)errno : result);
}

static inline double sys_double(sys_args *a, size_t i) {
  double d = 0;
  if (napi_get_value_double(a->env, a->v[i], &d) != napi_ok) sys_throw(a, i, "a number", false);
  return d;
}

/* A whole number of the range lo...hi. The comparison also refuses NaN; only then is the conversion defined. */
static inline int64_t sys_whole(sys_args *a, size_t i, double lo, double hi, const char *expected) {
  double d = sys_double(a, i);
  if (a->thrown) return 0;
  if (!(d >= lo && d <= hi) || (double)(int64_t)d != d) {
    sys_throw(a, i, expected, true);
    return 0;
  }
  return (int64_t)d;
}

static inline int sys_int(sys_args *a, size_t i) { return (int)sys_whole(a, i, INT32_MIN, INT32_MAX, "a 32-bit integer"); }

static inline unsigned sys_uint(sys_args *a, size_t i) {
  return (unsigned)sys_whole(a, i, 0, UINT32_MAX, "an unsigned 32-bit integer");
}

/* A user or group id; -1 means "leave unchanged". */
static inline unsigned sys_id(sys_args *a, size_t i) { return (unsigned)sys_whole(a, i, -1, UINT32_MAX, "an id or -1"); }

#define SYS_MAX_SAFE 9007199254740991.0

/* A signed 64-bit quantity that a double holds exactly. */
static inline int64_t sys_int64(sys_args *a, size_t i) {
  double d = sys_double(a, i);
  if (!(d >= -SYS_MAX_SAFE && d <= SYS_MAX_SAFE) || (double)(int64_t)d != d) {
    a->invalid = true;
    return 0;
  }
  return (int64_t)d;
}

/* A file offset or length: exact and not negative. */
static inline int64_t sys_offset(sys_args *a, size_t i) {
  int64_t offset = sys_int64(a, i);
  if (offset < 0) a->invalid = true;
  return offset;
}

static inline sys_bytes sys_array(sys_args *a, size_t i) {
  sys_bytes none = {NULL, 0};
  napi_typedarray_type type;
  size_t length;
  void *data;
  if (napi_get_typedarray_info(a->env, a->v[i], &type, &length, &data, NULL, NULL) != napi_ok || type != napi_uint8_array) {
    sys_throw(a, i, "a Uint8Array", false);
    return none;
  }
  return (sys_bytes){data, length};
}

/* Arguments i (array), i+1 (byte offset), i+2 (length). */
static inline sys_bytes sys_range(sys_args *a, size_t i) {
  sys_bytes none = {NULL, 0};
  sys_bytes whole = sys_array(a, i);
  size_t off = (size_t)sys_whole(a, i + 1, 0, SYS_MAX_SAFE, "a byte offset");
  size_t len = (size_t)sys_whole(a, i + 2, 0, SYS_MAX_SAFE, "a length in bytes");
  if (a->thrown) return none;
  if (off > whole.len || len > whole.len - off) {
    sys_throw(a, i + 1, "a range inside the array", true);
    return none;
  }
  return (sys_bytes){whole.p + off, len};
}

/* Arguments i (array), i+1 (byte offset): text up to the first NUL, which must lie inside the array. */
const char *sys_text(sys_args *a, size_t i);

/* A Float64Array of at least `fields` numbers. */
static inline double *sys_doubles(sys_args *a, size_t i, size_t fields) {
  napi_typedarray_type type;
  size_t length;
  void *data;
  if (napi_get_typedarray_info(a->env, a->v[i], &type, &length, &data, NULL, NULL) != napi_ok || type != napi_float64_array ||
      length < fields) {
    sys_throw(a, i, "a Float64Array of sufficient length", false);
    return NULL;
  }
  return data;
}

#endif
