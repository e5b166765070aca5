import { expect, it } from 'vitest';
import { findTool } from './tools.ts';

it('the first word may name a tool, except for gocryptfs, whose first word is a folder', () => {
  expect(findTool('aegisfs', ['xray', '-h'])).toEqual({ tool: 'xray', name: 'aegisfs xray', args: ['-h'] });
  expect(findTool('aegisfs', ['statfs', '/'])).toEqual({ tool: 'statfs', name: 'aegisfs statfs', args: ['/'] });
  expect(findTool('aegisfs', ['demo'])).toEqual({ tool: 'demo', name: 'aegisfs demo', args: [] });
  expect(findTool('aegisfs', ['-q', 'xray'])).toBeUndefined();
  expect(findTool('aegisfs', ['./xray', 'm'])).toBeUndefined();
  expect(findTool('aegisfs', [])).toBeUndefined();
  expect(findTool('gocryptfs', ['xray', 'm'])).toBeUndefined();
});

it('gocryptfs-xray is the tool by its own name', () => {
  expect(findTool('gocryptfs-xray', ['xray'])).toEqual({ tool: 'xray', name: 'gocryptfs-xray', args: ['xray'] });
});
