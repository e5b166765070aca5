import { describe, expect, it } from 'vitest';
import { createReporter, REPORT_CONTROL_BYTES, type Reporter, ReportFlag } from './reporter.ts';

function setUp(flags: number): { log: Reporter; lines: string[] } {
  const control = new Int32Array(new SharedArrayBuffer(REPORT_CONTROL_BYTES));
  control[0] = flags;
  const lines: string[] = [];
  const log = createReporter(control, {
    write: (fd, text) => lines.push(`${fd}:${text}`),
    syslog: (priority, message) => lines.push(`syslog ${priority}:${message}`),
    panic: () => lines.push('panic'),
  });
  return { log, lines };
}

function sayAll(log: Reporter): void {
  log.debug('d');
  log.info('i', 'good');
  log.warn('w');
  log.fatal('f');
}

describe('createReporter (behaviour.md 5.6)', () => {
  it('sends each level to its stream', () => {
    const { log, lines } = setUp(0);
    sayAll(log);
    expect(lines).toEqual(['1:i\n', '2:w\n', '2:f\n']);
  });
  it('adds debug with -d and drops info with -q', () => {
    const { log, lines } = setUp(ReportFlag.Debug | ReportFlag.Quiet);
    sayAll(log);
    expect(lines).toEqual(['1:d\n', '2:w\n', '2:f\n']);
  });
  it('colours on a terminal', () => {
    const { log, lines } = setUp(ReportFlag.Colour);
    sayAll(log);
    log.info('plain');
    log.info('grey', 'aside');
    log.info('yellow', 'caution');
    expect(lines).toEqual([
      '1:\u001b[32mi\u001b[0m\n',
      '2:\u001b[33mw\u001b[0m\n',
      '2:\u001b[31mf\u001b[0m\n',
      '1:plain\n',
      '1:\u001b[2mgrey\u001b[0m\n',
      '1:\u001b[33myellow\u001b[0m\n',
    ]);
  });
  it('turns to syslog with the priorities of syslog(3), without colour', () => {
    const { log, lines } = setUp(ReportFlag.Syslog | ReportFlag.Debug | ReportFlag.Colour);
    sayAll(log);
    expect(lines).toEqual(['syslog 7:d', 'syslog 6:i', 'syslog 4:w', 'syslog 2:f']);
  });
  it('ends the process after a warning under -wpanic, and only then', () => {
    const { log, lines } = setUp(ReportFlag.WarningsAreFatal);
    log.info('i');
    log.fatal('f');
    expect(lines).not.toContain('panic');
    log.warn('w');
    expect(lines.slice(2)).toEqual(['2:w\n', '2:-wpanic turns this warning into a panic: w\n', 'panic']);
  });
});
