/** From command line values to the options that several operations share. */
import type { SecretOptions } from '../../operations/unlock.ts';
import type { FlagValues } from '../flags.ts';

const CIPHER_OPTIONS = ['aegis', 'aegis256x2', 'aessiv', 'xchacha'] as const;

/** Cipher options that are switched on, without dash. */
export function cipherOptions(values: FlagValues): string[] {
  return CIPHER_OPTIONS.filter((name) => values[name]);
}

/** Where secrets come from. */
export function secretOptions(values: FlagValues): SecretOptions {
  return {
    extpass: values.extpass,
    passfile: values.passfile,
    masterkey: values.masterkey,
    zerokey: values.zerokey,
    fido2: values.fido2,
  };
}
