/** Letting go of the terminal once the mount works (behaviour.md 5.4, the steps marked with a star). */
import fs from 'node:fs';
import { errnoName } from '../../base/errno.ts';
import { ReportFlag } from '../../base/reporter.ts';
import { close, dup2 } from '../../sys/files.ts';
import { kill, setsid } from '../../sys/process.ts';
import { openlog } from '../../sys/syslog.ts';
import type { MountHost, MountOptions } from './options.ts';

const SIGUSR1 = 10;
const STANDARD_DESCRIPTORS = [0, 1, 2] as const;

/** Detaches, and tells the waiting process that the mount is there. */
export function detach(options: MountOptions, host: MountHost): void {
  const { log } = host;
  process.chdir('/');
  const session = setsid();
  if (session < 0) {
    log.warn(`Setsid: ${errnoName(session)}`);
  }
  if (!options.noSyslog) {
    switchToSyslog(options.program, host);
  }
  const sent = kill(options.notifyPid, SIGUSR1);
  if (sent < 0) {
    log.warn(`sendUsr1: Signal: ${errnoName(sent)}`);
  }
}

/** Without a system log the messages of the daemon are lost: whoever waits for the end of its output must not wait for ever. */
function switchToSyslog(program: string, host: MountHost): void {
  const connected = openlog(program);
  if (connected < 0) {
    host.log.warn(`SwitchToSyslog: /dev/log: ${errnoName(connected)}; messages of the running mount will be lost`);
  } else {
    Atomics.or(host.control, 0, ReportFlag.Syslog);
  }
  const devNull = fs.openSync('/dev/null', 'r+');
  for (const fd of STANDARD_DESCRIPTORS) {
    const result = dup2(devNull, fd);
    if (result < 0) {
      host.log.warn(`redirecting descriptor ${fd}: ${errnoName(result)}`);
    }
  }
  if (devNull > 2) {
    close(devNull);
  }
}
