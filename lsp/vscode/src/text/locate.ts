// SPDX-License-Identifier: Apache-2.0
// Where the cursor is, for requests that name an instruction: a scan of the lines around it. It only has to be good
// enough to ask; what the names mean is the business of the programs that answer.
import type { Lines } from './lines';

export interface Place {
  /** Without `%`; undefined between computations. */
  computation?: string;
  instruction?: string;
  /** Where the name of the instruction is; the line asked about if there is none. */
  line: number;
  column: number;
  /** Lines of the computation with its braces, or up to the end of the text. */
  lines: number;
}

const NAME = '%?([A-Za-z_][A-Za-z0-9_.-]*)';
const COMPUTATION = new RegExp(`^\\s*(?:ENTRY\\s+)?${NAME}\\s*(?:\\(.*)?\\{\\s*(?:/[/*].*)?$`);
const INSTRUCTION = new RegExp(`^\\s*(?:/\\*.*?\\*/\\s*)*(?:ROOT\\s+)?${NAME}\\s*=`, 'd');

function computationAt(line: string): string | undefined {
  if (/^\s*HloModule\b/.test(line)) return undefined;
  // An attribute such as `metadata={` has an equals sign in front of the brace that a head of a computation lacks.
  const match = COMPUTATION.exec(line);
  if (match === null || INSTRUCTION.test(line)) return undefined;
  return match[1];
}

function instructionAt(line: string): string | undefined {
  return INSTRUCTION.exec(line)?.[1];
}

/** Whether the brace alone on its line closes a computation. */
function closes(line: string): boolean {
  return /^\s*\}\s*(?:\/\/.*)?$/.test(line);
}

export function placeAt(lines: Lines, line: number): Place {
  let instruction: string | undefined;
  let [nameLine, nameColumn] = [line, 0];
  for (let at = Math.min(line, lines.lineCount - 1); at >= 0; --at) {
    const text = lines.lineAt(at);
    const computation = computationAt(text);
    if (computation !== undefined) {
      let end = at + 1;
      while (end < lines.lineCount && !closes(lines.lineAt(end))) ++end;
      return { computation, instruction, line: nameLine, column: nameColumn, lines: Math.min(end, lines.lineCount - 1) - at + 1 };
    }
    if (instruction === undefined) {
      const match = INSTRUCTION.exec(text);
      if (match !== null) {
        instruction = match[1];
        [nameLine, nameColumn] = [at, match.indices![1]![0]];
      }
    }
    if (at < line && closes(text)) break;
  }
  return { line, column: 0, lines: 0 };
}

/** The line that defines the instruction (in the computation, if it is given and found), or undefined. */
export function lineOfInstruction(lines: Lines, name: string, computation?: string): number | undefined {
  let first: number | undefined;
  let current: string | undefined;
  for (let at = 0; at < lines.lineCount; ++at) {
    const text = lines.lineAt(at);
    const head = computationAt(text);
    if (head !== undefined) {
      current = head;
    } else if (instructionAt(text) === name) {
      if (computation === undefined || current === computation) return at;
      first ??= at;
    }
  }
  return first;
}

/** The line with the head of the computation, or undefined. */
export function lineOfComputation(lines: Lines, name: string): number | undefined {
  for (let at = 0; at < lines.lineCount; ++at) {
    if (computationAt(lines.lineAt(at)) === name) return at;
  }
  return undefined;
}

/** The line with the head of the entry computation, or undefined. */
export function entryLine(lines: Lines): number | undefined {
  for (let at = 0; at < lines.lineCount; ++at) {
    if (/^\s*ENTRY\b/.test(lines.lineAt(at))) return at;
  }
  return undefined;
}

const MODULE = /^\s*HloModule\s+([^\s,]+)/;

export interface DefinedAt {
  /** The module of a text with several that the line is in; undefined before the first. */
  module?: string;
  name: string;
  line: number;
}

/** Every instruction of the text. */
export function* instructionsOf(lines: Lines): Generator<DefinedAt> {
  let module: string | undefined;
  for (let line = 0; line < lines.lineCount; ++line) {
    const text = lines.lineAt(line);
    const head = MODULE.exec(text);
    if (head !== null) module = head[1];
    const name = head === null ? instructionAt(text) : undefined;
    if (name !== undefined) yield { module, name, line };
  }
}

/** The name of the first module, or undefined. */
export function moduleName(lines: Lines): string | undefined {
  for (let line = 0; line < lines.lineCount; ++line) {
    const head = MODULE.exec(lines.lineAt(line));
    if (head !== null) return head[1];
  }
  return undefined;
}
