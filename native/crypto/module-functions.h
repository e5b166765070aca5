/* The JavaScript functions, by file; module.c registers them under the names of NativeCrypto (src/native.ts). */
#ifndef AEGISFS_CRYPTO_MODULE_FUNCTIONS_H
#define AEGISFS_CRYPTO_MODULE_FUNCTIONS_H

#include <node_api.h>

#include "kernel.h"

#define DECLARE_FUNCTION(name) napi_value name(napi_env env, napi_callback_info info)

/* The key of a handle, until slot_release(*handle). Throws and returns NULL if there is none. */
const struct key_material *key_argument(napi_env env, napi_value value, uint64_t *handle);

DECLARE_FUNCTION(js_key_create);
DECLARE_FUNCTION(js_key_free);
DECLARE_FUNCTION(js_keys_wipe);
DECLARE_FUNCTION(js_key_is_zero);
DECLARE_FUNCTION(js_tiers);
DECLARE_FUNCTION(js_tier_of);
DECLARE_FUNCTION(js_force_tier);
DECLARE_FUNCTION(js_has_aes_acceleration);

DECLARE_FUNCTION(js_seal_run);
DECLARE_FUNCTION(js_seal_run_derived);
DECLARE_FUNCTION(js_open_run);
DECLARE_FUNCTION(js_seal_one);
DECLARE_FUNCTION(js_open_one);
DECLARE_FUNCTION(js_bench_seal);

DECLARE_FUNCTION(js_eme_transform);
DECLARE_FUNCTION(js_name_encrypt);
DECLARE_FUNCTION(js_name_decrypt);
DECLARE_FUNCTION(js_random_fill);
DECLARE_FUNCTION(js_zero);
DECLARE_FUNCTION(js_sha256);

#endif
