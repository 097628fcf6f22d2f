// SPDX-License-Identifier: Apache-2.0
// What the lines of a program became: the answer of the language server, and how lenses and hovers say it.

export interface LineInstruction {
  name: string;
  opcode: string;
  shape: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}
export interface LineAnswer {
  /** From 1. */
  line: number;
  count: number;
  flops: number;
  bytes: number;
  instructions: LineInstruction[];
}
export interface FileAnswer {
  name: string;
  path?: string;
  lines: LineAnswer[];
}
/** hloscope/sourceLines. */
export interface SourceLinesAnswer {
  files: FileAnswer[];
}

/** Picoseconds that a profile has measured, by file and line: "model.py:12". */
export type MeasuredTimes = Map<string, number>;

const folders = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** How many names at their ends two paths share; 0 if the files are called otherwise. */
export function commonEnd(a: string, b: string): number {
  const [left, right] = [folders(a).reverse(), folders(b).reverse()];
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) ++count;
  return count;
}

/** The file of the answer that a file of the editor is: the one that the server found, else the one whose name ends most alike. */
export function fileFor(answer: SourceLinesAnswer, path: string): FileAnswer | undefined {
  const found = answer.files.find((file) => file.path === path);
  if (found !== undefined) return found;
  const [best] = answer.files
    .filter((file) => file.path === undefined)
    .map((file) => ({ file, common: commonEnd(file.name, path) }))
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common);
  return best?.file;
}

function scaled(value: number, steps: readonly string[], base: number): string {
  let step = 0;
  while (value >= base && step + 1 < steps.length) {
    value /= base;
    ++step;
  }
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toPrecision(3)} ${steps[step]}`;
}

export const flopText = (value: number): string => scaled(value, ['FLOP', 'kFLOP', 'MFLOP', 'GFLOP', 'TFLOP', 'PFLOP'], 1000);
export const byteText = (value: number): string => scaled(value, ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'], 1024);
export const timeText = (picoseconds: number): string => scaled(picoseconds / 1000, ['ns', 'µs', 'ms', 's'], 1000);

/** "12 instructions, 3.20 GFLOP, 4.10 MiB, 1.20 ms". */
export function lensText(line: LineAnswer, measured?: number): string {
  const parts = [line.count === 1 ? '1 instruction' : `${line.count} instructions`];
  if (line.flops > 0) parts.push(flopText(line.flops));
  if (line.bytes > 0) parts.push(byteText(line.bytes));
  if (measured !== undefined) parts.push(timeText(measured));
  return parts.join(', ');
}

/** The hover, as Markdown: the module, what the line costs, its instructions with their values as far as they are known. */
export function hoverText(module: string, line: LineAnswer, values: ReadonlyMap<string, string>, measured?: number): string {
  const rows = line.instructions.map(({ name, shape, opcode }) => {
    const value = values.get(name);
    return `${name} = ${shape} ${opcode}${value === undefined ? '' : `  // ${value}`}`;
  });
  if (line.count > line.instructions.length) rows.push(`// and ${line.count - line.instructions.length} more`);
  return [`**${lensText(line, measured)}** in ${module}`, '', '```hlo', ...rows, '```'].join('\n');
}

/** The times of `hloscope profile --json`, by line. */
export function measuredTimes(profile: unknown): MeasuredTimes {
  const times: MeasuredTimes = new Map();
  const rows = (profile as { source_lines?: { name?: string; self_ps?: number }[] } | undefined)?.source_lines;
  for (const { name, self_ps: time } of rows ?? []) {
    if (name !== undefined && time !== undefined) times.set(name, time);
  }
  return times;
}

/** What was measured of a line of the file. */
export function measuredOf(times: MeasuredTimes, file: FileAnswer, line: number): number | undefined {
  return times.get(`${file.name}:${line}`);
}
