/* PKCS#7, EME, base64url (RFC 4648 5). The text is public, so only the plaintext side is handled without branches. */
#include "names.h"

#include "eme.h"

static const char alphabet[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

size_t name_text_len(size_t name_len, bool padded) {
  size_t bytes = (name_len / 16 + 1) * 16;
  return padded ? (bytes + 2) / 3 * 4 : (bytes * 4 + 2) / 3;
}

static size_t encode(const uint8_t *in, size_t len, uint8_t *out, bool padded) {
  uint8_t *start = out;
  for (; len >= 3; in += 3, len -= 3) {
    uint32_t v = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
    *out++ = (uint8_t)alphabet[v >> 18];
    *out++ = (uint8_t)alphabet[(v >> 12) & 63];
    *out++ = (uint8_t)alphabet[(v >> 6) & 63];
    *out++ = (uint8_t)alphabet[v & 63];
  }
  if (len > 0) {
    uint32_t v = (uint32_t)in[0] << 16 | (len == 2 ? (uint32_t)in[1] << 8 : 0);
    *out++ = (uint8_t)alphabet[v >> 18];
    *out++ = (uint8_t)alphabet[(v >> 12) & 63];
    if (len == 2) *out++ = (uint8_t)alphabet[(v >> 6) & 63];
    for (size_t i = len; padded && i < 3; i++) *out++ = '=';
  }
  return (size_t)(out - start);
}

static int value(uint8_t c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '-') return 62;
  if (c == '_') return 63;
  return -1;
}

/* Strict: exactly the padding of the kind, no other characters (so no line breaks), unused low bits zero. Bytes, or −1. */
static int64_t decode(const uint8_t *in, size_t len, uint8_t *out, bool padded) {
  if (padded) {
    if (len % 4 != 0) return -1;
    if (len > 0 && in[len - 1] == '=') len--;
    if (len % 4 == 3 && in[len - 1] == '=') len--;
  }
  if (len % 4 == 1) return -1;
  uint8_t *start = out;
  uint32_t bits = 0, have = 0;
  for (size_t i = 0; i < len; i++) {
    int v = value(in[i]);
    if (v < 0) return -1;
    bits = (bits << 6 | (uint32_t)v) & 0xffff;
    have += 6;
    if (have >= 8) {
      have -= 8;
      *out++ = (uint8_t)(bits >> have);
    }
  }
  if ((bits & ((1u << have) - 1)) != 0) return -1;
  return out - start;
}

size_t name_encrypt(const struct key_material *key, const uint8_t tweak[16], const uint8_t *name, size_t len, uint8_t *text, bool padded) {
  uint8_t block[16 * EME_MAX_BLOCKS];
  size_t pad = 16 - len % 16;
  memcpy(block, name, len);
  memset(block + len, (int)pad, pad);
  eme_transform(key, false, tweak, block, (len + pad) / 16);
  size_t text_len = encode(block, len + pad, text, padded);
  text[text_len] = 0;
  return text_len;
}

int64_t name_decrypt(
  const struct key_material *key, const uint8_t tweak[16], const uint8_t *text, size_t len, uint8_t *name, size_t room, bool padded) {
  uint8_t block[16 * EME_MAX_BLOCKS + 3];
  if (len > name_text_len(NAME_MAX_PLAIN, true)) return NAME_BAD;
  int64_t bytes = decode(text, len, block, padded);
  if (bytes <= 0 || bytes % 16 != 0) return NAME_BAD;
  eme_transform(key, true, tweak, block, (size_t)bytes / 16);
  /* Padding p of 1…16 bytes, smaller than the whole; all of the last p bytes equal p. */
  const uint8_t *last = block + bytes - 16;
  uint32_t p = last[15];
  uint32_t bad = (uint32_t)(p - 1 > 15) | (uint32_t)((int64_t)p >= bytes);
  for (uint32_t i = 0; i < 16; i++) bad |= (uint32_t)(16 - i <= p) & (uint32_t)(last[i] != p);
  int64_t result = NAME_BAD;
  if (!bad) {
    size_t plain = (size_t)bytes - p;
    if (plain < room) {
      memcpy(name, block, plain);
      name[plain] = 0;
      result = (int64_t)plain;
    } else {
      result = NAME_NO_ROOM;
    }
  }
  wipe(block, sizeof block);
  return result;
}
