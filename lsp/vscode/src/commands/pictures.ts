// SPDX-License-Identifier: Apache-2.0
// What the command line draws, for the instruction at the cursor: the words of each command.

/** hloscope/pictures. */
export interface PictureFacts {
  instruction: string;
  computation: string;
  /** Of an array. */
  shape?: string;
  broadcast?: { lhs: string; rhs: string; dimensions?: number[] };
}

export interface Picture {
  label: string;
  /** Of `hloscope`, but for the format. FILE stands for the module, OTHER for another one and PROFILE for a profile that the user chooses. */
  words: string[];
  /** Whether the command writes the file itself, as the value of this option. */
  fileOption?: string;
  /** Whether exit status 1 says that things differ. */
  compares?: boolean;
}

export const FILE = '\0file';
export const OTHER = '\0other';
export const PROFILE = '\0profile';
export const FORMATS = ['svg', 'png', 'pdf', 'html'] as const;
export type Format = (typeof FORMATS)[number];

/** `run`: options that say what the parameters of a run are. */
export function picturesOf(facts: PictureFacts | undefined, run: string[]): Picture[] {
  const pictures: Picture[] = [];
  if (facts !== undefined) {
    const { instruction, computation, shape, broadcast } = facts;
    const place = ['graph', FILE, `--computation=${computation}`];
    pictures.push({ label: 'Graph around the instruction', words: [...place, `--around=${instruction}`, '--depth=3'] });
    pictures.push({ label: 'Graph of the computation', words: place });
    pictures.push({ label: 'Value of the instruction', words: ['value', FILE, `${computation}::${instruction}`, ...run] });
    if (shape !== undefined) pictures.push({ label: 'Layout of the value', words: ['layout', shape] });
    if (broadcast !== undefined) {
      const dimensions = broadcast.dimensions === undefined ? [] : [`--dims=${broadcast.dimensions.join(',')}`];
      pictures.push({ label: 'Broadcast', words: ['broadcast', broadcast.lhs, broadcast.rhs, ...dimensions] });
    }
  }
  pictures.push({ label: 'Timeline of a run', words: ['run', FILE, ...run], fileOption: 'trace' });
  pictures.push({ label: 'Comparison with another version...', words: ['compare', FILE, OTHER, ...run], compares: true });
  pictures.push({ label: 'Memory over time', words: ['memory', FILE] });
  pictures.push({ label: 'Changes since another version...', words: ['diff', OTHER, FILE], compares: true });
  pictures.push({ label: 'Times of a profile...', words: ['profile', PROFILE] });
  return pictures;
}

/** What comes after the words for a format; `target` is the file. */
export function formatWords(picture: Picture, format: Format, target: string): string[] {
  if (picture.fileOption !== undefined) return [`--${picture.fileOption}=${target}`];
  return format === 'html' ? ['--html=-'] : [`--format=${format}`];
}

/** The command as a shell reads it. */
export function commandLine(words: readonly string[]): string {
  const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`);
  return ['hloscope', ...words.map(quoted)].join(' ');
}
