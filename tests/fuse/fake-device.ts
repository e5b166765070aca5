/**
 * A FUSE device in shared memory, for several worker threads and several clients. Every request is an ACCESS whose mask tells the operation
 * what to do; the device counts readers and answers, so that a second reader or a second answer shows.
 */
import { Errno } from '../../src/base/errno.ts';
import type { Channel } from '../../src/fuse/channel.ts';
import { buildRequest, u32 } from './request-builder.ts';

/** Most requests in the life of one device. */
export const MAX_REQUESTS = 1 << 16;

const Word = { offered: 0, taken: 1, closed: 2, readers: 3, violations: 4, answered: 5, masks: 16, answers: 16 + MAX_REQUESTS } as const;

export class FakeDevice implements Channel {
  static readonly bytes = (16 + 2 * MAX_REQUESTS) * 4;
  private readonly words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
  }

  /** Client side: puts a request into the queue. @returns its number */
  offer(mask: number): number {
    // Clients in several threads: the slot is taken first and filled before it counts as offered.
    for (;;) {
      const number = Atomics.load(this.words, Word.offered);
      if (Atomics.compareExchange(this.words, Word.masks + number, 0, mask + 1) !== 0) continue;
      Atomics.add(this.words, Word.offered, 1);
      Atomics.notify(this.words, Word.offered);
      return number;
    }
  }

  /** Client side: waits for the answer to a request. @returns false after `timeoutMs` */
  waitForAnswer(number: number, timeoutMs = Number.POSITIVE_INFINITY): boolean {
    const index = Word.answers + number;
    while (Atomics.load(this.words, index) === 0) {
      if (Atomics.wait(this.words, index, 0, timeoutMs) === 'timed-out') return false;
    }
    return true;
  }

  isAnswered(number: number): boolean {
    return Atomics.load(this.words, Word.answers + number) !== 0;
  }

  /** How often a request was answered. */
  answersTo(number: number): number {
    return Atomics.load(this.words, Word.answers + number);
  }

  /** Requests that a worker has read so far. */
  get taken(): number {
    return Atomics.load(this.words, Word.taken);
  }

  get offered(): number {
    return Atomics.load(this.words, Word.offered);
  }

  get answered(): number {
    return Atomics.load(this.words, Word.answered);
  }

  /** How often a second thread was found reading. */
  get violations(): number {
    return Atomics.load(this.words, Word.violations);
  }

  /** The unmount: reads return ENODEV from now on. */
  close(): void {
    Atomics.store(this.words, Word.closed, 1);
    // The reader sleeps on `offered`: changing it is what makes the close visible to one that is about to sleep.
    Atomics.add(this.words, Word.offered, 1);
    Atomics.notify(this.words, Word.offered);
  }

  read(buffer: Uint8Array): number {
    const { words } = this;
    if (Atomics.add(words, Word.readers, 1) !== 0) Atomics.add(words, Word.violations, 1);
    try {
      for (;;) {
        const offered = Atomics.load(words, Word.offered);
        if (Atomics.load(words, Word.closed) !== 0) return -Errno.ENODEV;
        const number = Atomics.load(words, Word.taken);
        if (number < offered) {
          Atomics.add(words, Word.taken, 1);
          const mask = Atomics.load(words, Word.masks + number) - 1;
          const request = buildRequest(34, [u32(mask), u32(0)], { unique: number + 1 });
          buffer.set(request);
          return request.length;
        }
        Atomics.wait(words, Word.offered, offered);
      }
    } finally {
      Atomics.sub(words, Word.readers, 1);
    }
  }

  write(buffer: Uint8Array, _len: number): number {
    const number = new DataView(buffer.buffer, buffer.byteOffset).getUint32(8, true) - 1;
    Atomics.add(this.words, Word.answers + number, 1);
    Atomics.add(this.words, Word.answered, 1);
    Atomics.notify(this.words, Word.answers + number);
    return 0;
  }
}
