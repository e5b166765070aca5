/** Translating a stream of paths through the control socket of a mount (behaviour.md 10.1). */
import { ControlClient } from '../control-socket/client.ts';
import { splitItems } from './split-items.ts';

/** What to translate, and where. */
export interface TranslateOptions {
  readonly socket: string;
  readonly direction: 'encrypt' | 'decrypt';
  /** Byte that ends an item. */
  readonly separator: number;
}

/** Takes results, in the order of the input. `line` counts items from 1. */
export interface TranslateEvents {
  translated(path: string): void;
  failed(line: number, item: string, errno: number, text: string): void;
  warning(line: number, item: string, text: string): void;
}

/** Sends one request per item and waits for each answer. @returns false if an item failed @throws AegisError `ctlsock` */
export async function translatePaths(
  options: TranslateOptions,
  input: AsyncIterable<Uint8Array>,
  events: TranslateEvents,
): Promise<boolean> {
  const client = await ControlClient.connect(options.socket);
  let line = 0;
  let isGood = true;
  try {
    for await (const bytes of splitItems(input, options.separator)) {
      line += 1;
      const item = Buffer.from(bytes).toString('utf8');
      const isEncrypt = options.direction === 'encrypt';
      const response = await client.ask({ encryptPath: isEncrypt ? item : '', decryptPath: isEncrypt ? '' : item });
      if (response.errno !== 0) {
        events.failed(line, item, response.errno, response.errText);
        isGood = false;
        continue;
      }
      if (response.warnText !== '') {
        events.warning(line, item, response.warnText);
      }
      events.translated(response.result);
    }
  } finally {
    client.close();
  }
  return isGood;
}
