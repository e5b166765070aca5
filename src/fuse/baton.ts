/**
 * The baton: which of several workers reads the device. docs/threads.md holds the state machine and the reasons.
 *
 * Everything the workers agree on lies in a SharedArrayBuffer; zeroed memory is a valid start. Two mechanisms:
 * - `state` is one word that says who holds the baton, whether the holder is busy with a request, and with which. The baton changes hands
 *   by one compare-and-exchange on it, and only while a request is in flight, so there is never a second holder.
 * - Who watches and who just waits is decided under a small lock, off the request path.
 */

/** Kinds of calls whose duration is remembered. */
export const SlowCall = { fsync: 0, read: 1, write: 2, other: 3 } as const;
export type SlowCall = (typeof SlowCall)[keyof typeof SlowCall];

/** Most workers that can share one baton. */
export const MAX_WORKERS = 32;

export interface BatonOptions {
  /** Time between two looks of the watcher, milliseconds. */
  readonly tickMs?: number;
  /** Without any request for this long the watcher sleeps until one comes, milliseconds. */
  readonly idleMs?: number;
  /** A kind of call that takes longer than this on average gives the baton away first, milliseconds. */
  readonly slowMs?: number;
  /** No worker is left that could take over. Called once per shortage, in the thread of the worker that notices. */
  readonly onExhausted?: () => void;
}

/** Counters since the start, for tests and reports. */
export interface BatonStats {
  /** Looks of watchers. */
  readonly ticks: number;
  /** Batons taken from a worker whose request lasted too long. */
  readonly takeovers: number;
  /** Batons given away before a slow call. */
  readonly handovers: number;
}

/** Indices into the shared words. `state` and `sleeps` are all that a request touches; they have a cache line of their own. */
const Word = {
  state: 0,
  sleeps: 1,
  lock: 16,
  watcher: 17,
  stopped: 18,
  asked: 19,
  ticks: 20,
  takeovers: 21,
  handovers: 22,
  averages: 24,
  waiting: 32,
  wake: 32 + MAX_WORKERS,
} as const;
/** `wake` is indexed by id, which starts at 1. */
const WORDS = Word.wake + MAX_WORKERS + 1;

// state = serial number of the request << 7 | (index of the holder + 1) << 1 | in flight
const IN_FLIGHT = 1;
const ID_SHIFT = 1;
const ID_MASK = 0x3f;
const NEXT_SERIAL = 1 << 7;

/** One call counts at most this much, so that a single outlier is forgotten after a few calls; microseconds. */
const LONGEST_SAMPLE = 16_000;
/** Weight of a new sample: 1/8. */
const SAMPLE_SHIFT = 3;

/** One worker's end of the baton. */
export class Baton {
  /** Bytes of shared memory needed. */
  static readonly bytes = WORDS * 4;

  private readonly words: Int32Array;
  /** Index of this worker + 1; 0 for an observer. */
  private readonly id: number;
  private readonly tickMs: number;
  private readonly idleTicks: number;
  private readonly slowMicros: number;
  private readonly onExhausted: () => void;
  /** `state` as this worker wrote it last; without meaning while another holds the baton. */
  private mine = 0;
  private callStart = 0;

  /**
   * @param offset of the baton's region in `memory`, bytes, a multiple of 64
   * @param workerIndex 0 to MAX_WORKERS − 1, different for every worker; −1 for a thread that only observes and stops
   */
  constructor(memory: SharedArrayBuffer, offset: number, workerIndex: number, options: BatonOptions = {}) {
    if (workerIndex < -1 || workerIndex >= MAX_WORKERS) throw new RangeError(`worker index ${workerIndex}`);
    this.words = new Int32Array(memory, offset, WORDS);
    this.id = workerIndex + 1;
    this.tickMs = options.tickMs ?? 8;
    this.idleTicks = Math.ceil((options.idleMs ?? 100) / this.tickMs);
    this.slowMicros = (options.slowMs ?? 1) * 1000;
    this.onExhausted = options.onExhausted ?? (() => {});
  }

  /** Joins the stand-bys and sleeps until this worker is the reader ('read'), or the session is over ('stop'). */
  waitForTurn(): 'read' | 'stop' {
    const { words, id } = this;
    this.joinStandbys();
    let seen = 0;
    let quietTicks = 0;
    for (;;) {
      // Read first: every wake-up increments it, so one that comes after this line makes the waits below return at once.
      const wake = Atomics.load(words, Word.wake + id);
      if (Atomics.load(words, Word.stopped) !== 0) return 'stop';
      const state = Atomics.load(words, Word.state);
      const holder = (state >>> ID_SHIFT) & ID_MASK;
      if (holder === id) return this.becomeReader(state, true);
      if (Atomics.load(words, Word.watcher) !== id) {
        Atomics.wait(words, Word.wake + id, wake);
        continue;
      }
      const isLong = state === seen && (state & IN_FLIGHT) !== 0;
      if (holder === 0 || isLong) {
        const taken = this.passed(state, id);
        if (Atomics.compareExchange(words, Word.state, state, taken) === state) {
          if (isLong) Atomics.add(words, Word.takeovers, 1);
          return this.becomeReader(taken, isLong);
        }
        seen = 0;
        continue;
      }
      quietTicks = state === seen ? quietTicks + 1 : 0;
      if (quietTicks >= this.idleTicks) {
        this.sleepUntilRequest(state, wake);
        seen = 0;
        quietTicks = 0;
        continue;
      }
      Atomics.add(words, Word.ticks, 1);
      // Only a full tick proves that a request that is still there has lasted that long.
      seen = Atomics.wait(words, Word.wake + id, wake, this.tickMs) === 'timed-out' ? state : 0;
    }
  }

  /** The reader has a request in its hands: from now on the baton can be taken from it. */
  beginRequest(): void {
    const { words } = this;
    this.mine = (this.mine + NEXT_SERIAL) | IN_FLIGHT;
    Atomics.store(words, Word.state, this.mine);
    if (Atomics.load(words, Word.sleeps) !== 0) this.wakeSleepingWatcher();
  }

  /** The request has been answered. @returns true if this worker may read the next one, false if it lost the baton: go to waitForTurn */
  endRequest(): boolean {
    const { mine } = this;
    const idle = mine & ~IN_FLIGHT;
    this.mine = idle;
    return Atomics.compareExchange(this.words, Word.state, mine, idle) === mine;
  }

  /** Call before a system call of this kind: gives the baton away if such calls have been slow lately. */
  beforeSlowCall(kind: SlowCall): void {
    if (Atomics.load(this.words, Word.averages + kind) >= this.slowMicros) this.handOver();
    this.callStart = performance.now();
  }

  /** Call after it: remembers how long it took. */
  afterSlowCall(kind: SlowCall): void {
    const micros = Math.min((performance.now() - this.callStart) * 1000, LONGEST_SAMPLE);
    const at = Word.averages + kind;
    const average = Atomics.load(this.words, at);
    // Two workers may overwrite each other's sample: it is an estimate.
    Atomics.store(this.words, at, average + ((micros - average) >> SAMPLE_SHIFT));
  }

  /** Gives the baton to the watcher, if this worker holds it for a request and there is a watcher. */
  handOver(): void {
    const { words, mine } = this;
    if ((mine & IN_FLIGHT) === 0) return;
    if (((Atomics.load(words, Word.state) >>> ID_SHIFT) & ID_MASK) !== this.id) return;
    const watcher = Atomics.load(words, Word.watcher);
    if (watcher === 0) {
      this.askForWorker();
      return;
    }
    // A watcher stays watcher until it holds the baton, so if the state is still ours, it still waits.
    if (Atomics.compareExchange(words, Word.state, mine, this.passed(mine, watcher)) === mine) {
      Atomics.add(words, Word.handovers, 1);
      this.wakeUp(watcher);
    }
  }

  /** Ends the session for all: every waiting worker returns 'stop'. From any thread, any number of times. */
  stop(): void {
    Atomics.store(this.words, Word.stopped, 1);
    for (let id = 1; id <= MAX_WORKERS; id++) this.wakeUp(id);
  }

  /** Workers that wait, the watcher included. */
  standbys(): number {
    let count = 0;
    for (let index = 0; index < MAX_WORKERS; index++) count += Atomics.load(this.words, Word.waiting + index);
    return count;
  }

  stats(): BatonStats {
    const { words } = this;
    return {
      ticks: Atomics.load(words, Word.ticks),
      takeovers: Atomics.load(words, Word.takeovers),
      handovers: Atomics.load(words, Word.handovers),
    };
  }

  /** Average duration of a kind of call, microseconds. */
  average(kind: SlowCall): number {
    return Atomics.load(this.words, Word.averages + kind);
  }

  /** `state` after the baton went to `id`: nothing in flight. */
  private passed(state: number, id: number): number {
    return (state & ~(ID_MASK << ID_SHIFT) & ~IN_FLIGHT) | (id << ID_SHIFT);
  }

  private joinStandbys(): void {
    const { words, id } = this;
    this.acquire();
    Atomics.store(words, Word.waiting + id - 1, 1);
    if (Atomics.load(words, Word.watcher) === 0) Atomics.store(words, Word.watcher, id);
    Atomics.store(words, Word.asked, 0);
    this.release();
  }

  /** This worker holds the baton: it leaves the stand-bys and appoints the next watcher, the lowest index, whose code is warmest. */
  private becomeReader(state: number, isReplacement: boolean): 'read' {
    const { words, id } = this;
    this.mine = state;
    let next = 0;
    this.acquire();
    Atomics.store(words, Word.waiting + id - 1, 0);
    for (let index = 0; index < MAX_WORKERS && next === 0; index++) {
      if (Atomics.load(words, Word.waiting + index) !== 0) next = index + 1;
    }
    Atomics.store(words, Word.watcher, next);
    this.release();
    if (next !== 0) this.wakeUp(next);
    else if (isReplacement) this.askForWorker();
    return 'read';
  }

  /** Sleeps without time-out if `state` still stands; beginRequest sees `sleeps` and ends the sleep. */
  private sleepUntilRequest(state: number, wake: number): void {
    const { words } = this;
    Atomics.store(words, Word.sleeps, 1);
    // Either this load sees the request that is just beginning, or its worker sees `sleeps`: both are sequentially consistent.
    if (Atomics.load(words, Word.state) === state) Atomics.wait(words, Word.wake + this.id, wake);
    Atomics.store(words, Word.sleeps, 0);
  }

  private wakeSleepingWatcher(): void {
    if (Atomics.exchange(this.words, Word.sleeps, 0) === 0) return;
    const watcher = Atomics.load(this.words, Word.watcher);
    if (watcher !== 0) this.wakeUp(watcher);
  }

  private wakeUp(id: number): void {
    Atomics.add(this.words, Word.wake + id, 1);
    Atomics.notify(this.words, Word.wake + id, 1);
  }

  private askForWorker(): void {
    if (Atomics.compareExchange(this.words, Word.asked, 0, 1) === 0) this.onExhausted();
  }

  // A lock of three states: 0 free, 1 taken, 2 taken and somebody may wait for it.
  private acquire(): void {
    const { words } = this;
    if (Atomics.compareExchange(words, Word.lock, 0, 1) === 0) return;
    while (Atomics.exchange(words, Word.lock, 2) !== 0) Atomics.wait(words, Word.lock, 2);
  }

  private release(): void {
    if (Atomics.exchange(this.words, Word.lock, 0) === 2) Atomics.notify(this.words, Word.lock, 1);
  }
}
