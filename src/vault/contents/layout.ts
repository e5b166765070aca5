/** Where plaintext lies in a ciphertext file: sizes, offsets and block ranges (format.md 7.2, 7.3, 7.6). */

/** Plaintext bytes of a full block. */
export const BLOCK_SIZE = 4096;
/** Bytes before the first block: format version and file ID. */
export const HEADER_LEN = 18;
/** Length of a file ID, bytes. */
export const FILE_ID_LEN = 16;
/** Associated data of what belongs to no file (wrapped master key, link targets, attribute values): block number 0 alone. */
export const NO_FILE_AD = new Uint8Array(8);

/** What is wrong with a ciphertext size, for the warnings of behaviour.md 6.6. */
export const SizeDefect = {
  None: 0,
  /** 1 to 17 bytes: shorter than a header, shown as empty. */
  TooShort: 1,
  /** A last block too short to hold a byte: shown as one byte, which cannot be read. */
  IncompleteLastBlock: 2,
} as const;
export type SizeDefect = (typeof SizeDefect)[keyof typeof SizeDefect];

/** Converts sizes and offsets for one overhead; exact as long as results stay below 2^53. */
export class ContentLayout {
  /** Nonce and tag of a block, bytes. */
  readonly overhead: number;
  /** Stored size of a full block, bytes. */
  readonly cipherBlockSize: number;

  constructor(overhead: number) {
    this.overhead = overhead;
    this.cipherBlockSize = BLOCK_SIZE + overhead;
  }

  /** Ciphertext size of a file of `size` plaintext bytes. */
  plainToCipher(size: number): number {
    if (size === 0) return 0;
    const fullBlocks = Math.floor((size - 1) / BLOCK_SIZE);
    return HEADER_LEN + fullBlocks * this.cipherBlockSize + (size - 1 - fullBlocks * BLOCK_SIZE) + 1 + this.overhead;
  }

  /** Plaintext size shown for a file of `size` ciphertext bytes, also for sizes a healthy file cannot have. */
  cipherToPlain(size: number): number {
    if (size <= HEADER_LEN) return 0;
    const payload = size - HEADER_LEN;
    const fullBlocks = Math.floor(payload / this.cipherBlockSize);
    const rest = payload - fullBlocks * this.cipherBlockSize;
    if (rest === 0) return fullBlocks * BLOCK_SIZE;
    return fullBlocks * BLOCK_SIZE + (rest <= this.overhead ? 1 : rest - this.overhead);
  }

  /** What is wrong with a ciphertext size. */
  sizeDefect(size: number): SizeDefect {
    if (size === 0 || size === HEADER_LEN) return SizeDefect.None;
    if (size < HEADER_LEN) return SizeDefect.TooShort;
    const rest = this.lastBlockBytes(size);
    return rest !== 0 && rest <= this.overhead ? SizeDefect.IncompleteLastBlock : SizeDefect.None;
  }

  /** Ciphertext bytes of a partial last block, 0 if the last block is full; `size` is at least the header length. */
  lastBlockBytes(size: number): number {
    const payload = size - HEADER_LEN;
    return payload - Math.floor(payload / this.cipherBlockSize) * this.cipherBlockSize;
  }

  /** Number of the block that holds a plaintext offset. */
  blockNo(plainOff: number): number {
    return Math.floor(plainOff / BLOCK_SIZE);
  }

  /** Plaintext offset of the start of a block. */
  blockPlainOffset(blockNo: number): number {
    return blockNo * BLOCK_SIZE;
  }

  /** Ciphertext offset of the start of a block. */
  blockCipherOffset(blockNo: number): number {
    return HEADER_LEN + blockNo * this.cipherBlockSize;
  }

  /** Number of the block that holds a ciphertext offset; the header counts as block 0. */
  blockNoOfCipher(cipherOff: number): number {
    return cipherOff < HEADER_LEN ? 0 : Math.floor((cipherOff - HEADER_LEN) / this.cipherBlockSize);
  }

  /** Blocks that a plaintext range of `len` bytes touches; 0 for an empty range. */
  blockCount(plainOff: number, len: number): number {
    return len === 0 ? 0 : Math.floor((plainOff + len - 1) / BLOCK_SIZE) - Math.floor(plainOff / BLOCK_SIZE) + 1;
  }

  /** Sealed length of `len` plaintext bytes that start at a block boundary, without header. */
  sealedLength(len: number): number {
    return len + Math.ceil(len / BLOCK_SIZE) * this.overhead;
  }
}
