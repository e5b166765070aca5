/** -cpuprofile, -memprofile and -trace (behaviour.md 1.5 step 15), with the profilers of the runtime. */
import fs from 'node:fs';
import { fsPath } from '../base/byte-text.ts';
import { AegisError } from '../base/errors.ts';
import { errnoText } from '../operations/errno-text.ts';
import type { ProfileFiles } from '../operations/profile/thread-profile.ts';
import type { FlagValues } from './flags.ts';
import type { Output } from './output.ts';
import { absolutePath } from './raw-words.ts';

const REFRESH_MS = 60_000;

/** Profiles that are being made. */
export interface Profiling {
  /** For further threads. */
  readonly files: ProfileFiles;
  /** Writes the files. */
  stop(): Promise<void>;
}

/** Creates the files that are asked for and starts measuring. @throws AegisError `profiler` */
export async function startProfiling(values: FlagValues, output: Output): Promise<Profiling> {
  const { cpuprofile, memprofile, trace } = values;
  const files = {
    cpu: create(cpuprofile, `Writing CPU profile to ${cpuprofile}`, output),
    memory: create(memprofile, `Will write memory profile to "${memprofile}"`, output),
  };
  const traceFile = create(trace, `Writing execution trace to ${trace}`, output);
  const steps: (() => void | Promise<void>)[] = [];
  if (files.cpu !== '' || files.memory !== '') {
    const { ThreadProfile } = await import('../operations/profile/thread-profile.ts');
    const profile = new ThreadProfile(files);
    const timer = setInterval(() => profile.saveMemory(), REFRESH_MS).unref();
    steps.push(() => {
      clearInterval(timer);
      profile.stop();
    });
  }
  if (traceFile !== '') {
    const { ExecutionTrace } = await import('../operations/profile/trace.ts');
    const tracing = new ExecutionTrace(traceFile);
    steps.push(() => tracing.stop());
  }
  if (steps.length > 0) {
    output.log.info('Note: You must unmount gracefully, otherwise the profile file(s) will stay empty!');
  }
  return {
    files,
    async stop() {
      for (const step of steps) {
        await step();
      }
    },
  };
}

/** @returns the absolute path, since a daemon leaves its working directory; empty if there is nothing to do */
function create(file: string, note: string, output: Output): string {
  if (file === '') {
    return '';
  }
  output.log.info(note);
  try {
    fs.writeFileSync(fsPath(file), '');
  } catch (error) {
    throw new AegisError('profiler', `open ${file}: ${errnoText(error)}`);
  }
  return absolutePath(file);
}
