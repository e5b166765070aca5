/** Credentials of the calling thread alone. Source: behaviour.md 6.3, credentials(7). */
import { type NativeSys, native } from '../native.ts';

/** Acts as another user from here on; on failure the thread is back to what the process started with. */
export const setThreadCredentials: NativeSys['setThreadCredentials'] = native.sys.setThreadCredentials;
/** Back to the ids and groups the process started with; a failure must end the process. */
export const restoreThreadCredentials: NativeSys['restoreThreadCredentials'] = native.sys.restoreThreadCredentials;
