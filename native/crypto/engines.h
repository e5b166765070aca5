/* All engines, as tiers.c lists them. */
#ifndef AEGISFS_CRYPTO_ENGINES_H
#define AEGISFS_CRYPTO_ENGINES_H

#include "aes-portable.h"
#include "kernel.h"

#define DECLARE_ENGINE(name) batch_fn name##_seal, name##_open

DECLARE_ENGINE(aegis128x2_portable);
DECLARE_ENGINE(aegis256x2_portable);
DECLARE_ENGINE(gcm_portable);
DECLARE_ENGINE(siv_portable);
DECLARE_ENGINE(xchacha_portable);
stream_fn chacha_stream_portable;

#if defined(__x86_64__)
#define HAVE_X86_TIERS 1
ecb_fn aes_ecb_encrypt_aesni, aes_ecb_decrypt_aesni;
ecb_fn aes_ecb_encrypt_vaes, aes_ecb_decrypt_vaes;
ecb_fn aes_ecb_encrypt_avx512, aes_ecb_decrypt_avx512;
DECLARE_ENGINE(aegis128x2_aesni);
DECLARE_ENGINE(aegis256x2_aesni);
DECLARE_ENGINE(gcm_aesni);
DECLARE_ENGINE(siv_aesni);
DECLARE_ENGINE(aegis128x2_vaes);
DECLARE_ENGINE(aegis256x2_vaes);
DECLARE_ENGINE(gcm_vaes);
DECLARE_ENGINE(siv_vaes);
DECLARE_ENGINE(xchacha_avx2);
stream_fn chacha_stream_avx2;
DECLARE_ENGINE(aegis128x2_avx512);
DECLARE_ENGINE(aegis256x2_avx512);
DECLARE_ENGINE(gcm_avx512);
DECLARE_ENGINE(siv_avx512);
DECLARE_ENGINE(xchacha_avx512);
stream_fn chacha_stream_avx512;
#endif

#if defined(__aarch64__)
#define HAVE_ARM_TIER 1
ecb_fn aes_ecb_encrypt_armv8, aes_ecb_decrypt_armv8;
DECLARE_ENGINE(aegis128x2_armv8);
DECLARE_ENGINE(aegis256x2_armv8);
DECLARE_ENGINE(gcm_armv8);
DECLARE_ENGINE(siv_armv8);
#endif

#endif
