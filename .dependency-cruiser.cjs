/**
 * The import arrows of docs/architecture.md. Each folder may import what its row names, and nothing else of src/; `why` is the sentence
 * that a violation prints. Unit tests and their fixtures lie beside the sources and may use more (a test of a view makes a vault, say),
 * so they are left out.
 */
const TESTS = '(\\.test|[/-]fixture|/test-[a-z-]+|/(concurrency|locks)-worker)\\.ts$';

const ARROWS = [
  { from: 'base', may: [], why: 'base lies under everything: errors, bytes, log. It must not know what uses it.' },
  { from: 'sys', may: ['native.ts', 'base'], why: 'sys is one call per system call, without policy.' },
  { from: 'crypto', may: ['native.ts', 'base'], why: 'crypto knows keys and bytes, neither files nor formats.' },
  { from: 'vault', may: ['crypto', 'base', 'native.ts'], why: 'vault is the on-disk format as pure functions: no file access, so vectors test it without a disk.' },
  { from: 'shared', may: ['base'], why: 'shared is memory that threads agree on; what it means is decided above.' },
  { from: 'fuse', may: ['sys', 'base', 'native.ts'], why: 'fuse serves any filesystem and knows no vault: it would compile in another project.' },
  { from: 'filesystem', may: ['vault', 'shared', 'sys', 'base', 'native.ts'], why: 'a view of a vault works without FUSE; only the fuse-adapters see FUSE types.' },
  { from: 'operations', may: ['filesystem', 'vault', 'crypto', 'shared', 'sys', 'base', 'native.ts'], why: 'use cases know no command line; only operations/mount serves FUSE.' },
  { from: 'cli', may: ['operations', 'base'], why: 'the command line turns words into options and results into text; the work is done below.' },
];

const FILES_WITH_MORE = { filesystem: '(reverse-)?fuse-adapter\\.ts$', operations: 'mount/' };

function rule({ from, may, why }) {
  const folders = ['base', 'native.ts', 'sys', 'crypto', 'vault', 'shared', 'fuse', 'filesystem', 'operations', 'cli', 'index.ts'];
  const banned = folders.filter((folder) => folder !== from && !may.includes(folder)).map((folder) => folder.replace('.', '\\.'));
  const exception = FILES_WITH_MORE[from];
  const make = (name, path, pathNot, targets) => ({
    name,
    severity: 'error',
    comment: why,
    from: { path, ...(pathNot ? { pathNot } : {}) },
    to: { path: `^src/(${targets.join('|')})(/|$)` },
  });
  if (exception === undefined) return [make(`${from}-imports`, `^src/${from}/`, TESTS, banned)];
  return [
    make(`${from}-imports`, `^src/${from}/`, `${TESTS}|^src/${from}/${exception}`, banned),
    make(`${from}-with-fuse-imports`, `^src/${from}/${exception}`, TESTS, banned.filter((folder) => folder !== 'fuse')),
  ];
}

module.exports = {
  forbidden: [
    ...ARROWS.flatMap(rule),
    {
      name: 'native-imports',
      severity: 'error',
      comment: 'native.ts finds and loads the addon; everything may come after it, nothing before it but base.',
      from: { path: '^src/native\\.ts$' },
      to: { path: '^src/(?!base/)' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'two modules that need each other are one concept in two files, or two that are not yet apart.',
      from: { path: '^src/', pathNot: TESTS },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'vault-is-pure',
      severity: 'error',
      comment: 'the format has no file access and no clock: what it needs comes as arguments.',
      from: { path: '^src/vault/', pathNot: TESTS },
      to: { path: '^(node:)?(fs|child_process|worker_threads|net|timers)(/|$)' },
    },
    {
      name: 'vault-takes-types-of-native-only',
      severity: 'error',
      comment: 'the format names the types of the kernel; which kernel it works with is handed to it.',
      from: { path: '^src/vault/', pathNot: TESTS },
      to: { path: '^src/native\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-promises-on-the-request-path',
      severity: 'error',
      comment: 'a worker never awaits: promises and timers would need the event loop that it does not run.',
      from: { path: '^src/(fuse|filesystem|vault|crypto|sys|shared)/', pathNot: TESTS },
      to: { path: '^(node:)?(fs/promises|timers)(/|$)' },
    },
    {
      name: 'node-crypto-in-crypto-only',
      severity: 'error',
      comment: 'keys are handled in one place: only src/crypto may reach for node:crypto.',
      from: { path: '^src/(?!crypto/)', pathNot: TESTS },
      to: { path: '^(node:)?crypto$', dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.cjs', '.js'] },
  },
};
