/** Text of a configuration file to object, with the tolerance of format.md 4.1, and back. */
import { decodeBase64, encodeBase64 } from '../../base/base64.ts';
import { AegisError } from '../../base/errors.ts';
import { type JsonValue, parseJson } from './json.ts';
import type { Fido2Object, ScryptObject, VaultConfig } from './schema.ts';
import { configObjection } from './validate.ts';

/** How one field is read: its new value from the JSON value and the value so far. @throws FieldError */
type FieldReader<V> = (value: JsonValue, current: V) => V;
type Schema<T> = { readonly [K in keyof T]: FieldReader<T[K]> };

/** A field of the wrong type or range; the path grows on the way out of nested objects. */
class FieldError extends Error {
  readonly path: readonly string[];
  readonly reason: string;

  constructor(reason: string, path: readonly string[] = []) {
    super(path.length === 0 ? reason : `${path.join('.')}: ${reason}`);
    this.reason = reason;
    this.path = path;
  }
}

const NO_BYTES = new Uint8Array(0);
const NO_FIDO2: Fido2Object = { CredentialID: NO_BYTES, HMACSalt: NO_BYTES, AssertOptions: null };
const EMPTY_CONFIG: VaultConfig = {
  Creator: '',
  EncryptedKey: NO_BYTES,
  ScryptObject: { Salt: NO_BYTES, N: 0, R: 0, P: 0, KeyLen: 0 },
  Version: 0,
  FeatureFlags: null,
  FIDO2: null,
  LongNameMax: 0,
};

const readInteger = integerReader(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

const SCRYPT: Schema<ScryptObject> = { Salt: readBytes, N: readInteger, R: readInteger, P: readInteger, KeyLen: readInteger };
const FIDO2: Schema<Fido2Object> = { CredentialID: readBytes, HMACSalt: readBytes, AssertOptions: readStrings };
const CONFIG: Schema<VaultConfig> = {
  Creator: readString,
  EncryptedKey: readBytes,
  ScryptObject: (value, current) => readObject(value, current, SCRYPT),
  Version: integerReader(0, 65535),
  FeatureFlags: readStrings,
  FIDO2: (value, current) => (value.kind === 'null' ? null : readObject(value, current ?? NO_FIDO2, FIDO2)),
  LongNameMax: integerReader(0, 255),
};

/**
 * Reads a configuration without judging it.
 * @throws AegisError 'config-empty' for no bytes, 'config-parse' for anything that is not the JSON object of format.md 4.1
 */
export function parseConfig(input: string | Uint8Array): VaultConfig {
  const text = typeof input === 'string' ? input : new TextDecoder('utf-8', { ignoreBOM: true }).decode(input);
  if (text.length === 0) throw new AegisError('config-empty', 'config file is empty');
  try {
    return readObject(parseJson(text), EMPTY_CONFIG, CONFIG);
  } catch (error) {
    throw new AegisError('config-parse', (error as Error).message);
  }
}

/**
 * Reads a configuration and applies the checks of format.md 4.2.
 * @throws AegisError as parseConfig, and 'config-refused' with the text of behaviour.md 4.2
 */
export function loadConfig(input: string | Uint8Array): VaultConfig {
  const config = parseConfig(input);
  const objection = configObjection(config);
  if (objection !== null) throw new AegisError('config-refused', objection);
  return config;
}

/**
 * Text of a configuration file: tabs, fields in the order of format.md 4.1, a line break at the end.
 * @throws AegisError 'config-create' if the configuration would not load again
 */
export function serializeConfig(config: VaultConfig): string {
  const objection = configObjection(config);
  if (objection !== null) throw new AegisError('config-create', objection);
  const { ScryptObject: scrypt, FIDO2: fido2 } = config;
  const object = {
    Creator: config.Creator,
    EncryptedKey: encodeBase64(config.EncryptedKey),
    ScryptObject: { Salt: encodeBase64(scrypt.Salt), N: scrypt.N, R: scrypt.R, P: scrypt.P, KeyLen: scrypt.KeyLen },
    Version: config.Version,
    FeatureFlags: config.FeatureFlags,
    ...(fido2 !== null && {
      FIDO2: {
        CredentialID: encodeBase64(fido2.CredentialID),
        HMACSalt: encodeBase64(fido2.HMACSalt),
        AssertOptions: fido2.AssertOptions,
      },
    }),
    ...(config.LongNameMax !== 0 && { LongNameMax: config.LongNameMax }),
  };
  return `${JSON.stringify(object, null, '\t')}\n`;
}

/** Reads the fields of an object in the order of the file; a repeated field is set again, an unknown one is ignored. */
function readObject<T>(value: JsonValue, current: T, schema: Schema<T>): T {
  if (value.kind === 'null') return current;
  if (value.kind !== 'object') throw new FieldError(`${value.kind} where an object should be`);
  const target = { ...current };
  for (const [key, field] of value.entries) {
    const name = fieldName(schema, key);
    if (name !== undefined) readField(target, schema, name, field);
  }
  return target;
}

function readField<T, K extends keyof T & string>(target: T, schema: Schema<T>, name: K, field: JsonValue): void {
  try {
    target[name] = schema[name](field, target[name]);
  } catch (error) {
    if (error instanceof FieldError) throw new FieldError(error.reason, [name, ...error.path]);
    throw error;
  }
}

/** Field that a key means: the exact spelling, or one that differs in the case of ASCII letters. */
function fieldName<T>(schema: Schema<T>, key: string): (keyof T & string) | undefined {
  const folded = asciiLower(key);
  return (Object.keys(schema) as (keyof T & string)[]).find((name) => asciiLower(name) === folded);
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (char) => char.toLowerCase());
}

/** A null leaves strings and numbers as they are and empties lists and byte strings; vaults in the wild may rely on it. */
function readString(value: JsonValue, current: string): string {
  if (value.kind === 'null') return current;
  if (value.kind !== 'string') throw new FieldError(`${value.kind} where a string should be`);
  return value.value;
}

function integerReader(min: number, max: number): FieldReader<number> {
  return (value, current) => {
    if (value.kind === 'null') return current;
    if (value.kind !== 'number') throw new FieldError(`${value.kind} where an integer should be`);
    const number = Number(value.literal);
    if (!/^-?[0-9]+$/.test(value.literal) || number < min || number > max) {
      throw new FieldError(`${value.literal} is not an integer from ${min} to ${max}`);
    }
    return number === 0 ? 0 : number;
  };
}

function readBytes(value: JsonValue): Uint8Array {
  const bytes = decodeBase64(readString(value, ''));
  if (bytes === null) throw new FieldError('malformed base64');
  return bytes;
}

function readStrings(value: JsonValue): string[] | null {
  if (value.kind === 'null') return null;
  if (value.kind !== 'array') throw new FieldError(`${value.kind} where an array should be`);
  return value.items.map((item) => readString(item, ''));
}
