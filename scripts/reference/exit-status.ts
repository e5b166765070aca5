/** What each exit status means (behaviour.md 2), for the manual and docs/cli.md. */

/** The statuses the program can end with. */
export const EXIT_STATUS: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: 0, meaning: 'Success. With `-fg`, also the end of the mount by whatever unmounted it.' },
  { code: 1, meaning: 'The command line is wrong, or it does not fit the vault.' },
  { code: 2, meaning: 'An internal error, or a warning under `-wpanic`.' },
  { code: 6, meaning: '*CIPHERDIR* does not exist, is not a folder, or is not empty (`-init`).' },
  { code: 7, meaning: '`-init` would overwrite a configuration file, or `-passwd -masterkey` its backup.' },
  { code: 8, meaning: '`-info` could not load the configuration file.' },
  { code: 9, meaning: 'No password: empty, not repeated equally, too long, or its source failed.' },
  { code: 10, meaning: '*MOUNTPOINT* does not exist, is not a folder, is not empty, or lies in or above *CIPHERDIR*.' },
  { code: 11, meaning: 'The configuration file cannot be opened, is empty or is not valid JSON; or `-fsck` was interrupted.' },
  { code: 12, meaning: 'The password is wrong.' },
  { code: 13, meaning: 'The scrypt parameters are out of bounds.' },
  { code: 14, meaning: 'The master key is not 64 hexadecimal digits.' },
  { code: 15, meaning: 'SIGINT or SIGTERM ended the mount.' },
  { code: 17, meaning: 'The background process could not be started.' },
  { code: 18, meaning: 'A crypto library that was asked for is missing.' },
  { code: 19, meaning: 'Mounting failed.' },
  { code: 20, meaning: 'The control socket could not be created.' },
  { code: 24, meaning: 'The configuration file could not be written, or the options of `-init` contradict each other.' },
  { code: 25, meaning: 'A profile or trace file could not be created.' },
  { code: 26, meaning: '`-fsck` found something.' },
  {
    code: 27,
    meaning: 'The configuration file was read and is not acceptable: another format version, an unknown flag, a forbidden combination.',
  },
  { code: 29, meaning: '`-exclude` without `-reverse`, or `-exclude-from` cannot be read.' },
  { code: 30, meaning: '`/dev/null` could not be opened.' },
  { code: 31, meaning: 'The FIDO2 token or its program failed.' },
  { code: 32, meaning: 'The cipher is not available in this program.' },
];
