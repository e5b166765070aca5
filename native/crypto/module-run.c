/* JavaScript functions that seal and open contents. */
#include <stdlib.h>
#include <time.h>

#include "module-args.h"
#include "module-functions.h"
#include "run.h"
#include "slots.h"

static bool content_key(napi_env env, const struct key_material *key, bool runs) {
  if (key->kind < KIND_EME && !(runs && key->kind == KIND_AES_GCM96)) return true;
  return fail_type(env, "the key is of a kind that cannot do this");
}

struct run_args {
  struct bytes src, dst, file_id;
  uint64_t first_block;
};

/* Arguments 1…8 of sealRun and openRun. */
static bool read_run(napi_env env, const napi_value *argv, struct run_args *args) {
  if (!read_slice(env, argv[1], argv[2], argv[3], &args->src)) return false;
  if (!read_tail(env, argv[4], argv[5], &args->dst)) return false;
  if (!read_tail(env, argv[6], argv[7], &args->file_id)) return false;
  if (!read_integer(env, argv[8], &args->first_block)) return false;
  return args->file_id.len >= FILE_ID_LEN || fail_range(env, "the file ID reaches beyond the array");
}

/* A number, or an error for −1 of run_seal. */
static napi_value sealed_size(napi_env env, int64_t written) {
  if (written >= 0) return number(env, (double)written);
  napi_throw_error(env, "ERR_RANDOM", "the kernel gives no random bytes");
  return NULL;
}

static bool room(napi_env env, const struct bytes *dst, size_t need) {
  return dst->len >= need || fail_range(env, "the result does not fit into dst");
}

napi_value js_seal_run(napi_env env, napi_callback_info info) {
  napi_value argv[9], result = NULL;
  struct run_args args;
  uint64_t handle;
  if (!read_args(env, info, 9, argv) || !read_run(env, argv, &args)) return NULL;
  const struct key_material *key = key_argument(env, argv[0], &handle);
  if (key == NULL) return NULL;
  if (content_key(env, key, true) && room(env, &args.dst, run_sealed_len(key->kind, args.src.len))) {
    result = sealed_size(env, run_seal(key, args.src.data, args.src.len, args.dst.data, args.file_id.data, args.first_block, NULL));
  }
  slot_release(handle);
  return result;
}

napi_value js_seal_run_derived(napi_env env, napi_callback_info info) {
  napi_value argv[11], result = NULL;
  struct run_args args;
  struct bytes nonce;
  uint64_t handle;
  if (!read_args(env, info, 11, argv) || !read_run(env, argv, &args) || !read_tail(env, argv[9], argv[10], &nonce)) return NULL;
  if (nonce.len < 16) {
    fail_range(env, "the nonce reaches beyond the array");
    return NULL;
  }
  const struct key_material *key = key_argument(env, argv[0], &handle);
  if (key == NULL) return NULL;
  if (key->kind != KIND_AES_SIV) {
    fail_type(env, "only AES-SIV may be used with derived nonces");
  } else if (room(env, &args.dst, run_sealed_len(key->kind, args.src.len))) {
    result = sealed_size(env, run_seal(key, args.src.data, args.src.len, args.dst.data, args.file_id.data, args.first_block, nonce.data));
  }
  slot_release(handle);
  return result;
}

napi_value js_open_run(napi_env env, napi_callback_info info) {
  napi_value argv[9], result = NULL;
  struct run_args args;
  uint64_t handle;
  if (!read_args(env, info, 9, argv) || !read_run(env, argv, &args)) return NULL;
  const struct key_material *key = key_argument(env, argv[0], &handle);
  if (key == NULL) return NULL;
  if (content_key(env, key, true) && room(env, &args.dst, run_opened_len(key->kind, args.src.len))) {
    result = number(env, (double)run_open(key, args.src.data, args.src.len, args.dst.data, args.file_id.data, args.first_block));
  }
  slot_release(handle);
  return result;
}

napi_value js_seal_one(napi_env env, napi_callback_info info) {
  napi_value argv[4], result = NULL;
  napi_valuetype type;
  struct bytes nonce = {NULL, 0}, plain, ad;
  uint64_t handle;
  uint8_t *out;
  if (!read_args(env, info, 4, argv) || !read_bytes(env, argv[2], &plain) || !read_bytes(env, argv[3], &ad)) return NULL;
  if (napi_typeof(env, argv[1], &type) != napi_ok) return NULL;
  if (type != napi_null && !read_bytes(env, argv[1], &nonce)) return NULL;
  const struct key_material *key = key_argument(env, argv[0], &handle);
  if (key == NULL) return NULL;
  if (!content_key(env, key, false)) {
    result = NULL;
  } else if (nonce.data != NULL && nonce.len != kind_nonce_len(key->kind)) {
    fail_range(env, "wrong nonce length");
  } else {
    result = new_bytes(env, plain.len + block_overhead(key->kind), &out);
    if (result != NULL && !run_seal_one(key, nonce.data, plain.data, plain.len, ad.data, ad.len, out)) {
      napi_throw_error(env, "ERR_RANDOM", "the kernel gives no random bytes");
      result = NULL;
    }
  }
  slot_release(handle);
  return result;
}

napi_value js_open_one(napi_env env, napi_callback_info info) {
  napi_value argv[3], result = NULL;
  struct bytes sealed, ad;
  uint64_t handle;
  uint8_t *out;
  if (!read_args(env, info, 3, argv) || !read_bytes(env, argv[1], &sealed) || !read_bytes(env, argv[2], &ad)) return NULL;
  const struct key_material *key = key_argument(env, argv[0], &handle);
  if (key == NULL) return NULL;
  if (content_key(env, key, false)) {
    size_t overhead = block_overhead(key->kind);
    bool good = false;
    if (sealed.len >= overhead) {
      result = new_bytes(env, sealed.len - overhead, &out);
      good = result != NULL && run_open_one(key, sealed.data, sealed.len, ad.data, ad.len, out);
    }
    if (!good) napi_get_null(env, &result);
  }
  slot_release(handle);
  return result;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* benchSeal(key, runBytes, milliseconds): seals runs of that many bytes, in blocks of 4096, for that long. Millions of bytes per second. */
napi_value js_bench_seal(napi_env env, napi_callback_info info) {
  static const uint8_t file_id[FILE_ID_LEN] = {1};
  napi_value argv[3], result = NULL;
  uint64_t handle, len, milliseconds;
  if (!read_args(env, info, 3, argv) || !read_integer(env, argv[1], &len) || !read_integer(env, argv[2], &milliseconds)) return NULL;
  if (len == 0 || len > (1u << 20) || milliseconds > 60000) {
    fail_range(env, "a run has 1 to 1048576 bytes, a measurement at most 60000 milliseconds");
    return NULL;
  }
  const struct key_material *key = key_argument(env, argv[0], &handle);
  if (key == NULL) return NULL;
  if (content_key(env, key, true)) {
    uint8_t *src = calloc(1, len), *dst = malloc(run_sealed_len(key->kind, len));
    double start = seconds(), now = start, done = 0;
    bool ok = src != NULL && dst != NULL;
    while (ok && (now - start) * 1000 < (double)milliseconds) {
      for (int i = 0; ok && i < 8; i++) ok = run_seal(key, src, len, dst, file_id, 0, NULL) >= 0;
      done += 8 * (double)len;
      now = seconds();
    }
    if (ok) {
      result = number(env, now > start ? done / (now - start) / 1e6 : 0);
    } else {
      napi_throw_error(env, "ERR_BENCH", "no memory or no random bytes");
    }
    free(src);
    free(dst);
  }
  slot_release(handle);
  return result;
}
