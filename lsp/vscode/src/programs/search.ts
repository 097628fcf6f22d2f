// SPDX-License-Identifier: Apache-2.0
// Where the programs of HLOscope may be, in the order in which they are tried.
import * as path from 'node:path';

export type Program = 'hloscope' | 'hloscope-lsp' | 'hloscope-dap' | 'hloscope-gui';

/** The setting that names each program. */
export const SETTING_OF: Record<Program, string> = {
  'hloscope': 'command.path',
  'hloscope-lsp': 'server.path',
  'hloscope-dap': 'debugAdapter.path',
  'hloscope-gui': 'app.path',
};

export interface Surroundings {
  /** Settings by Program; empty or missing: not set. */
  configured: Partial<Record<Program, string>>;
  /** Folder of the extension. */
  extensionFolder: string;
  /** The environment's PATH. */
  searchPath: string;
  home: string;
  workspaceFolder?: string;
  platform: NodeJS.Platform;
}

export interface Candidate {
  file: string;
  /** In words, for the message that lists what was tried. */
  origin: string;
}

function expand(value: string, around: Surroundings): string {
  let result = value.replace(/\$\{workspaceFolder\}/g, around.workspaceFolder ?? '');
  if (result === '~' || result.startsWith('~/')) result = around.home + result.slice(1);
  return result;
}

function onSearchPath(program: string, around: Surroundings): Candidate[] {
  const [separator, suffix] = around.platform === 'win32' ? [';', '.exe'] : [':', ''];
  const name = program.endsWith(suffix) ? program : program + suffix;
  return around.searchPath
    .split(separator)
    .filter((folder) => folder !== '')
    .map((folder) => ({ file: path.join(folder, name), origin: `${folder}, a folder of the PATH` }));
}

/**
 * The files to try. A setting decides alone: someone who names a program wants that one, or an error. The other programs
 * are looked for beside a language server that a setting names.
 */
export function candidates(program: Program, around: Surroundings): Candidate[] {
  const setting = `the setting hloscope.${SETTING_OF[program]}`;
  const configured = expand((around.configured[program] ?? '').trim(), around);
  if (configured !== '') {
    if (path.isAbsolute(configured)) return [{ file: configured, origin: setting }];
    if (configured.includes('/') || configured.includes('\\')) {
      return [{ file: path.resolve(around.workspaceFolder ?? around.home, configured), origin: setting }];
    }
    return onSearchPath(configured, around).map(({ file, origin }) => ({ file, origin: `${setting}: ${origin}` }));
  }
  const suffix = around.platform === 'win32' ? '.exe' : '';
  const result: Candidate[] = [];
  const server = expand((around.configured['hloscope-lsp'] ?? '').trim(), around);
  if (program !== 'hloscope-lsp' && path.isAbsolute(server)) {
    result.push({ file: path.join(path.dirname(server), program + suffix), origin: 'the folder of the language server' });
  }
  result.push({
    file: path.join(around.extensionFolder, 'server', 'bin', program + suffix),
    origin: "the extension's package",
  });
  return result.concat(onSearchPath(program, around));
}

export interface Found {
  file: string;
  /** What the program says of itself. */
  version: string;
}
export interface NotFound {
  /** One sentence for a message. */
  problem: string;
  /** What was tried, a line each. */
  tried: string[];
}

/** What trying a file showed. */
export type Trial = { kind: 'works'; version: string } | { kind: 'missing' } | { kind: 'fails'; reason: string };

/** The first candidate that works. `attempt` looks at the file and runs it. */
export async function search(
  program: Program,
  around: Surroundings,
  attempt: (file: string) => Promise<Trial>,
): Promise<Found | NotFound> {
  const tried: string[] = [];
  let broken: string | undefined;
  for (const { file, origin } of candidates(program, around)) {
    const trial = await attempt(file);
    if (trial.kind === 'works') return { file, version: trial.version };
    if (trial.kind === 'fails') broken ??= `${file} does not run: ${trial.reason}`;
    tried.push(`${file} (${origin}): ${trial.kind === 'fails' ? trial.reason : 'not there'}`);
  }
  const configured = (around.configured[program] ?? '').trim() !== '';
  const setting = `hloscope.${SETTING_OF[program]}`;
  const problem =
    broken ??
    (configured
      ? `The setting ${setting} names a program that does not exist.`
      : `${program} is neither in the extension's package nor on the PATH.`);
  return { problem, tried };
}

export function isFound(result: Found | NotFound): result is Found {
  return 'file' in result;
}
