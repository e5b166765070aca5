/** Requests about the session rather than a file. */
import { BatchForgetIn, ForgetIn } from '../abi/structs.ts';
import { u32, u64, u64At } from '../decode.ts';
import type { Frame } from '../frame.ts';
import type { Operations } from '../operations.ts';
import { BODY, MALFORMED } from './handler.ts';

/** FORGET: fuse_forget_in, no reply. */
export function forget(frame: Frame, operations: Operations): number {
  const count = u64(frame, ForgetIn.nlookup);
  if (count < 0) return MALFORMED;
  operations.forget(frame.request.node, count);
  return 0;
}

/** BATCH_FORGET: fuse_batch_forget_in, fuse_forget_one repeated; no reply. */
export function batchForget(frame: Frame, operations: Operations): number {
  const count = u32(frame, BatchForgetIn.count);
  const first = BODY + BatchForgetIn.entries;
  if (count * BatchForgetIn.entrySize > frame.inLen - first) return MALFORMED;
  const words = frame.in32;
  for (let i = 0; i < count; i++) {
    const at = (first + i * BatchForgetIn.entrySize) >>> 2;
    const node = u64At(words, at);
    const lookups = u64At(words, at + (BatchForgetIn.entryNlookup >>> 2));
    if (node >= 0 && lookups >= 0) operations.forget(node, lookups);
  }
  return 0;
}

/** A request cannot be taken back half-way here; the interrupted one gets its ordinary reply, which is all the kernel needs. */
export function interrupt(): number {
  return 0;
}

/** The end of the session shows as ENODEV on the device (loop.ts), where every worker meets it after its last request. */
export function destroy(): number {
  return 0;
}
