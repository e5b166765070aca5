import net from 'node:net';

/** What the control socket answers, with the key names of the protocol. */
export interface Answer {
  Result: string;
  ErrNo: number;
  ErrText: string;
  WarnText: string;
}

/** Sends one request over a connection of its own and returns the answer as text, "" if the server hangs up. */
export function askRaw(socket: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const connection = net.connect(socket);
    connection.on('connect', () => connection.write(request));
    connection.on('data', (chunk) => {
      text += chunk.toString();
      if (text.endsWith('\n')) connection.destroy();
    });
    connection.on('error', reject);
    connection.on('close', () => resolve(text));
  });
}

async function ask(socket: string, request: Record<string, string>): Promise<Answer> {
  return JSON.parse(await askRaw(socket, JSON.stringify(request))) as Answer;
}

export const encrypt = (socket: string, path: string): Promise<Answer> => ask(socket, { EncryptPath: path });
export const decrypt = (socket: string, path: string): Promise<Answer> => ask(socket, { DecryptPath: path });
