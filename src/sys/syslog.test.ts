import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { LOG_DEBUG } from './constants.ts';
import { openlog, syslog } from './syslog.ts';

it('openlog tells whether anybody listens, and a message is never refused', () => {
  const answer = openlog('aegisfs-test');
  if (existsSync('/dev/log')) {
    expect([0, -Errno.ECONNREFUSED, -Errno.EACCES]).toContain(answer);
  } else {
    expect(answer).toBe(-Errno.ENOENT);
  }
  expect(syslog(LOG_DEBUG, '%s %n odd \0 bytes')).toBeUndefined();
  expect(syslog(LOG_DEBUG, 'x'.repeat(100_000))).toBeUndefined();
  expect(() => syslog(LOG_DEBUG, 5 as unknown as string)).toThrow(TypeError);
});
