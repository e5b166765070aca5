/** Making the socket file (behaviour.md 8.1). */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { AegisError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { errnoText } from '../errno-text.ts';

/** Longest path of a socket, bytes (sun_path in linux/un.h, less the NUL). The runtime cuts longer ones silently. */
const MAX_SOCKET_PATH = 107;

/**
 * Starts listening, in place of a socket file that nobody listens on any more, if need be. Connections come paused.
 * @param file absolute path
 * @throws AegisError `ctlsock`
 */
export async function listenAt(file: string, log: Logger): Promise<net.Server> {
  if (Buffer.byteLength(file) > MAX_SOCKET_PATH) {
    throw listenError(file, 'invalid argument');
  }
  try {
    return await tryListen(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || !(await isOrphaned(file))) {
      throw listenError(file, bindProblem(file, error));
    }
  }
  log.info(`ctlsock: deleting orphaned socket file "${file}"`);
  try {
    fs.unlinkSync(file);
    return await tryListen(file);
  } catch (error) {
    throw listenError(file, errnoText(error));
  }
}

function listenError(file: string, detail: string): AegisError {
  return new AegisError('ctlsock', `ctlsock: listen unix ${file}: bind: ${detail}`);
}

/** The runtime reports a missing folder as EACCES. */
function bindProblem(file: string, error: unknown): string {
  const isFolderMissing = (error as NodeJS.ErrnoException).code === 'EACCES' && !fs.existsSync(path.dirname(file));
  return errnoText(isFolderMissing ? { code: 'ENOENT' } : error);
}

function tryListen(file: string): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer({ pauseOnConnect: true });
    server.once('error', reject);
    server.listen(file, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** True for a socket file whose owner is gone; a server that still listens is not disturbed beyond one connection. */
function isOrphaned(file: string): Promise<boolean> {
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isSocket()) {
    return Promise.resolve(false);
  }
  return new Promise((resolve) => {
    const probe = net.connect(file);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
