/** The terminal. */
import { type NativeSys, native } from '../native.ts';

/** True if the descriptor is a terminal. */
export const isatty: NativeSys['isatty'] = native.sys.isatty;
/** Switches echo and returns the old state (1 on, 0 off); −ENOTTY if it is no terminal. */
export const setEcho: NativeSys['setEcho'] = native.sys.setEcho;
