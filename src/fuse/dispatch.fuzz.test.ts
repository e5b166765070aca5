import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeOperations } from '../../tests/fuse/fake-operations.ts';
import { buildRequest } from '../../tests/fuse/request-builder.ts';
import { rows } from '../../tests/fuse/request-rows.ts';
import { silentLogger } from '../base/log.ts';
import { Opcode } from './abi/opcodes.ts';
import { Dispatcher } from './dispatch.ts';

/** The kinds that must stay unanswered. */
const SILENT: readonly number[] = [Opcode.FORGET, Opcode.BATCH_FORGET, Opcode.INTERRUPT, Opcode.NOTIFY_REPLY];

/** Keeps to the contract without looking at the arguments, and without remembering them. */
class CarelessOperations extends FakeOperations {
  override calls = { push() {} } as unknown as unknown[][];
}

const dispatcher = new Dispatcher(new CarelessOperations(), silentLogger, () => {});

/** Dispatches bytes and checks what holds for every request: one well-formed reply where one is due, none where not. */
function check(request: Uint8Array): void {
  dispatcher.request.fill(0xee, 0, request.length + 4096);
  dispatcher.request.set(request);
  const length = dispatcher.dispatch(request.length);
  if (request.length < 40) {
    expect(length).toBe(0);
    return;
  }
  const sent = Buffer.from(request);
  const isDue = !SILENT.includes(sent.readUInt32LE(4)) && sent.readBigUInt64LE(8) !== 0n;
  if (!isDue) {
    expect(length).toBe(0);
    return;
  }
  const reply = Buffer.from(dispatcher.reply.subarray(0, 16));
  const error = reply.readInt32LE(4);
  expect(length).toBeGreaterThanOrEqual(16);
  expect(length).toBeLessThanOrEqual(dispatcher.reply.length);
  expect(reply.readUInt32LE(0)).toBe(length);
  expect(reply.readBigUInt64LE(8)).toBe(sent.readBigUInt64LE(8));
  expect(error).toBeLessThanOrEqual(0);
  expect(error).toBeGreaterThan(-512);
  if (error < 0) expect(length).toBe(16);
}

const opcode = fc.oneof(fc.constantFrom(...Object.values(Opcode)), fc.nat(70), fc.nat(0xffffffff));
const header = fc.record({
  unique: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  node: fc.oneof(fc.nat(100), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
});

describe('whatever arrives', () => {
  it('random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), check), { numRuns: 2000 });
  });

  it('a sound header with a random body', () => {
    fc.assert(
      fc.property(opcode, header, fc.uint8Array({ maxLength: 200 }), (code, fields, body) => {
        check(buildRequest(code, [{ bytes: body }], fields));
      }),
      { numRuns: 5000 },
    );
  });

  it('sound requests with some bytes changed', () => {
    const sound = Object.values(rows).map((row) => buildRequest(row.opcode, row.parts));
    const changes = fc.array(fc.tuple(fc.nat(150), fc.constantFrom(0, 1, 0x2f, 0x7f, 0x80, 0xff)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...sound), changes, (request, list) => {
        const changed = Buffer.from(request);
        for (const [at, value] of list) if (at < changed.length) changed[at] = value;
        check(changed);
      }),
      { numRuns: 5000 },
    );
  });
});
