/** The server side of the control socket (behaviour.md 8). */
import type net from 'node:net';
import type { Logger } from '../../base/log.ts';
import { errnoText } from '../errno-text.ts';
import { answerRequest } from './answer.ts';
import { listenAt } from './listen.ts';
import { formatResponse, MAX_REQUEST_LEN } from './protocol.ts';
import type { PathTranslator } from './translator.ts';

/**
 * Exists before the vault is unlocked, so that a path that cannot be used is told before a password is asked for. Connections made until
 * `serve` wait. What one read returns is one request; requests of one connection are answered in order.
 */
export class ControlSocket {
  readonly #server: net.Server;
  readonly #log: Logger;
  readonly #connections = new Set<net.Socket>();
  #translator: PathTranslator | undefined;

  private constructor(server: net.Server, log: Logger) {
    this.#server = server;
    this.#log = log;
    server.on('connection', (connection) => this.#accept(connection));
    server.on('error', (error) => log.info(`ctlsock: Accept error: ${errnoText(error)}`));
  }

  /** Makes the socket file. @param file absolute path @throws AegisError `ctlsock` */
  static async open(file: string, log: Logger): Promise<ControlSocket> {
    return new ControlSocket(await listenAt(file, log), log);
  }

  /** Answers from now on, also those who have connected already. */
  serve(translator: PathTranslator): void {
    this.#translator = translator;
    for (const connection of this.#connections) {
      this.#start(connection, translator);
    }
  }

  /** Drops all connections and removes the socket file, at once. */
  close(): void {
    for (const connection of this.#connections) {
      connection.destroy();
    }
    this.#server.close();
  }

  #accept(connection: net.Socket): void {
    this.#connections.add(connection);
    connection.on('close', () => this.#connections.delete(connection));
    connection.on('error', (error) => this.#log.warn(`ctlsock: connection broke: ${errnoText(error)}`));
    if (this.#translator !== undefined) {
      this.#start(connection, this.#translator);
    }
  }

  #start(connection: net.Socket, translator: PathTranslator): void {
    // A client that does not read its answers is not read from either, so it cannot fill the memory.
    connection.on('drain', () => connection.resume());
    connection.on('data', (chunk) => {
      if (chunk.length > MAX_REQUEST_LEN) {
        this.#log.warn(`ctlsock: request too big (max = ${MAX_REQUEST_LEN} bytes)`);
        connection.destroy();
      } else if (!connection.write(formatResponse(answerRequest(chunk, translator, this.#log)))) {
        connection.pause();
      }
    });
    connection.resume();
  }
}
