/*
 * The vocabulary of the width-independent engines on ARMv8 with the cryptographic extension (Arm ARM, AESE, AESMC, AESD, AESIMC,
 * PMULL): one AES block per vector. AESE adds its key before the round where x86 adds it after, so it is given zero and
 * the key is added afterwards; the processor joins AESE and AESMC. See vector-128.h.
 */
#include <arm_neon.h>

#define TARGET __attribute__((target("+crypto")))
#define INLINE static inline ALWAYS_INLINE TARGET
#define V uint8x16_t
#define LANES 1
#define V_LOAD(p) vld1q_u8((const uint8_t *)(const void *)(p))
#define V_STORE(p, v) vst1q_u8((uint8_t *)(void *)(p), v)
#define V_BROADCAST(p) V_LOAD(p)
#define V_LANE0(x) (x)
#define V_ZERO vdupq_n_u8(0)
#define V_XOR veorq_u8
#define V_XOR3(a, b, c) veorq_u8(a, veorq_u8(b, c))
#define V_XOR_AND(x, a, b) veorq_u8(x, vandq_u8(a, b))
#define V_ADD32(a, b) vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)))
#define V_ADD64(a, b) vreinterpretq_u8_u64(vaddq_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)))
#define V_AES(x, k) veorq_u8(vaesmcq_u8(vaeseq_u8(x, V_ZERO)), k)
#define V_AESLAST(x, k) veorq_u8(vaeseq_u8(x, V_ZERO), k)
#define V_AESDEC(x, k) veorq_u8(vaesimcq_u8(vaesdq_u8(x, V_ZERO)), k)
#define V_AESDECLAST(x, k) veorq_u8(vaesdq_u8(x, V_ZERO), k)
#define V_HALF(v, n) ((poly64_t)vgetq_lane_u64(vreinterpretq_u64_u8(v), n))
#define V_CLMUL(a, b, imm) vreinterpretq_u8_p128(vmull_p64(V_HALF(a, (imm) & 1), V_HALF(b, ((imm) >> 4) & 1)))
#define V_SWAP(v) vextq_u8(v, v, 8)
#define V_REVERSE(v) V_SWAP(vrev64q_u8(v))
#define V_UP8(v) vextq_u8(V_ZERO, v, 8)
#define V_DOWN8(v) vextq_u8(v, V_ZERO, 8)
#define V_FOLD(v) (v)

#define Q V
#define Q_LOAD V_LOAD
#define Q_STORE V_STORE
#define Q_ZERO V_ZERO
#define Q_XOR V_XOR
#define Q_UP8 V_UP8
#define Q_DOWN8 V_DOWN8
#define Q_SWAP V_SWAP
#define Q_CLMUL V_CLMUL
