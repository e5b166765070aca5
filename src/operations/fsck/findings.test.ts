import { describe, expect, it } from 'vitest';
import { Errno } from '../../base/errno.ts';
import { Findings } from './findings.ts';

function collect(maySeeAll: boolean): { findings: Findings; lines: string[] } {
  const lines: string[] = [];
  return { findings: new Findings((line) => lines.push(line), maySeeAll), lines };
}

describe('Findings', () => {
  it('prints each finding at once, with the path of the object at hand', () => {
    const { findings, lines } = collect(true);
    expect(findings.quotedPath()).toBe('""');
    findings.path.push('dir', 'a "b"');
    findings.damaged(`corrupt entry in dir ${findings.quotedPath()}`);
    findings.failed('error opening file "x"', -Errno.EIO);
    expect(lines).toEqual([String.raw`fsck: corrupt entry in dir "dir/a \"b\""`, 'fsck: error opening file "x": input/output error']);
    expect(findings).toMatchObject({ corrupt: 2, skipped: 0 });
  });

  it.each([Errno.EACCES, Errno.EPERM])('counts a refusal (errno %i) as skipped, but not for root', (errno) => {
    const user = collect(false);
    user.findings.failed('error opening dir "x"', -errno);
    user.findings.suspect('corrupt entry in dir "": "y"', -errno);
    expect(user.findings).toMatchObject({ corrupt: 0, skipped: 2 });
    const root = collect(true);
    root.findings.failed('error opening dir "x"', -errno);
    expect(root.findings).toMatchObject({ corrupt: 1, skipped: 0 });
    expect(user.lines).toHaveLength(2);
  });
});
