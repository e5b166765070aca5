/** The system log. Source: syslog(3), behaviour.md 5.6. */
import { type NativeSys, native } from '../native.ts';

/** Connects with facility user and the process id in each line; −ENOENT or −ECONNREFUSED if nobody listens. */
export const openlog: NativeSys['openlog'] = native.sys.openlog;
/** Writes one message with a LOG_* priority; failures are silent. */
export const syslog: NativeSys['syslog'] = native.sys.syslog;
