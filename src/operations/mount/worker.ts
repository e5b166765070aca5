/** Entry of a worker thread: waits for the command, then serves requests until the filesystem is unmounted. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SlowCalls } from '../../filesystem/forward/slow-calls.ts';
import { createForwardOperations } from '../../filesystem/fuse-adapter.ts';
import { createReverseOperations } from '../../filesystem/reverse-fuse-adapter.ts';
import { Baton, type DebugSink, serveWorker } from '../../fuse/index.ts';
import type { Operations } from '../../fuse/operations.ts';
import { layoutOf } from '../../shared/layout.ts';
import type { ServeCommand, WorkerReport, WorkerStart } from './messages.ts';
import { batonSlowCalls } from './slow-calls.ts';
import { createThreadReporter, writeText } from './thread-reporter.ts';

const port = parentPort;
if (port === null) {
  throw new Error('this file is the entry of a worker thread');
}
const { control } = workerData as WorkerStart;
const log = createThreadReporter(control);

function tell(report: WorkerReport): void {
  port?.postMessage(report);
}

function createOperations({ parameters, view, shared }: ServeCommand, slowCalls: SlowCalls): Operations {
  if (view.kind === 'reverse') {
    return createReverseOperations({ parameters, options: view.options, shared, log }, slowCalls);
  }
  return createForwardOperations({ parameters, options: view.options, shared, log }, slowCalls);
}

function serve(command: ServeCommand): number {
  const { fd, negotiated, index, shared } = command;
  const baton = new Baton(shared, layoutOf(shared).batonOffset, index, { onExhausted: () => tell({ kind: 'exhausted' }) });
  const operations = createOperations(command, batonSlowCalls(baton));
  const debug: DebugSink | null = command.fuseDebug ? (line) => writeText(2, `${line}\n`) : null;
  tell({ kind: 'ready' });
  return serveWorker({ fd, operations, negotiated, baton, log, debug });
}

/** The profilers are loaded only if they are wanted. */
async function serveMeasured(command: ServeCommand): Promise<number> {
  const { profileFiles, index } = command;
  if (profileFiles.cpu === '' && profileFiles.memory === '') {
    return serve(command);
  }
  const { filesOfWorker, ThreadProfile } = await import('../profile/thread-profile.ts');
  const profile = new ThreadProfile(filesOfWorker(profileFiles, index));
  const result = serve(command);
  profile.stop();
  return result;
}

port.once('message', async (command: ServeCommand) => {
  tell({ kind: 'ended', result: await serveMeasured(command) });
});
