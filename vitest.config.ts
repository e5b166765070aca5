import { defineConfig } from 'vitest/config';

/**
 * Two projects: `unit` (beside the sources, in parallel) and `mount` (everything below tests/: real mounts, other programs, other users;
 * one file after the other, because mounts share the machine's FUSE limits and the timing of one would disturb the next).
 */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], pool: 'forks', testTimeout: 60_000 } },
      {
        test: {
          name: 'mount',
          include: ['tests/**/*.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
