/** The client side of the control socket, for tools that translate paths (behaviour.md 8.2). */
import net from 'node:net';
import { AegisError } from '../../base/errors.ts';
import { errnoText } from '../errno-text.ts';
import { type ControlRequest, type ControlResponse, formatRequest, MAX_REQUEST_LEN, parseResponse } from './protocol.ts';
import { NO_ERRNO } from './translator.ts';

const ANSWER_LIMIT_MS = 10_000;

/** A connection; one question at a time. */
export class ControlClient {
  readonly #socket: net.Socket;
  #received: Buffer[] = [];
  #settle: ((outcome: ControlResponse | AegisError) => void) | undefined;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#end(problem(errnoText(error))));
    socket.on('close', () => this.#end(problem('the server has closed the connection')));
    socket.on('timeout', () => this.#end(problem(`no answer within ${ANSWER_LIMIT_MS / 1000} seconds`)));
  }

  /** Connects. @throws AegisError `ctlsock` */
  static connect(file: string): Promise<ControlClient> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(file);
      const fail = (error: Error): void => reject(problem(`dial unix ${file}: connect: ${errnoText(error)}`));
      socket.once('error', fail);
      socket.once('connect', () => {
        socket.off('error', fail);
        resolve(new ControlClient(socket));
      });
    });
  }

  /** Asks and waits for the answer. @throws AegisError `ctlsock` if the connection is of no use any more */
  async ask(request: ControlRequest): Promise<ControlResponse> {
    const text = formatRequest(request);
    if (Buffer.byteLength(text) > MAX_REQUEST_LEN) {
      // The server would hang up.
      return { result: '', errno: NO_ERRNO, errText: `request too big (max = ${MAX_REQUEST_LEN} bytes)`, warnText: '' };
    }
    const outcome = await new Promise<ControlResponse | AegisError>((resolve) => {
      this.#settle = resolve;
      if (this.#socket.destroyed) {
        this.#end(problem('the connection is closed'));
        return;
      }
      this.#socket.setTimeout(ANSWER_LIMIT_MS);
      this.#socket.write(text);
    });
    this.#socket.setTimeout(0);
    if (outcome instanceof AegisError) {
      throw outcome;
    }
    return outcome;
  }

  /** Ends the connection. */
  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk);
    if (!chunk.includes('\n')) {
      return;
    }
    const line = Buffer.concat(this.#received).toString('utf8');
    this.#received = [];
    this.#end(parseResponse(line) ?? problem('the answer is not one of a control socket'));
  }

  #end(outcome: ControlResponse | AegisError): void {
    this.#settle?.(outcome);
    this.#settle = undefined;
  }
}

function problem(detail: string): AegisError {
  return new AegisError('ctlsock', detail);
}
