import { describe, expect, it } from 'vitest';
import { RETRY_PAUSES_MS, unmountFuse, unmountWithRetries } from './unmount.ts';

/** Answers of successive tries; the last one is repeated. */
function attempts(answers: (string | null)[]) {
  const log: (string | number)[] = [];
  const result = unmountWithRetries(
    '/m',
    (mountpoint) => {
      log.push(mountpoint);
      return answers.length > 1 ? answers.shift()! : answers[0]!;
    },
    (milliseconds) => log.push(milliseconds),
  );
  return { log, result };
}

describe('unmountWithRetries', () => {
  it('stops at the first success', () => {
    expect(attempts([null])).toEqual({ result: null, log: ['/m'] });
    expect(attempts(['busy', 'busy', null])).toEqual({ result: null, log: ['/m', 5, '/m', 15, '/m'] });
  });

  it('gives up after five tries with the last reason', () => {
    expect(attempts(['a', 'b', 'c', 'd', 'e'])).toEqual({ result: 'e', log: ['/m', 5, '/m', 15, '/m', 35, '/m', 75, '/m', 155] });
  });

  it('each pause doubles the one before and adds five', () => {
    expect(RETRY_PAUSES_MS.slice(1)).toEqual(RETRY_PAUSES_MS.slice(0, -1).map((pause) => 2 * pause + 5));
  });
});

it('unmountFuse names what is no mount point', () => {
  expect(unmountFuse('/nonexistent/folder')).toContain('/nonexistent/folder');
  expect(unmountFuse('/nonexistent/folder', { lazy: true })).toContain('/nonexistent/folder');
});
