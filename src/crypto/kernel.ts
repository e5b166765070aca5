import { type NativeCrypto, native } from '../native.ts';

/** The crypto kernel of the addon, for the layers above that do not load the addon themselves. */
export const kernel: NativeCrypto = native.crypto;

export { type KeyHandle, KeyKind } from '../native.ts';
