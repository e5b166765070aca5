/** Sealing and opening runs of file blocks (format.md 7.3, 7.4), for the layers that do not see the crypto kernel. */
import { kernel } from '../../crypto/kernel.ts';
import type { NativeCrypto } from '../../native.ts';

/** Seals plaintext as consecutive blocks of BLOCK_SIZE bytes, the last one may be shorter; fresh random nonces. @returns stored bytes */
export const sealRun: NativeCrypto['sealRun'] = kernel.sealRun;
/** Opens consecutive stored blocks; a full-size block of zeros is a hole. @returns plaintext bytes, or −(1 + index of the first bad block) */
export const openRun: NativeCrypto['openRun'] = kernel.openRun;
/** Seals plaintext as consecutive blocks with nonces derived from that of block 0 (format.md 10.1); AES-SIV only. @returns stored bytes */
export const sealRunDerived: NativeCrypto['sealRunDerived'] = kernel.sealRunDerived;
