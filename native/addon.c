/*
 * The addon of aegisfs. Plain Node-API: no state per environment is kept here, so it loads in any number of worker threads.
 * The interface is described in src/native.ts.
 */
#include "crypto/module.h"
#include "sys/module.h"

/* Equal to NATIVE_ABI of src/native.ts. */
#define AEGISFS_ABI 2

static bool build_exports(napi_env env, napi_value exports) {
  napi_value abi, sys, crypto;
  if (napi_create_int32(env, AEGISFS_ABI, &abi) != napi_ok || napi_create_object(env, &sys) != napi_ok ||
      napi_create_object(env, &crypto) != napi_ok) {
    return false;
  }
  crypto_init(env, crypto);
  return sys_init(env, sys) && napi_set_named_property(env, exports, "abi", abi) == napi_ok &&
         napi_set_named_property(env, exports, "sys", sys) == napi_ok && napi_set_named_property(env, exports, "crypto", crypto) == napi_ok;
}

NAPI_MODULE_INIT() {
  if (!build_exports(env, exports)) {
    bool pending = false;
    napi_is_exception_pending(env, &pending);
    if (!pending) napi_throw_error(env, NULL, "the native addon could not set up its exports");
  }
  return exports;
}
