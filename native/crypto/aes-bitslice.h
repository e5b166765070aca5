/*
 * AES on 16 blocks at once as bit planes: no table, no branch on data, so constant time on any processor.
 * Plane b holds bit b of every byte: 16-bit element i belongs to block i, its bit j to byte j of that block
 * (byte j is row j mod 4, column j / 4 of the AES state). GCC lowers the vectors to what the target has.
 */
#ifndef AEGISFS_CRYPTO_AES_BITSLICE_H
#define AEGISFS_CRYPTO_AES_BITSLICE_H

#include "kernel.h"

/* Vectors are only passed between inlined functions, so their calling convention does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint16_t plane __attribute__((vector_size(32)));
#define SLICED_BLOCKS 16

struct sliced {
  plane p[8];
};

/* Transposes 8 bytes as an 8×8 bit matrix: byte b of the result holds bit b of every byte. */
static inline uint64_t transpose8(uint64_t x) {
  uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAull;
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCull;
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ull;
  return x ^ t ^ (t << 28);
}

/* Bit planes of one block. */
static inline void slice_block(uint16_t out[8], const uint8_t in[16]) {
  uint64_t a = transpose8(load_le64(in)), b = transpose8(load_le64(in + 8));
  for (int i = 0; i < 8; i++) out[i] = (uint16_t)(((a >> (8 * i)) & 0xff) | (((b >> (8 * i)) & 0xff) << 8));
}

static inline void unslice_block(uint8_t out[16], const uint16_t in[8]) {
  uint64_t a = 0, b = 0;
  for (int i = 0; i < 8; i++) {
    a |= (uint64_t)(in[i] & 0xff) << (8 * i);
    b |= (uint64_t)(in[i] >> 8) << (8 * i);
  }
  store_le64(out, transpose8(a));
  store_le64(out + 8, transpose8(b));
}

/* S-box as the Boolean circuit of Boyar and Peralta, "A small depth-16 circuit for the AES S-box" (2011), before its constant is added. */
static inline ALWAYS_INLINE void sub_bytes_linear(plane q[8]) {
  plane x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4], x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];
  plane y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14;
  plane y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0;
  plane y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;
  plane t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7, t6 = t5 ^ t2, t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7;
  plane t10 = y2 & y7, t11 = t10 ^ t7, t12 = y9 & y11, t13 = y14 & y17, t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12;
  plane t21 = t4 ^ t14 ^ y20, t22 = t6 ^ t16 ^ y19, t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;
  plane t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27, t29 = t28 ^ t22, t30 = t23 ^ t24, t31 = t22 ^ t26;
  plane t32 = t31 & t30, t33 = t32 ^ t24, t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36;
  plane t39 = t29 & t38, t40 = t25 ^ t39, t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
  plane z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7, z6 = t42 & y11, z7 = t45 & y17;
  plane z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4, z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2;
  plane z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;
  plane t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12, t51 = z2 ^ z5, t52 = z7 ^ z8;
  plane t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53, t58 = z4 ^ t46, t59 = z3 ^ t54;
  plane t60 = t46 ^ t57, t61 = z14 ^ t57, t62 = t52 ^ t58, t63 = t49 ^ t58, t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63;
  plane t67 = t64 ^ t65, s3 = t53 ^ t66;
  q[7] = t59 ^ t63;
  q[6] = t64 ^ s3;
  q[5] = t55 ^ t67;
  q[4] = s3;
  q[3] = t51 ^ t66;
  q[2] = t47 ^ t65;
  q[1] = t56 ^ t62;
  q[0] = t48 ^ t60;
}

/* The constant 0x63 of the S-box. */
static inline ALWAYS_INLINE void add_63(plane q[8]) {
  q[0] = ~q[0];
  q[1] = ~q[1];
  q[5] = ~q[5];
  q[6] = ~q[6];
}

static inline ALWAYS_INLINE void sub_bytes(plane q[8]) {
  sub_bytes_linear(q);
  add_63(q);
}

/* Inverse of the linear part of the S-box's affine map: bit i of the result is bit i+2 ^ i+5 ^ i+7 (mod 8), FIPS 197 5.3.2. */
static inline ALWAYS_INLINE void inverse_affine(plane q[8]) {
  plane r[8];
  for (int i = 0; i < 8; i++) r[i] = q[(i + 2) & 7] ^ q[(i + 5) & 7] ^ q[(i + 7) & 7];
  for (int i = 0; i < 8; i++) q[i] = r[i];
}

/* With S = A∘inv: S⁻¹ = inv∘A⁻¹ = A⁻¹∘S∘A⁻¹, so the forward circuit serves both directions. */
static inline ALWAYS_INLINE void inv_sub_bytes(plane q[8]) {
  add_63(q);
  inverse_affine(q);
  sub_bytes_linear(q);
  inverse_affine(q);
}

/* Row r of the state is the bits r, r+4, r+8, r+12; it turns left by r columns. */
static inline ALWAYS_INLINE void shift_rows(plane q[8]) {
  for (int b = 0; b < 8; b++) {
    plane x = q[b];
    q[b] = (x & 0x1111) | (((x >> 4) | (x << 12)) & 0x2222) | (((x >> 8) | (x << 8)) & 0x4444) | (((x >> 12) | (x << 4)) & 0x8888);
  }
}

static inline ALWAYS_INLINE void inv_shift_rows(plane q[8]) {
  for (int b = 0; b < 8; b++) {
    plane x = q[b];
    q[b] = (x & 0x1111) | (((x >> 12) | (x << 4)) & 0x2222) | (((x >> 8) | (x << 8)) & 0x4444) | (((x >> 4) | (x << 12)) & 0x8888);
  }
}

/* Byte i takes the place of byte i−1, i−2 of the same column. */
#define COLUMN_UP1(x) ((((x) >> 1) & 0x7777) | (((x) << 3) & 0x8888))
#define COLUMN_UP2(x) ((((x) >> 2) & 0x3333) | (((x) << 2) & 0xcccc))

/* out = 2·a ^ 3·(a up 1) ^ (a up 2) ^ (a up 3) = 2·(a ^ a1) ^ a1 ^ up2(a ^ a1), with a1 = up1(a) (FIPS 197 5.1.3). */
static inline ALWAYS_INLINE void mix_columns(plane q[8]) {
  plane a1[8], s[8];
  for (int i = 0; i < 8; i++) {
    a1[i] = COLUMN_UP1(q[i]);
    s[i] = q[i] ^ a1[i];
  }
  for (int i = 0; i < 8; i++) {
    plane twice = s[(i + 7) & 7];
    if (i == 1 || i == 3 || i == 4) twice ^= s[7];
    q[i] = twice ^ a1[i] ^ COLUMN_UP2(s[i]);
  }
}

/* InvMixColumns = MixColumns of (a ^ 4·(a ^ up2(a))): 0e,0b,0d,09 = 02,03,01,01 + multiples of 4 and 8. */
static inline ALWAYS_INLINE void inv_mix_columns(plane q[8]) {
  plane u[8];
  for (int i = 0; i < 8; i++) u[i] = q[i] ^ COLUMN_UP2(q[i]);
  /* times 4: bit i comes from bit i−2; bits 7 and 6 fold back as 0x1b·2 and 0x1b */
  q[0] ^= u[6];
  q[1] ^= u[6] ^ u[7];
  q[2] ^= u[0] ^ u[7];
  q[3] ^= u[1] ^ u[6];
  q[4] ^= u[2] ^ u[6] ^ u[7];
  q[5] ^= u[3] ^ u[7];
  q[6] ^= u[4];
  q[7] ^= u[5];
  mix_columns(q);
}

/* One full AES round without its key: MixColumns(ShiftRows(SubBytes(x))), the keyless part of AESENC. */
static inline ALWAYS_INLINE void aes_round_planes(plane q[8]) {
  sub_bytes(q);
  shift_rows(q);
  mix_columns(q);
}

void sliced_load(struct sliced *s, const uint8_t *in, size_t blocks);
void sliced_store(const struct sliced *s, uint8_t *out, size_t blocks);

#endif
