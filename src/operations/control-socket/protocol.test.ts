import { describe, expect, it } from 'vitest';
import { formatRequest, formatResponse, parseRequest, parseResponse } from './protocol.ts';

const parse = (text: string) => parseRequest(Buffer.from(text));
const answer = (result: string) => formatResponse({ result, errno: 0, errText: '', warnText: '' });

describe('parseRequest', () => {
  it.each([
    ['{"EncryptPath":"a"}', { encryptPath: 'a', decryptPath: '' }],
    ['{"DecryptPath":"b"}\n', { encryptPath: '', decryptPath: 'b' }],
    ['{"encryptPATH":"a","DECRYPTpath":"b"}', { encryptPath: 'a', decryptPath: 'b' }],
    ['{"EncryptPath":"a","EncryptPath":"b"}', { encryptPath: 'b', decryptPath: '' }],
    ['{"Other":1,"EncryptPath":"a","__proto__":{"DecryptPath":"x"}}', { encryptPath: 'a', decryptPath: '' }],
    ['{"EncryptPath":null}', { encryptPath: '', decryptPath: '' }],
    ['{"EncryptPath":"\\u00e4\\n"}', { encryptPath: 'ä\n', decryptPath: '' }],
    ['{}', { encryptPath: '', decryptPath: '' }],
    ['null', { encryptPath: '', decryptPath: '' }],
  ])('%s', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each(['', ' ', '{', '{}{}', '{"EncryptPath":"a"} x', '[]', '"a"', 'true', '1', '{"EncryptPath":1}', '{"DecryptPath":["a"]}', '\xff'])(
    'refuses %j',
    (text) => {
      expect(parse(text)).toBeTypeOf('string');
    },
  );
});

describe('formatResponse', () => {
  it('has four keys in fixed order and a line feed', () => {
    const text = formatResponse({ result: '', errno: -1, errText: 'Ambiguous', warnText: 'w' });
    expect(text).toBe('{"Result":"","ErrNo":-1,"ErrText":"Ambiguous","WarnText":"w"}\n');
  });

  // What Go's encoding/json writes, as clients of gocryptfs 2.3 have seen it.
  it('escapes as Go does', () => {
    expect(answer('a<b>&c\u2028\u2029"\\\n\r\t\u0001\u007fä')).toBe(
      '{"Result":"a\\u003cb\\u003e\\u0026c\\u2028\\u2029\\"\\\\\\n\\r\\t\\u0001\u007fä","ErrNo":0,"ErrText":"","WarnText":""}\n',
    );
  });
});

describe('the client side', () => {
  it('writes what the server reads', () => {
    const request = { encryptPath: 'a "b"\n', decryptPath: '' };
    expect(parse(formatRequest(request))).toEqual(request);
  });

  it('reads what a server writes', () => {
    const response = { result: 'r<\u2028', errno: 2, errText: 'e', warnText: 'w' };
    expect(parseResponse(formatResponse(response))).toEqual(response);
  });

  it.each(['', 'null', '{}', '{"Result":1,"ErrNo":0,"ErrText":"","WarnText":""}', 'x'])('takes %j for no answer', (line) => {
    expect(parseResponse(line)).toBeNull();
  });
});
