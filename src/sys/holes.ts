/** File positions and holes. */
import { type NativeSys, native } from '../native.ts';

/** Moves the position or finds data and holes (SEEK_*); −ENXIO behind the last data. */
export const lseek: NativeSys['lseek'] = native.sys.lseek;
