/**
 * AEGIS-128X2 as the CFRG draft "The AEGIS Family of Authenticated Encryption Algorithms" defines it, degree 2, tag of 16 bytes.
 * Slow and plain on purpose: a second opinion on the native kernels, sharing nothing with them. Not for use outside tests.
 */

const SBOX = sbox();

/** The AES S-box from its definition (FIPS 197, 5.1.1): inverse in GF(2^8), then the affine map. */
function sbox(): Uint8Array {
  const table = new Uint8Array(256);
  const times = (a: number, b: number): number => {
    let product = 0;
    for (let i = 0, x = a; i < 8; i++, x = double(x)) if ((b >> i) & 1) product ^= x;
    return product;
  };
  for (let value = 0; value < 256; value++) {
    let inverse = 0;
    for (let candidate = 1; candidate < 256; candidate++) if (times(value, candidate) === 1) inverse = candidate;
    let result = 0x63;
    for (let turn = 0; turn < 5; turn++) result ^= ((inverse << turn) | (inverse >> (8 - turn))) & 0xff;
    table[value] = result;
  }
  return table;
}

function double(x: number): number {
  return ((x << 1) ^ (x & 0x80 ? 0x1b : 0)) & 0xff;
}

/** One AES round (SubBytes, ShiftRows, MixColumns), then XOR with `key`: byte i of a block is row i mod 4, column i div 4. */
export function aesRound(block: Uint8Array, key: Uint8Array): Uint8Array {
  const out = new Uint8Array(16);
  for (let column = 0; column < 4; column++) {
    const s = [0, 1, 2, 3].map((row) => SBOX[block[4 * ((column + row) % 4) + row] ?? 0] ?? 0);
    for (let row = 0; row < 4; row++) {
      const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((i) => s[(row + i) % 4] ?? 0);
      out[4 * column + row] = double(a) ^ double(b) ^ b ^ c ^ d ^ (key[4 * column + row] ?? 0);
    }
  }
  return out;
}

function combine(a: Uint8Array, b: Uint8Array, how: (x: number, y: number) => number): Uint8Array {
  return a.map((x, i) => how(x, b[i] ?? 0));
}
const xor = (...blocks: Uint8Array[]): Uint8Array => blocks.reduce((a, b) => combine(a, b, (x, y) => x ^ y));
const and = (a: Uint8Array, b: Uint8Array): Uint8Array => combine(a, b, (x, y) => x & y);

const C0 = Uint8Array.from(Buffer.from('000101020305080d1522375990e97962', 'hex'));
const C1 = Uint8Array.from(Buffer.from('db3d18556dc22ff12011314273b528dd', 'hex'));
const LANES = [0, 1] as const;

type Lane = Uint8Array[];
type State = Lane[];

const at = (lane: Lane, i: number): Uint8Array => lane[i] ?? new Uint8Array(16);

function update(lane: Lane, m0: Uint8Array, m1: Uint8Array): Lane {
  return lane.map((block, i) => {
    const key = i === 0 ? xor(block, m0) : i === 4 ? xor(block, m1) : block;
    return aesRound(at(lane, (i + 7) % 8), key);
  });
}

/** The state right after initialisation: eight blocks for each of the two lanes. */
export function initialState(key: Uint8Array, nonce: Uint8Array): State {
  return LANES.map((number) => {
    const context = new Uint8Array(16);
    context[0] = number;
    context[1] = 1;
    const kn = xor(key, nonce);
    let lane = [kn, C1, C0, C1, kn, xor(key, C0), xor(key, C1), xor(key, C0)];
    for (let round = 0; round < 10; round++) {
      lane = lane.map((block, i) => (i === 3 || i === 7 ? xor(block, context) : block));
      lane = update(lane, nonce, key);
    }
    return lane;
  });
}

/** Block `index` of a 64-byte chunk, zero-padded. */
function blockOf(chunk: Uint8Array, index: number): Uint8Array {
  const block = new Uint8Array(16);
  block.set(chunk.subarray(16 * index, 16 * index + 16));
  return block;
}

function absorb(state: State, chunk: Uint8Array): State {
  return state.map((lane, number) => update(lane, blockOf(chunk, number), blockOf(chunk, 2 + number)));
}

function keyStream(state: State): Uint8Array {
  const z0 = state.map((s) => xor(at(s, 6), at(s, 1), and(at(s, 2), at(s, 3))));
  const z1 = state.map((s) => xor(at(s, 2), at(s, 5), and(at(s, 6), at(s, 7))));
  return Uint8Array.from(Buffer.concat([...z0, ...z1]));
}

function tag(state: State, adLength: number, messageLength: number): Uint8Array {
  const lengths = Buffer.alloc(16);
  lengths.writeBigUInt64LE(BigInt(adLength) * 8n);
  lengths.writeBigUInt64LE(BigInt(messageLength) * 8n, 8);
  const lanes = state.map((lane) => {
    const t = xor(at(lane, 2), lengths);
    let s = lane;
    for (let i = 0; i < 7; i++) s = update(s, t, t);
    return xor(...s.slice(0, 7));
  });
  return Uint8Array.from(xor(...lanes));
}

function chunks(data: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(data.length / 64) }, (_, i) => data.subarray(64 * i, 64 * i + 64));
}

/** @param opening true if `input` is ciphertext. The state always absorbs the plaintext. */
function crypt(
  key: Uint8Array,
  nonce: Uint8Array,
  ad: Uint8Array,
  input: Uint8Array,
  opening: boolean,
): { output: Uint8Array; tag: Uint8Array } {
  let state = initialState(key, nonce);
  for (const chunk of chunks(ad)) state = absorb(state, chunk);
  const output = new Uint8Array(input.length);
  chunks(input).forEach((chunk, i) => {
    const result = xor(chunk, keyStream(state).subarray(0, chunk.length));
    output.set(result, 64 * i);
    state = absorb(state, opening ? result : chunk);
  });
  return { output, tag: tag(state, ad.length, input.length) };
}

/** @returns ciphertext followed by the 16-byte tag */
export function seal(key: Uint8Array, nonce: Uint8Array, ad: Uint8Array, plain: Uint8Array): Uint8Array {
  const sealed = crypt(key, nonce, ad, plain, false);
  return Uint8Array.from(Buffer.concat([sealed.output, sealed.tag]));
}

/** @returns the plaintext, or null if the tag does not fit */
export function open(key: Uint8Array, nonce: Uint8Array, ad: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  const opened = crypt(key, nonce, ad, sealed.subarray(0, sealed.length - 16), true);
  return Buffer.compare(opened.tag, sealed.subarray(sealed.length - 16)) === 0 ? opened.output : null;
}
