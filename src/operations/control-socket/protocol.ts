/** Requests and responses of the control socket as bytes (behaviour.md 8.2). */

/** Longest request, bytes. */
export const MAX_REQUEST_LEN = 4999;

/** What a client asks for; exactly one of the two is non-empty in a useful request. */
export interface ControlRequest {
  readonly encryptPath: string;
  readonly decryptPath: string;
}

/** What it gets. */
export interface ControlResponse {
  readonly result: string;
  /** 0, a positive errno, or −1 for failures without one. */
  readonly errno: number;
  readonly errText: string;
  readonly warnText: string;
}

const KEYS = new Map<string, keyof ControlRequest>([
  ['encryptpath', 'encryptPath'],
  ['decryptpath', 'decryptPath'],
]);

/** Reads one request; keys count in any case, the last one wins, null leaves a value as it is. @returns what is wrong with it, as text */
export function parseRequest(bytes: Uint8Array): ControlRequest | string {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    return (error as Error).message;
  }
  const request = { encryptPath: '', decryptPath: '' };
  if (value === null) {
    return request;
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    return `a request must be an object, not ${kindOf(value)}`;
  }
  for (const [name, field] of Object.entries(value)) {
    const key = KEYS.get(name.toLowerCase());
    if (key === undefined || field === null) {
      continue;
    }
    if (typeof field !== 'string') {
      return `"${name}" must be a string, not ${kindOf(field)}`;
    }
    request[key] = field;
  }
  return request;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Writes one response: four keys in fixed order and a line feed, with the escapes that clients of gocryptfs have always seen. */
export function formatResponse(response: ControlResponse): string {
  const { result, errno, errText, warnText } = response;
  return `{"Result":${quote(result)},"ErrNo":${errno},"ErrText":${quote(errText)},"WarnText":${quote(warnText)}}\n`;
}

function quote(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The bytes of one request, as a client sends them. */
export function formatRequest(request: ControlRequest): string {
  return JSON.stringify({ EncryptPath: request.encryptPath, DecryptPath: request.decryptPath });
}

/** Reads one response line; null if it is none. */
export function parseResponse(line: string): ControlResponse | null {
  try {
    const { Result, ErrNo, ErrText, WarnText } = JSON.parse(line) as Record<string, unknown>;
    if (typeof Result !== 'string' || typeof ErrNo !== 'number' || typeof ErrText !== 'string' || typeof WarnText !== 'string') {
      return null;
    }
    return { result: Result, errno: ErrNo, errText: ErrText, warnText: WarnText };
  } catch {
    return null;
  }
}
