#include "module.h"

bool sys_init(napi_env env, napi_value target) {
  return sys_init_allocate(env, target) && sys_init_at(env, target) && sys_init_files(env, target) && sys_init_identity(env, target) &&
         sys_init_log(env, target) && sys_init_mounts(env, target) && sys_init_process(env, target) && sys_init_stat(env, target) &&
         sys_init_tty(env, target) && sys_init_xattr(env, target);
}
