/**
 * What the manual says about each option beyond the line that -hh prints: its section, the name of its value, and how it behaves. The manual
 * page and the shell completions are made from this and from the table in flags.ts (`node scripts/man.mjs`); the program does not load it.
 * Markup in the texts: `bold` for what is typed, *italic* for what stands for something else. Source: behaviour.md 1.6.
 */
import type { FlagName } from './flags.ts';
import type { ToolCall } from './tools.ts';

/** What an option's value is, for completion. */
export type ValueSource = 'file' | 'directory' | 'free';

/** One option in the manual. */
export interface FlagReference {
  /** Name of the value, in capitals; needed for every option that takes one. */
  readonly argument?: string;
  /** Where values come from; free text if not said. */
  readonly values?: ValueSource | readonly string[];
  /** Follows the one-line help. */
  readonly detail?: string;
}

/** A group of options in the manual. */
export interface FlagSection {
  readonly title: string;
  readonly intro?: string;
  readonly flags: Partial<Record<FlagName, FlagReference>>;
  /** Options without effect, kept for old scripts: completion does not offer them. */
  readonly isObsolete?: true;
}

const FILE = { argument: 'FILE', values: 'file' } as const;
const GCM_READABLE = 'gocryptfs can open such a vault.';

/** All options, each in exactly one section, in the order of the manual. */
export const FLAG_SECTIONS: readonly FlagSection[] = [
  {
    title: 'What to do',
    intro: 'Without one of these options, *CIPHERDIR* is mounted on *MOUNTPOINT*.',
    flags: {
      init: {
        detail:
          'The folder must be empty, except with `-reverse`. Asks for a password and shows the *master key* once, if the output is a terminal: ' +
          'note it down, it opens the vault when the password or `gocryptfs.conf` is lost.',
      },
      passwd: {
        detail:
          'Asks for the old and the new password. `-extpass` and `-passfile` give the old one only. With `-masterkey` the old password is ' +
          'not needed; the old configuration file is then kept with the ending `.bak`.',
      },
      fsck: {
        detail:
          'Reads everything and reports each damaged file, name, link and attribute. Changes nothing. Exit status 26 if something is wrong.',
      },
      info: { detail: 'Shows the configuration file without asking for a password.' },
      speed: {
        detail: 'One row per cipher and set of processor instructions, in 10^6 bytes per second of encryption in blocks of 4096 bytes.',
      },
      version: { detail: 'Three fields, separated by semicolons: program and release; FUSE layer; date, runtime and platform.' },
      hh: { detail: 'The list of options goes to standard error.' },
    },
  },
  {
    title: 'Properties of a vault',
    intro:
      'These are chosen with `-init` and are kept in the configuration file; later the file decides and the options are ignored. Only with ' +
      '`-masterkey` and `-zerokey`, which do not read the file, they must be repeated. Without a cipher option contents are encrypted with AES-256-GCM.',
    flags: {
      aegis: {
        detail:
          'The fastest cipher on processors with AES instructions. 128-bit key. Released versions of gocryptfs cannot open such a vault.',
      },
      aegis256x2: { detail: 'AEGIS with a 256-bit key and a 256-bit nonce. Released versions of gocryptfs cannot open such a vault.' },
      aessiv: { detail: `Keeps its secrets even if a nonce is repeated, and is always used with \`-reverse\`. ${GCM_READABLE}` },
      xchacha: { detail: `The fastest choice on processors without AES instructions. ${GCM_READABLE}` },
      plaintextnames: { detail: 'Only contents are encrypted. The file name `gocryptfs.conf` in the root of the mount is then reserved.' },
      'deterministic-names': { detail: 'Folders can then be merged and compared without the password, but equal names show.' },
      longnamemax: {
        argument: 'N',
        detail: '62 to 255. A lower limit helps with storage that cannot take names of 255 bytes. The full name lies in a file of its own.',
      },
      longnames: { detail: '`-longnames=false` stores no hashes and finds none.' },
      raw64: { detail: '`-raw64=false` for vaults whose `-info` does not show the flag Raw64.' },
      hkdf: { detail: '`-hkdf=false` for vaults whose `-info` does not show the flag HKDF.' },
      scryptn: {
        argument: 'N',
        detail:
          'Each step doubles time and memory; 16 takes 64 MiB. For `-init` and `-passwd`; without it, `-passwd` keeps the value of the vault.',
      },
      reverse: {
        detail:
          '*CIPHERDIR* then is the plain folder and *MOUNTPOINT* shows it encrypted, read-only, and the same at every mount: for encrypted ' +
          'backups of plain files. Always uses AES-SIV. Must be given to `-init`, `-passwd`, `-info` and when mounting.',
      },
      config: { ...FILE, detail: 'May be a pipe: it is read once, from front to back.' },
    },
  },
  {
    title: 'Password and keys',
    intro:
      'Without these options the password is asked for on the terminal, or read from standard input up to the first line feed if that is not ' +
      'a terminal. A password has 1 to 2048 bytes.',
    flags: {
      extpass: {
        argument: 'PROGRAM',
        detail:
          'The first line it prints is the password. Given once, the text is split at blanks; given several times, each is one word, unchanged ' +
          '(`-extpass secret-tool -extpass lookup …`). No shell is involved.',
      },
      passfile: { ...FILE, detail: 'Its first line counts. Given several times, the first lines are joined.' },
      masterkey: {
        argument: 'HEX',
        values: ['stdin'],
        detail: 'Dashes are ignored. With `stdin` the key is asked for and does not show in the list of processes.',
      },
      zerokey: {},
      fido2: {
        argument: 'DEVICE',
        values: 'file',
        detail: 'Takes the place of the password; needs the programs `fido2-cred` and `fido2-assert`.',
      },
      'fido2-assert-option': { argument: 'OPTION', detail: 'For `-init`, may be repeated. Example: `pin=true`.' },
    },
  },
  {
    title: 'Mounting',
    flags: {
      fg: { detail: 'Otherwise the program returns once the mount is ready, and messages go to syslog from then on.' },
      nosyslog: {},
      notifypid: { argument: 'PID', detail: 'Also detaches from the terminal, as a background mount does.' },
      nonempty: { detail: 'What lies there is hidden while the mount exists.' },
      allow_other: {
        detail: 'Needs `user_allow_other` in `/etc/fuse.conf` unless root mounts. Mounted by root, new files belong to whoever makes them.',
      },
      force_owner: { argument: 'UID:GID', detail: 'The stored owner is not changed. Implies `-allow_other`.' },
      acl: { detail: 'Without it ACLs are stored and copied, but not obeyed.' },
      noxattr: { detail: 'Reading finds none, setting is refused.' },
      ro: { detail: 'Wins over `-rw`.' },
      rw: { detail: 'The default. Given explicitly, a vault on a read-only filesystem is refused instead of mounted read-only.' },
      dev: { detail: 'For root only. Loses against `-nodev`.' },
      nodev: { detail: 'The default.' },
      suid: { detail: 'For root only. Loses against `-nosuid`.' },
      nosuid: { detail: 'The default.' },
      exec: { detail: 'The default. Loses against `-noexec`.' },
      noexec: {},
      ko: { argument: 'LIST' },
      fsname: { argument: 'NAME', detail: 'Otherwise the path of *CIPHERDIR*. A comma becomes an underscore.' },
      context: { argument: 'CONTEXT' },
      kernel_cache: { detail: 'Only for vaults that nothing else changes.' },
      sharedstorage: {
        detail:
          'For vaults that several machines or mounts use: nothing is cached, and names of one file (hard links) are not known as such.',
      },
      serialize_reads: { detail: 'May help if the vault lies on storage that is slow when read out of order.' },
      noprealloc: { detail: 'Faster on some storage; a full disk is then noticed while a block is written.' },
      idle: {
        argument: 'TIME',
        detail: 'Examples: `20m`, `1h30m`. 0 means never. An open file or a program that works there counts as use. Not with `-reverse`.',
      },
      badname: {
        argument: 'PATTERN',
        detail:
          'Compared with the encrypted name; may be repeated. Such names get the ending ` GOCRYPTFS_BAD_NAME` and can be renamed or removed.',
      },
      ctlsock: { argument: 'SOCKET', values: 'file', detail: 'Programs can ask there which encrypted path belongs to which plain one.' },
    },
  },
  {
    title: 'Reverse mode',
    intro: 'Excluded files do not show in the encrypted view. All three options may be repeated. The last pattern that matches decides.',
    flags: {
      exclude: {
        argument: 'PATH',
        detail: 'Relative to *CIPHERDIR*, without slash in front. Characters that mean something in patterns do so here too.',
      },
      'exclude-wildcard': {
        argument: 'PATTERN',
        detail:
          'Similar to a line of `.gitignore`; `!` in front shows again what an earlier one hid. Unlike there, `dir/name` matches at any depth, ' +
          '`dir/` hides only what is below, `?` is a question mark, and `( ) | + { } [ ] ^ $` are operators of regular expressions.',
      },
      'exclude-from': { ...FILE, detail: 'One pattern a line, as for `-exclude-wildcard`; lines that begin with `#` are comments.' },
      'one-file-system': {},
    },
  },
  {
    title: 'Messages',
    flags: {
      quiet: {},
      debug: {},
      fusedebug: {},
      wpanic: { detail: 'For tests.' },
      cpuprofile: {
        ...FILE,
        detail:
          'Format `.cpuprofile`, for the developer tools of Chromium. Written at the end; the threads that serve a mount write theirs beside it, with the ending `.workerN`.',
      },
      memprofile: {
        ...FILE,
        detail: 'Format `.heapprofile`; written every minute and at the end, by threads of a mount as with `-cpuprofile`.',
      },
      trace: { ...FILE, detail: 'Trace events as JSON, for Perfetto. Written at the end.' },
    },
  },
  {
    title: 'Without effect',
    isObsolete: true,
    flags: {
      openssl: { argument: 'WHEN', values: ['auto', 'true', 'false'] },
      nofail: {},
      devrandom: {},
      forcedecode: {},
    },
  },
];

/** Tools: words of their own, as the first on the line. */
export const TOOL_REFERENCE: Readonly<
  Record<ToolCall['tool'], { readonly synopsis: string; readonly help: string; readonly detail: string }>
> = {
  demo: {
    synopsis: 'demo',
    help: 'Show everything in a temporary folder',
    detail:
      'Makes an AEGIS vault, mounts it, copies real files in, compares them, shows one file as it is seen and as it is stored, measures, and ' +
      'removes everything again.',
  },
  statfs: {
    synopsis: 'statfs PATH',
    help: 'Print the figures of the filesystem that a path lies on',
    detail: 'What statfs(2) says about *PATH*, as JSON.',
  },
  xray: {
    synopsis: 'xray [OPTIONS] FILE',
    help: 'Look into the files of a vault',
    detail: 'Shows header and blocks of a stored file, prints the master key, translates paths. See aegisfs-xray(1).',
  },
};

/** Options that the parser treats by itself and that are not in the table. */
export const SPECIAL_FLAGS = {
  help: { names: ['h', 'help'], help: 'Print a short help', detail: 'Standard output, exit status 0.' },
  list: {
    argument: 'LIST',
    help: 'Options as mount(8) passes them',
    detail: 'Names without dash, separated by commas: `-o ro,idle=20m` is `-ro -idle=20m`. Not looked for if there is a `--` on the line.',
  },
  end: { help: 'End of the options', detail: 'What follows is a path, even if it begins with a dash. Scripts should always write it.' },
} as const;
