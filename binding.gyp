{
  'includes': ['native/crypto/sources.gypi'],
  'targets': [
    {
      'target_name': 'aegisfs',
      'sources': [
        'native/addon.c',
        'native/sys/allocate.c',
        'native/sys/args.c',
        'native/sys/at.c',
        'native/sys/files.c',
        'native/sys/identity.c',
        'native/sys/log.c',
        'native/sys/module.c',
        'native/sys/mounts.c',
        'native/sys/process.c',
        'native/sys/stat.c',
        'native/sys/tty.c',
        'native/sys/xattr.c',
        '<@(crypto_sources)',
      ],
      'include_dirs': ['native'],
      'cflags': ['-std=c11', '-O3', '-Wall', '-Wextra', '-Wno-unused-parameter', '-fvisibility=hidden'],
      'defines': ['_GNU_SOURCE', 'NAPI_VERSION=8'],
      'ldflags': ['-Wl,-z,relro', '-Wl,-z,now'],
    },
  ],
}
