/**
 * AEGIS-128X2 and AEGIS-256X2 written down as format.md 13 says, one byte after the other: the independent oracle of the
 * kernel tests. Tables and all; never for real data.
 */
const SBOX = makeSbox();
const C0 = Uint8Array.from([0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 121, 98]);
const C1 = Uint8Array.from([0xdb, 0x3d, 0x18, 0x55, 0x6d, 0xc2, 0x2f, 0xf1, 0x20, 0x11, 0x31, 0x42, 0x73, 0xb5, 0x28, 0xdd]);

function times2(x: number): number {
  return ((x << 1) ^ (x & 0x80 ? 0x11b : 0)) & 0xff;
}

/** FIPS 197 5.1.1, by walking through the powers of the generator 3 and of its inverse. */
function makeSbox(): Uint8Array {
  const box = new Uint8Array(256);
  let p = 1;
  let q = 1;
  do {
    p = p ^ times2(p);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 0xff;
    if (q & 0x80) q ^= 0x09;
    let s = q;
    for (let i = 1; i <= 4; i++) s ^= ((q << i) | (q >> (8 - i))) & 0xff;
    box[p] = s ^ 0x63;
  } while (p !== 1);
  box[0] = 0x63;
  return box;
}

function xor(...blocks: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(16);
  for (const block of blocks) for (let i = 0; i < 16; i++) out[i]! ^= block[i]!;
  return out;
}

function and(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((x, i) => x & b[i]!);
}

/** One AES round with key k. */
function round(s: Uint8Array, k: Uint8Array): Uint8Array {
  const out = new Uint8Array(16);
  for (let column = 0; column < 4; column++) {
    const a = [0, 1, 2, 3].map((row) => SBOX[s[4 * ((column + row) % 4) + row]!]!);
    for (let row = 0; row < 4; row++) {
      const [w, x, y, z] = [a[row]!, a[(row + 1) % 4]!, a[(row + 2) % 4]!, a[(row + 3) % 4]!];
      out[4 * column + row] = times2(w) ^ times2(x) ^ x ^ y ^ z ^ k[4 * column + row]!;
    }
  }
  return out;
}

type Lane = Uint8Array[];

/** `m` is added at S[0] and, if there is a second one, at S[4]. */
function update(s: Lane, m: Uint8Array[]): Lane {
  return s.map((block, j) => {
    const input = j === 0 ? m[0] : j === 4 && m.length === 2 ? m[1] : undefined;
    return round(s[(j + s.length - 1) % s.length]!, input ? xor(block, input) : block);
  });
}

function context(lane: number): Uint8Array {
  const out = new Uint8Array(16);
  out[0] = lane;
  out[1] = 1;
  return out;
}

function init(wide: boolean, key: Uint8Array, nonce: Uint8Array, lane: number): Lane {
  const ctx = context(lane);
  const [k0, k1, n0, n1] = [key.subarray(0, 16), key.subarray(16), nonce.subarray(0, 16), nonce.subarray(16)];
  let s: Lane;
  let inputs: Uint8Array[][];
  if (wide) {
    const kn = xor(k0, n0);
    s = [kn, C1, C0, C1, kn, xor(k0, C0), xor(k0, C1), xor(k0, C0)];
    inputs = Array.from({ length: 10 }, () => [n0, k0]);
  } else {
    s = [xor(k0, n0), xor(k1, n1), C1, C0, xor(k0, C0), xor(k1, C1)];
    inputs = Array.from({ length: 16 }, (_, i) => [[k0, k1, xor(k0, n0), xor(k1, n1)][i % 4]!]);
  }
  for (const m of inputs) {
    s[3] = xor(s[3]!, ctx);
    s[s.length - 1] = xor(s[s.length - 1]!, ctx);
    s = update(s, m);
  }
  return s;
}

function keyStream(s: Lane): Uint8Array[] {
  const at = (j: number) => s[j]!;
  if (s.length === 6) return [xor(at(1), at(4), at(5), and(at(2), at(3)))];
  return [xor(at(6), at(1), and(at(2), at(3))), xor(at(2), at(5), and(at(6), at(7)))];
}

/** Ciphertext ‖ 16-byte tag. The key length selects the variant: 16 for 128X2, 32 for 256X2. */
export function aegisSeal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, ad: Uint8Array): Uint8Array {
  const wide = key.length === 16;
  const rate = wide ? 64 : 32;
  let lanes = [init(wide, key, nonce, 0), init(wide, key, nonce, 1)];
  const split = (chunk: Uint8Array, lane: number) =>
    Array.from({ length: rate / 32 }, (_, i) => chunk.subarray(32 * i + 16 * lane, 32 * i + 16 * lane + 16));
  const absorb = (chunk: Uint8Array) => {
    lanes = lanes.map((s, lane) => update(s, split(chunk, lane)));
  };
  const padded = (bytes: Uint8Array, off: number) => {
    const chunk = new Uint8Array(rate);
    chunk.set(bytes.subarray(off, off + rate));
    return chunk;
  };
  for (let off = 0; off < ad.length; off += rate) absorb(padded(ad, off));
  const out = new Uint8Array(plain.length + 16);
  for (let off = 0; off < plain.length; off += rate) {
    const chunk = padded(plain, off);
    const z = lanes.map(keyStream);
    for (let i = 0; i < rate && off + i < plain.length; i++) out[off + i] = chunk[i]! ^ z[(i >> 4) & 1]![i >> 5]![i & 15]!;
    absorb(chunk);
  }
  const lengths = Buffer.alloc(16);
  lengths.writeBigUInt64LE(8n * BigInt(ad.length), 0);
  lengths.writeBigUInt64LE(8n * BigInt(plain.length), 8);
  const t = lanes.map((s) => xor(s[wide ? 2 : 3]!, lengths));
  for (let i = 0; i < 7; i++) lanes = lanes.map((s, lane) => update(s, wide ? [t[lane]!, t[lane]!] : [t[lane]!]));
  out.set(xor(...lanes.flatMap((s) => s.slice(0, wide ? 7 : 6))), plain.length);
  return out;
}
