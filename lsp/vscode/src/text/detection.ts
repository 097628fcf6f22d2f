// SPDX-License-Identifier: Apache-2.0
// Which plain text files are HLO: dumps are called module_0001.after_optimizations.txt and start with HloModule.
import type { Lines } from './lines';

// Dumps have at most a licence in front of the module.
const LINES_LOOKED_AT = 100;

/** Whether the first line that is neither empty nor a comment starts a module. */
export function startsWithModule(lines: Lines): boolean {
  let inComment = false;
  for (let number = 0; number < Math.min(lines.lineCount, LINES_LOOKED_AT); ++number) {
    let line = lines.lineAt(number);
    if (number === 0 && line.startsWith('\uFEFF')) line = line.slice(1);
    while (line !== '') {
      if (inComment) {
        const end = line.indexOf('*/');
        if (end < 0) break;
        inComment = false;
        line = line.slice(end + 2);
        continue;
      }
      line = line.trimStart();
      if (line.startsWith('//')) break;
      if (line.startsWith('/*')) {
        inComment = true;
        line = line.slice(2);
        continue;
      }
      if (line !== '') return /^HloModule\b/.test(line);
    }
  }
  return false;
}
