/** A FUSE server for Linux: the kernel's protocol on one side, the `Operations` interface on the other. */
export { Fattr, Fopen, Init, WriteFlag } from './abi/flags.ts';
export { Opcode } from './abi/opcodes.ts';
export { MAX_IO } from './abi/structs.ts';
export type { BatonOptions, BatonStats } from './baton.ts';
export { Baton, MAX_WORKERS, SlowCall } from './baton.ts';
export type { Channel } from './channel.ts';
export { deviceChannel } from './channel.ts';
export type { DebugSink } from './debug.ts';
export { Dispatcher } from './dispatch.ts';
export type { HandshakeFailure, HandshakeOptions, Negotiated } from './handshake.ts';
export { handshake } from './handshake.ts';
export type { WorkerOptions } from './loop.ts';
export { serveWorker } from './loop.ts';
export type { AttrOut, DirSink, EntryOut, Name, OpenOut, Operations, Request, SetAttr } from './operations.ts';
export { ROOT_NODE } from './operations.ts';
