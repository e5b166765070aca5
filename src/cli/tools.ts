/** The tools beside the filesystem: words of their own after the name of the program, or a name of their own. */
import { COMPATIBLE_NAME, COMPATIBLE_XRAY_NAME } from '../base/version.ts';
import type { SelfCommand } from '../operations/mount/background.ts';
import type { Output } from './output.ts';

const TOOLS = ['demo', 'statfs', 'xray'] as const;

/** One of the tools, with the words that are meant for it. */
export interface ToolCall {
  readonly tool: (typeof TOOLS)[number];
  /** What the tool calls itself. */
  readonly name: string;
  readonly args: readonly string[];
}

/** The tool that a command line asks for. As gocryptfs the program has none, since there any first word may be a CIPHERDIR. */
export function findTool(program: string, argv: readonly string[]): ToolCall | undefined {
  if (program === COMPATIBLE_XRAY_NAME) {
    return { tool: 'xray', name: program, args: argv };
  }
  const tool = program === COMPATIBLE_NAME ? undefined : TOOLS.find((name) => name === argv[0]);
  return tool === undefined ? undefined : { tool, name: `${program} ${tool}`, args: argv.slice(1) };
}

/** Runs a tool. @returns the exit code */
export async function runTool(call: ToolCall, output: Output, self: SelfCommand): Promise<number> {
  switch (call.tool) {
    case 'demo':
      return (await import('./actions/demo.ts')).demoAction(call.args, self);
    case 'statfs':
      return (await import('./actions/statfs.ts')).statfsAction(call.name, call.args, output);
    case 'xray':
      return (await import('./actions/xray.ts')).xrayAction(call.name, call.args, output);
  }
}
