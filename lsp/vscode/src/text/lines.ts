// SPDX-License-Identifier: Apache-2.0
// A text by lines, as editors hand it out; plain arrays serve in tests.

export interface Lines {
  readonly lineCount: number;
  lineAt(line: number): string;
}

export function linesOf(text: string): Lines {
  const lines = text.split(/\r?\n/);
  return { lineCount: lines.length, lineAt: (line) => lines[line] ?? '' };
}
