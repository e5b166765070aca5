/* The system calls that Node lacks, one file per family; each adds its functions to the object it is given. */
#ifndef AEGISFS_SYS_MODULE_H
#define AEGISFS_SYS_MODULE_H

#include "args.h"

bool sys_init(napi_env env, napi_value target);

bool sys_init_allocate(napi_env env, napi_value target);
bool sys_init_at(napi_env env, napi_value target);
bool sys_init_files(napi_env env, napi_value target);
bool sys_init_identity(napi_env env, napi_value target);
bool sys_init_log(napi_env env, napi_value target);
bool sys_init_mounts(napi_env env, napi_value target);
bool sys_init_process(napi_env env, napi_value target);
bool sys_init_stat(napi_env env, napi_value target);
bool sys_init_tty(napi_env env, napi_value target);
bool sys_init_xattr(napi_env env, napi_value target);

#endif
