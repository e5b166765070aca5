/** From command line values to the options that several operations share. */
import type { SecretOptions, UnlockOptions } from '../../operations/unlock.ts';
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

/** How to open an existing vault for mounting or checking it. */
export function unlockOptions(values: FlagValues, configPath: string): UnlockOptions {
  return {
    configPath,
    secrets: secretOptions(values),
    vault: {
      cipherOptions: cipherOptions(values),
      reverse: values.reverse,
      plaintextNames: values.plaintextnames,
      deterministicNames: values['deterministic-names'],
      longNameMax: values.longnamemax,
      longNames: values.longnames,
      raw64: values.raw64,
      hkdf: values.hkdf,
    },
  };
}
