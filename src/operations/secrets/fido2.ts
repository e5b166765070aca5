/** The secret of a FIDO2 token, through the programs of libfido2 (behaviour.md 3.7, format.md 4.7). */
import { spawnSync } from 'node:child_process';
import { AegisError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { randomBytes } from '../../crypto/random.ts';
import type { Fido2Object } from '../../vault/config/schema.ts';

/** Part of the protocol with existing vaults, not a name to translate. */
const RELYING_PARTY = 'gocryptfs';
const CHALLENGE_LEN = 32;
const SALT_LEN = 32;
const MIN_SECRET_LEN = 32;
/** The line of the programs' output that holds the wanted value, from 0. */
const WANTED_LINE = 4;

/** Makes a credential on the token and the salt that goes with it. @throws AegisError `fido2` */
export function registerToken(device: string, userName: string, assertOptions: readonly string[], log: Logger): Fido2Object {
  log.info('FIDO2 Register: interact with your device ...');
  const credential = runHelper('fido2-cred', ['-M', '-h', device], [random(CHALLENGE_LEN), RELYING_PARTY, userName, random(CHALLENGE_LEN)]);
  return { CredentialID: new Uint8Array(credential), HMACSalt: randomBytes(SALT_LEN), AssertOptions: [...assertOptions] };
}

/** The secret that stands in for the password; the caller zeroes it. @throws AegisError `fido2` */
export function readTokenSecret(device: string, token: Fido2Object, log: Logger): Uint8Array {
  log.info('FIDO2 Secret: interact with your device ...');
  const options = (token.AssertOptions ?? []).flatMap((option) => ['-t', option]);
  const secret = runHelper(
    'fido2-assert',
    ['-G', '-h', ...options, device],
    [random(CHALLENGE_LEN), RELYING_PARTY, base64(token.CredentialID), base64(token.HMACSalt)],
  );
  if (secret.length < MIN_SECRET_LEN) {
    throw new AegisError('fido2', `FIDO2 HMACSecret too short (${secret.length})!`);
  }
  if (secret.every((byte) => byte === 0)) {
    throw new AegisError('fido2', 'FIDO2 HMACSecret is all zero!');
  }
  return secret;
}

function runHelper(program: string, args: readonly string[], inputLines: readonly string[]): Buffer {
  const input = inputLines.map((line) => `${line}\n`).join('');
  const result = spawnSync(program, args, { input, stdio: ['pipe', 'pipe', 'inherit'] });
  if (result.error !== undefined || result.status !== 0) {
    const detail = result.error?.message ?? (result.status === null ? `signal: ${result.signal}` : `exit status ${result.status}`);
    throw new AegisError('fido2', `${program} failed with ${detail}`);
  }
  const line = result.stdout.toString('latin1').split('\n')[WANTED_LINE] ?? '';
  result.stdout.fill(0);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(line) || line === '') {
    throw new AegisError('fido2', `${program} failed with unusable output`);
  }
  return Buffer.from(line, 'base64');
}

function random(length: number): string {
  return base64(randomBytes(length));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
