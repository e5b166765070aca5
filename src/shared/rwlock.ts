/**
 * A readers/writer lock over three words of shared memory.
 *
 * It is a ticket lock: everybody draws a number and is served in that order, neighbouring readers together. A writer that
 * waits therefore stops later readers (writers come first), and readers behind it are served before the writer after them:
 * nobody starves on either side. Source of the idea: the ticket locks of Mellor-Crummey and Scott (1991).
 *
 * The numbers wrap around at 2^32; only equality is ever asked.
 */

/** Words of one lock: the next ticket; the ticket that may enter as a reader; the ticket that may enter as a writer. */
const TICKETS = 0;
const READ_TURN = 1;
const WRITE_TURN = 2;

/** Words of shared memory one lock takes; all must start as 0. */
export const RWLOCK_WORDS = 3;

/** A holder may be inside a system call, so there is little to gain from looking again for long. */
const SPINS = 64;

function awaitTurn(words: Int32Array, turn: number, ticket: number): void {
  for (let spin = 0; spin < SPINS; spin++) {
    if (Atomics.load(words, turn) === ticket) return;
  }
  for (;;) {
    const seen = Atomics.load(words, turn);
    if (seen === ticket) return;
    // A wake-up cannot be missed: our ticket was drawn before `seen` was read, and who changes the turn looks at the tickets afterwards.
    Atomics.wait(words, turn, seen);
  }
}

/** Takes the lock at `index` (first of RWLOCK_WORDS words) together with other readers. Not recursive. */
export function lockShared(words: Int32Array, index: number): void {
  const ticket = Atomics.add(words, index + TICKETS, 1);
  if (Atomics.load(words, index + READ_TURN) !== ticket) awaitTurn(words, index + READ_TURN, ticket);
  // The next in the queue may be a reader too: let it in at once.
  Atomics.add(words, index + READ_TURN, 1);
  if (Atomics.load(words, index + TICKETS) !== ((ticket + 1) | 0)) Atomics.notify(words, index + READ_TURN);
}

/** Ends a `lockShared`. */
export function unlockShared(words: Int32Array, index: number): void {
  const turn = (Atomics.add(words, index + WRITE_TURN, 1) + 1) | 0;
  if (Atomics.load(words, index + TICKETS) !== turn) Atomics.notify(words, index + WRITE_TURN);
}

/** Takes the lock at `index` alone. Not recursive, and no upgrade from `lockShared`. */
export function lockExclusive(words: Int32Array, index: number): void {
  const ticket = Atomics.add(words, index + TICKETS, 1);
  if (Atomics.load(words, index + WRITE_TURN) !== ticket) awaitTurn(words, index + WRITE_TURN, ticket);
}

/** Ends a `lockExclusive`. */
export function unlockExclusive(words: Int32Array, index: number): void {
  Atomics.add(words, index + READ_TURN, 1);
  const turn = (Atomics.add(words, index + WRITE_TURN, 1) + 1) | 0;
  if (Atomics.load(words, index + TICKETS) !== turn) {
    Atomics.notify(words, index + READ_TURN);
    Atomics.notify(words, index + WRITE_TURN);
  }
}

/** One such lock as an object, for structures that own a single lock. */
export class RwLock {
  /** Shared memory needed, bytes. */
  static readonly bytes = RWLOCK_WORDS * 4;

  private readonly words: Int32Array;
  private readonly index: number;

  /** @param index index of the first of RWLOCK_WORDS words in `words` */
  constructor(words: Int32Array, index: number) {
    this.words = words;
    this.index = index;
  }

  /** Takes the lock together with other readers. */
  lockShared(): void {
    lockShared(this.words, this.index);
  }

  /** Ends a `lockShared`. */
  unlockShared(): void {
    unlockShared(this.words, this.index);
  }

  /** Takes the lock alone. */
  lockExclusive(): void {
    lockExclusive(this.words, this.index);
  }

  /** Ends a `lockExclusive`. */
  unlockExclusive(): void {
    unlockExclusive(this.words, this.index);
  }
}
