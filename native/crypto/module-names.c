/* JavaScript functions for names, and small helpers on bytes. */
#include "eme.h"
#include "module-args.h"
#include "module-functions.h"
#include "names.h"
#include "random.h"
#include "sha256.h"
#include "slots.h"

/* Arguments [0] and [1]: a tweak and its offset. */
static bool read_tweak(napi_env env, const napi_value *argv, struct bytes *tweak) {
  if (!read_tail(env, argv[0], argv[1], tweak)) return false;
  return tweak->len >= 16 || fail_range(env, "the tweak reaches beyond the array");
}

/* An EME key, until slot_release(*handle). */
static const struct key_material *eme_key(napi_env env, napi_value value, uint64_t *handle) {
  const struct key_material *key = key_argument(env, value, handle);
  if (key == NULL || key->kind == KIND_EME) return key;
  fail_type(env, "names need a key of kind Eme");
  slot_release(*handle);
  return NULL;
}

napi_value js_eme_transform(napi_env env, napi_callback_info info) {
  napi_value argv[7];
  uint64_t handle;
  bool decrypt;
  struct bytes tweak, data;
  if (!read_args(env, info, 7, argv) || !read_bool(env, argv[1], &decrypt) || !read_tweak(env, argv + 2, &tweak)) return NULL;
  if (!read_slice(env, argv[4], argv[5], argv[6], &data)) return NULL;
  if (data.len == 0 || data.len % 16 != 0 || data.len > 16 * EME_MAX_BLOCKS) {
    fail_range(env, "EME needs 16 to 2048 bytes in steps of 16");
    return NULL;
  }
  const struct key_material *key = eme_key(env, argv[0], &handle);
  if (key == NULL) return NULL;
  eme_transform(key, decrypt, tweak.data, data.data, data.len / 16);
  slot_release(handle);
  return NULL;
}

struct name_args {
  struct bytes tweak, in, dst;
  bool padded;
};

/* Arguments 1…8 of nameEncrypt and nameDecrypt. */
static bool read_name(napi_env env, const napi_value *argv, struct name_args *args) {
  return read_tweak(env, argv + 1, &args->tweak) && read_slice(env, argv[3], argv[4], argv[5], &args->in) &&
         read_tail(env, argv[6], argv[7], &args->dst) && read_bool(env, argv[8], &args->padded);
}

napi_value js_name_encrypt(napi_env env, napi_callback_info info) {
  napi_value argv[9];
  struct name_args args;
  uint64_t handle;
  if (!read_args(env, info, 9, argv) || !read_name(env, argv, &args)) return NULL;
  if (args.in.len > NAME_MAX_PLAIN || name_text_len(args.in.len, args.padded) >= args.dst.len) {
    fail_range(env, "the name is too long or its text does not fit into dst");
    return NULL;
  }
  const struct key_material *key = eme_key(env, argv[0], &handle);
  if (key == NULL) return NULL;
  size_t len = name_encrypt(key, args.tweak.data, args.in.data, args.in.len, args.dst.data, args.padded);
  slot_release(handle);
  return number(env, (double)len);
}

napi_value js_name_decrypt(napi_env env, napi_callback_info info) {
  napi_value argv[9];
  struct name_args args;
  uint64_t handle;
  if (!read_args(env, info, 9, argv) || !read_name(env, argv, &args)) return NULL;
  const struct key_material *key = eme_key(env, argv[0], &handle);
  if (key == NULL) return NULL;
  int64_t len = name_decrypt(key, args.tweak.data, args.in.data, args.in.len, args.dst.data, args.dst.len, args.padded);
  slot_release(handle);
  if (len == NAME_NO_ROOM) {
    fail_range(env, "the name does not fit into dst");
    return NULL;
  }
  return number(env, (double)len);
}

napi_value js_random_fill(napi_env env, napi_callback_info info) {
  napi_value argv[3];
  struct bytes dst;
  if (!read_args(env, info, 3, argv) || !read_slice(env, argv[0], argv[1], argv[2], &dst)) return NULL;
  if (!random_fill(dst.data, dst.len)) napi_throw_error(env, "ERR_RANDOM", "the kernel gives no random bytes");
  return NULL;
}

napi_value js_zero(napi_env env, napi_callback_info info) {
  napi_value argv[1];
  struct bytes dst;
  if (!read_args(env, info, 1, argv) || !read_bytes(env, argv[0], &dst)) return NULL;
  wipe(dst.data, dst.len);
  return NULL;
}

napi_value js_sha256(napi_env env, napi_callback_info info) {
  napi_value argv[5];
  struct bytes src, dst;
  if (!read_args(env, info, 5, argv) || !read_slice(env, argv[0], argv[1], argv[2], &src)) return NULL;
  if (!read_tail(env, argv[3], argv[4], &dst)) return NULL;
  if (dst.len < 32) {
    fail_range(env, "a digest of 32 bytes does not fit into dst");
    return NULL;
  }
  sha256(src.data, src.len, dst.data);
  return NULL;
}
