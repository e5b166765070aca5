/** A Dispatcher over FakeOperations, with what it logged. */
import { expect } from 'vitest';
import type { Logger } from '../../src/base/log.ts';
import { silentLogger } from '../../src/base/log.ts';
import { Dispatcher } from '../../src/fuse/dispatch.ts';
import { FakeOperations } from './fake-operations.ts';
import type { Header, Part } from './request-builder.ts';
import { buildRequest } from './request-builder.ts';

export class Fixture {
  readonly operations = new FakeOperations();
  readonly warnings: string[] = [];
  readonly debugLines: string[] = [];
  readonly dispatcher: Dispatcher;

  constructor(withDebug = false) {
    const log: Logger = { ...silentLogger, warn: (message) => this.warnings.push(message) };
    this.dispatcher = new Dispatcher(this.operations, log, withDebug ? (line) => this.debugLines.push(line) : null);
  }

  /** Sends one request. @returns the reply, null if none came */
  send(opcode: number, parts: Part[], header?: Header): { error: number; unique: bigint; payload: Buffer } | null {
    const request = buildRequest(opcode, parts, header);
    this.dispatcher.request.set(request);
    // What a longer request left behind must not matter.
    this.dispatcher.request.fill(0xee, request.length, request.length + 64);
    this.dispatcher.reply.fill(0xdd, 0, 4096);
    const length = this.dispatcher.dispatch(request.length);
    if (length === 0) return null;
    const reply = Buffer.from(this.dispatcher.reply.slice(0, length));
    expect(reply.readUInt32LE(0)).toBe(length);
    return { error: reply.readInt32LE(4), unique: reply.readBigUInt64LE(8), payload: reply.subarray(16) };
  }
}
