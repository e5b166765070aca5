/** From one request to its response (behaviour.md 8.2). */
import type { Logger } from '../../base/log.ts';
import { canonicalPath } from './canonical-path.ts';
import { type ControlResponse, parseRequest } from './protocol.ts';
import { NO_ERRNO, type PathTranslator } from './translator.ts';

/** Answers one request; never throws, whatever the bytes are. */
export function answerRequest(bytes: Uint8Array, translator: PathTranslator, log: Logger): ControlResponse {
  const request = parseRequest(bytes);
  if (typeof request === 'string') {
    const text = `JSON Unmarshal error: ${request}`;
    log.warn(`ctlsock: ${printable(text)}`);
    return failure(NO_ERRNO, text, '');
  }
  const { encryptPath, decryptPath } = request;
  if (encryptPath !== '' && decryptPath !== '') {
    return failure(NO_ERRNO, 'Ambiguous', '');
  }
  const input = encryptPath === '' ? decryptPath : encryptPath;
  if (input === '') {
    return failure(NO_ERRNO, 'empty input', '');
  }
  const path = canonicalPath(input);
  const warning = path === input ? '' : `Non-canonical input path '${input}' has been interpreted as '${path}'.`;
  if (path === '') {
    return failure(NO_ERRNO, 'empty input after canonicalization', warning);
  }
  const bytesOfPath = Buffer.from(path);
  const translated = encryptPath === '' ? translator.decryptPath(bytesOfPath) : translator.encryptPath(bytesOfPath);
  if ('path' in translated) {
    return { result: Buffer.from(translated.path).toString('utf8'), errno: 0, errText: '', warnText: warning };
  }
  return failure(translated.errno, translated.text, warning);
}

function failure(errno: number, errText: string, warnText: string): ControlResponse {
  return { result: '', errno, errText, warnText };
}

/** Parser messages repeat parts of the request, which must not break a log line or steer a terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
