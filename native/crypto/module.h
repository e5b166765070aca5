/* The crypto kernel as seen from the addon. */
#ifndef AEGISFS_CRYPTO_MODULE_H
#define AEGISFS_CRYPTO_MODULE_H

#include <node_api.h>

/* Fills `exports` with every function of NativeCrypto (src/native.ts). Called once per environment (main thread and each worker). */
void crypto_init(napi_env env, napi_value exports);

#endif
