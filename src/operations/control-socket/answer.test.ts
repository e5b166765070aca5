import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../base/log.ts';
import { answerRequest } from './answer.ts';
import type { PathTranslator } from './translator.ts';

/** Marks what it was asked for. */
const marking: PathTranslator = {
  encryptPath: (path) => ({ path: Buffer.from(`E(${Buffer.from(path)})`) }),
  decryptPath: (path) => ({ path: Buffer.from(`D(${Buffer.from(path)})`) }),
};
const failing: PathTranslator = {
  encryptPath: () => ({ errno: 2, text: 'no such file or directory' }),
  decryptPath: () => ({ errno: -1, text: 'bad message' }),
};

function ask(request: unknown, translator = marking) {
  return answerRequest(Buffer.from(JSON.stringify(request)), translator, silentLogger);
}

function failed(errno: number, errText: string, warnText = '') {
  return { result: '', errno, errText, warnText };
}

function interpreted(input: string, path: string): string {
  return `Non-canonical input path '${input}' has been interpreted as '${path}'.`;
}

describe('answerRequest', () => {
  it('hands a path on to the right side', () => {
    expect(ask({ EncryptPath: 'a/b' })).toEqual({ result: 'E(a/b)', errno: 0, errText: '', warnText: '' });
    expect(ask({ DecryptPath: 'ä' })).toEqual({ result: 'D(ä)', errno: 0, errText: '', warnText: '' });
  });

  it('makes a path canonical first, and says so', () => {
    expect(ask({ EncryptPath: '/a//b/' })).toEqual({ result: 'E(a/b)', errno: 0, errText: '', warnText: interpreted('/a//b/', 'a/b') });
  });

  // The texts of behaviour.md 8.2.
  it('refuses what makes no sense', () => {
    expect(ask({ EncryptPath: 'a', DecryptPath: 'b' })).toEqual(failed(-1, 'Ambiguous'));
    expect(ask({})).toEqual(failed(-1, 'empty input'));
    expect(ask({ EncryptPath: '' })).toEqual(failed(-1, 'empty input'));
    for (const input of ['.', '/', '..', '../x', 'foo/../..']) {
      expect(ask({ EncryptPath: input })).toEqual(failed(-1, 'empty input after canonicalization', interpreted(input, '')));
      expect(ask({ DecryptPath: input })).toEqual(failed(-1, 'empty input after canonicalization', interpreted(input, '')));
    }
  });

  it('passes failures on', () => {
    expect(ask({ EncryptPath: 'a/b' }, failing)).toEqual(failed(2, 'no such file or directory'));
    expect(ask({ DecryptPath: 'a/' }, failing)).toEqual(failed(-1, 'bad message', interpreted('a/', 'a')));
  });

  it('answers and logs what is no request, on one harmless line', () => {
    const warnings: string[] = [];
    const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const response = answerRequest(Buffer.from('\u001b[31m\n'), marking, log);
    expect(response).toMatchObject({ result: '', errno: -1, warnText: '' });
    expect(response.errText).toMatch(/^JSON Unmarshal error: ./);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^ctlsock: JSON Unmarshal error: \P{Cc}+$/u);
  });
});
