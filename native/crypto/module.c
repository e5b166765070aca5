/* Registers the crypto functions. Keys, random pool and tier are process-wide; an environment has no state of its own. */
#include "module.h"

#include "module-functions.h"
#include "tiers.h"

void crypto_init(napi_env env, napi_value exports) {
  static const struct {
    const char *name;
    napi_callback function;
  } functions[] = {
    {"keyCreate", js_key_create},
    {"keyFree", js_key_free},
    {"keysWipe", js_keys_wipe},
    {"keyIsZero", js_key_is_zero},
    {"tiers", js_tiers},
    {"tierOf", js_tier_of},
    {"forceTier", js_force_tier},
    {"hasAesAcceleration", js_has_aes_acceleration},
    {"sealRun", js_seal_run},
    {"sealRunDerived", js_seal_run_derived},
    {"openRun", js_open_run},
    {"sealOne", js_seal_one},
    {"openOne", js_open_one},
    {"benchSeal", js_bench_seal},
    {"emeTransform", js_eme_transform},
    {"nameEncrypt", js_name_encrypt},
    {"nameDecrypt", js_name_decrypt},
    {"randomFill", js_random_fill},
    {"zero", js_zero},
    {"sha256", js_sha256},
  };
  tiers_init();
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    napi_value function;
    if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function, NULL, &function) != napi_ok) return;
    if (napi_set_named_property(env, exports, functions[i].name, function) != napi_ok) return;
  }
}
