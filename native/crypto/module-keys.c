/* JavaScript functions that manage keys and tiers. */
#include "key-setup.h"
#include "module-args.h"
#include "module-functions.h"
#include "random.h"
#include "slots.h"
#include "tiers.h"

const struct key_material *key_argument(napi_env env, napi_value value, uint64_t *handle) {
  if (!read_integer(env, value, handle)) return NULL;
  const struct key_material *key = slot_acquire(*handle);
  if (key == NULL) napi_throw_error(env, "ERR_STALE_KEY", "the key does not exist or was freed");
  return key;
}

napi_value js_key_create(napi_env env, napi_callback_info info) {
  napi_value argv[2];
  uint64_t kind, handle;
  struct bytes key;
  if (!read_args(env, info, 2, argv) || !read_integer(env, argv[0], &kind) || !read_bytes(env, argv[1], &key)) return NULL;
  if (kind >= KIND_COUNT) {
    fail_range(env, "unknown kind of key");
    return NULL;
  }
  if (!kind_key_len_ok((uint32_t)kind, key.len)) {
    fail_range(env, "wrong key length");
    return NULL;
  }
  switch (slot_create((uint32_t)kind, key.data, key.len, &handle)) {
    case SLOT_OK:
      return number(env, (double)handle);
    case SLOT_FULL:
      napi_throw_error(env, "ERR_KEY_SLOTS", "all key slots are in use");
      return NULL;
    default:
      napi_throw_error(env, "ERR_KEY_MEMORY", "no memory for keys");
      return NULL;
  }
}

napi_value js_key_free(napi_env env, napi_callback_info info) {
  napi_value argv[1];
  uint64_t handle;
  if (!read_args(env, info, 1, argv) || !read_integer(env, argv[0], &handle)) return NULL;
  if (!slot_free(handle)) napi_throw_error(env, "ERR_STALE_KEY", "the key does not exist or was freed");
  return NULL;
}

napi_value js_keys_wipe(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  slots_wipe();
  random_wipe();
  return NULL;
}

napi_value js_key_is_zero(napi_env env, napi_callback_info info) {
  napi_value argv[1];
  uint64_t handle;
  if (!read_args(env, info, 1, argv)) return NULL;
  const struct key_material *key = key_argument(env, argv[0], &handle);
  if (key == NULL) return NULL;
  bool zero = key_is_zero(key);
  slot_release(handle);
  return boolean(env, zero);
}

napi_value js_tiers(napi_env env, napi_callback_info info) {
  (void)info;
  napi_value list;
  if (napi_create_array(env, &list) != napi_ok) return NULL;
  for (uint32_t i = 0; i <= (uint32_t)tiers_best(); i++) {
    napi_value name = string(env, tier_name((enum tier)i));
    if (name == NULL || napi_set_element(env, list, i, name) != napi_ok) return NULL;
  }
  return list;
}

napi_value js_tier_of(napi_env env, napi_callback_info info) {
  napi_value argv[1];
  uint64_t kind;
  if (!read_args(env, info, 1, argv) || !read_integer(env, argv[0], &kind)) return NULL;
  if (kind >= KIND_COUNT) {
    fail_range(env, "unknown kind of key");
    return NULL;
  }
  return string(env, tier_name(tier_of((uint32_t)kind)));
}

napi_value js_force_tier(napi_env env, napi_callback_info info) {
  napi_value argv[1];
  napi_valuetype type;
  char name[16];
  size_t len;
  if (!read_args(env, info, 1, argv) || napi_typeof(env, argv[0], &type) != napi_ok) return NULL;
  if (type == napi_null) {
    tiers_force(NULL);
    return NULL;
  }
  if (napi_get_value_string_utf8(env, argv[0], name, sizeof name, &len) != napi_ok) {
    fail_type(env, "expected the name of a tier or null");
    return NULL;
  }
  if (!tiers_force(name)) fail_range(env, "this processor does not have that tier");
  return NULL;
}

napi_value js_has_aes_acceleration(napi_env env, napi_callback_info info) {
  (void)info;
  return boolean(env, tiers_have_aes());
}
