import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../base/log.ts';
import { ControlClient } from './client.ts';
import { ControlSocket } from './server.ts';
import type { PathTranslator } from './translator.ts';

const echo: PathTranslator = { encryptPath: (path) => ({ path }), decryptPath: (path) => ({ path: Buffer.from(path).reverse() }) };

let dir: string;
let file: string;
let open: { close(): void }[];
let lines: string[];
const log = {
  ...silentLogger,
  info: (message: string) => void lines.push(`info ${message}`),
  warn: (message: string) => void lines.push(`warn ${message}`),
};

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'aegisfs-ctlsock-'));
  file = path.join(dir, 'socket');
  open = [];
  lines = [];
});
afterEach(() => {
  for (const { close } of open) close();
  fs.rmSync(dir, { recursive: true });
});

async function start(at = file): Promise<ControlSocket> {
  const socket = await ControlSocket.open(at, log);
  open.push({ close: () => socket.close() });
  return socket;
}

/** A client that sends bytes as they are and collects whatever comes back. */
class RawClient {
  text = '';
  isClosed = false;
  readonly socket: net.Socket;
  #changed: () => void = () => {};

  constructor() {
    this.socket = net.connect(file);
    this.socket.on('data', (chunk) => this.#note(chunk.toString()));
    this.socket.on('error', () => this.#note(''));
    this.socket.on('close', () => {
      this.isClosed = true;
      this.#note('');
    });
    open.push({ close: () => this.socket.destroy() });
  }

  send(text: string): void {
    this.socket.write(text);
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  /** Complete lines so far. */
  lines(): string[] {
    return this.text.split('\n').slice(0, -1);
  }

  #note(text: string): void {
    this.text += text;
    this.#changed();
  }
}

const result = (text: string) => `{"Result":"${text}","ErrNo":0,"ErrText":"","WarnText":""}`;

describe('requests', () => {
  it('are answered one after the other on each of several connections', async () => {
    (await start()).serve(echo);
    const clients = [new RawClient(), new RawClient(), new RawClient()];
    for (let round = 1; round <= 20; round++) {
      for (const [i, client] of clients.entries()) client.send(`{"EncryptPath":"${i}/${round}"}`);
      for (const client of clients) await client.until(() => client.lines().length === round);
    }
    for (const [i, client] of clients.entries()) {
      expect(client.lines()).toEqual(Array.from({ length: 20 }, (_, round) => result(`${i}/${round + 1}`)));
    }
    expect(lines).toEqual([]);
  });

  it('wait until the mount is there', async () => {
    const socket = await start();
    const early = new RawClient();
    early.send('{"DecryptPath":"ab"}');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(early.text).toBe('');
    socket.serve(echo);
    await early.until(() => early.lines().length === 1);
    expect(early.lines()).toEqual([result('ba')]);
  });

  it('may have 4999 bytes and not one more', async () => {
    (await start()).serve(echo);
    const request = (length: number) => `{"EncryptPath":"${'x'.repeat(length - '{"EncryptPath":""}'.length)}"}`;
    const fine = new RawClient();
    fine.send(request(4999));
    await fine.until(() => fine.lines().length === 1);
    expect(fine.lines()[0]).toContain('xxx');
    const tooBig = new RawClient();
    tooBig.send(request(5000));
    await tooBig.until(() => tooBig.isClosed);
    expect(tooBig.text).toBe('');
    expect(lines).toEqual(['warn ctlsock: request too big (max = 4999 bytes)']);
    fine.send('{"EncryptPath":"still here"}');
    await fine.until(() => fine.lines().length === 2);
  });

  it('that make no sense leave the connection open', async () => {
    (await start()).serve(echo);
    const client = new RawClient();
    client.send('{}{}');
    await client.until(() => client.lines().length === 1);
    expect(client.lines()[0]).toMatch(/^\{"Result":"","ErrNo":-1,"ErrText":"JSON Unmarshal error: .*","WarnText":""\}$/);
    client.send('{"EncryptPath":"a"}');
    await client.until(() => client.lines().length === 2);
    expect(client.lines()[1]).toBe(result('a'));
  });

  it('are answered to a client that has nothing more to say; then the connection ends', async () => {
    (await start()).serve(echo);
    const client = new RawClient();
    client.socket.end('{"EncryptPath":"a"}');
    await client.until(() => client.isClosed);
    expect(client.lines()).toEqual([result('a')]);
  });
});

describe('the socket file', () => {
  it('is a socket that the umask protects, and is gone at once after closing, with all connections', async () => {
    const umask = process.umask(0o077);
    const socket = await start();
    process.umask(umask);
    expect(fs.statSync(file).isSocket()).toBe(true);
    expect(fs.statSync(file).mode & 0o777).toBe(0o700);
    socket.serve(echo);
    const client = new RawClient();
    client.send('{"EncryptPath":"a"}');
    await client.until(() => client.lines().length === 1);
    socket.close();
    expect(fs.existsSync(file)).toBe(false);
    await client.until(() => client.isClosed);
  });

  it('of a server that is gone is replaced', async () => {
    const gone = net.createServer().listen(path.join(dir, 'gone'));
    await new Promise((resolve) => gone.once('listening', resolve));
    // Closing the server unlinks only the name it was made under.
    fs.renameSync(path.join(dir, 'gone'), file);
    gone.close();
    (await start()).serve(echo);
    expect(lines).toEqual([`info ctlsock: deleting orphaned socket file "${file}"`]);
    const client = await ControlClient.connect(file);
    expect(await client.ask({ encryptPath: 'a', decryptPath: '' })).toMatchObject({ result: 'a', errno: 0 });
    client.close();
  });

  const refused = (at: string, detail: string) => ({ code: 'ctlsock', message: `ctlsock: listen unix ${at}: bind: ${detail}` });

  it('of a server that lives is left alone', async () => {
    (await start()).serve(echo);
    await expect(ControlSocket.open(file, log)).rejects.toMatchObject(refused(file, 'address already in use'));
    const client = await ControlClient.connect(file);
    expect(await client.ask({ encryptPath: 'a', decryptPath: '' })).toMatchObject({ result: 'a' });
    client.close();
    expect(lines).toEqual([]);
  });

  it('does not replace anything else', async () => {
    fs.writeFileSync(file, 'precious');
    await expect(ControlSocket.open(file, log)).rejects.toMatchObject(refused(file, 'address already in use'));
    expect(fs.readFileSync(file, 'utf8')).toBe('precious');
    fs.rmSync(file);
    fs.symlinkSync('elsewhere', file);
    await expect(ControlSocket.open(file, log)).rejects.toMatchObject(refused(file, 'address already in use'));
    expect(fs.readlinkSync(file)).toBe('elsewhere');
  });

  it('cannot be made in a missing folder or under a path that is too long', async () => {
    const missing = path.join(dir, 'missing', 'socket');
    await expect(ControlSocket.open(missing, log)).rejects.toMatchObject(refused(missing, 'no such file or directory'));
    const fits = path.join(dir, 'x'.repeat(107 - dir.length - 1));
    await start(fits);
    expect(fs.existsSync(fits)).toBe(true);
    const long = `${fits}x`;
    await expect(ControlSocket.open(long, log)).rejects.toMatchObject(refused(long, 'invalid argument'));
    expect(fs.readdirSync(dir)).toEqual([path.basename(fits)]);
  });
});

describe('ControlClient', () => {
  it('tells when nobody listens', async () => {
    await expect(ControlClient.connect(file)).rejects.toMatchObject({ message: `dial unix ${file}: connect: no such file or directory` });
    fs.writeFileSync(file, '');
    await expect(ControlClient.connect(file)).rejects.toMatchObject({ message: `dial unix ${file}: connect: connection refused` });
  });

  it('refuses by itself what the server would hang up on, and tells when the server goes away', async () => {
    const socket = await start();
    socket.serve(echo);
    const client = await ControlClient.connect(file);
    expect(await client.ask({ encryptPath: 'x'.repeat(5000), decryptPath: '' })).toMatchObject({ errno: -1 });
    expect(await client.ask({ encryptPath: 'x/'.repeat(2000), decryptPath: '' })).toMatchObject({ errno: 0 });
    const asked = client.ask({ encryptPath: 'a', decryptPath: '' });
    socket.close();
    await expect(asked).rejects.toMatchObject({ code: 'ctlsock' });
    await expect(client.ask({ encryptPath: 'a', decryptPath: '' })).rejects.toMatchObject({ code: 'ctlsock' });
  });
});
