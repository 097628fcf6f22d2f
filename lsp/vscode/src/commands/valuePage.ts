// SPDX-License-Identifier: Apache-2.0
// A value as the language server describes it, as text.

export interface ValueLeaf {
  shape: string;
  literal: string;
  isShortened: boolean;
  count: number;
  /** JSON has no infinities: those and NaN come as words. */
  min: number | string;
  max: number | string;
  mean: number | string;
  standardDeviation: number | string;
  zeros: number;
  nans: number;
  infinities: number;
  /** The elements in memory, base64, if they are not too many. */
  data?: string;
}

/** hloscope/value. */
export interface ValueAnswer {
  leaves: ValueLeaf[];
  executed: number;
  where: string;
  filledConstants: boolean;
}

export const number = (value: number | string): string => (typeof value === 'number' ? Number(value.toPrecision(7)).toString() : value);

/** How much was executed for it. */
function howFar({ executed, where }: ValueAnswer): string {
  if (executed === 0) return '';
  return ` after ${executed} ${executed === 1 ? 'instruction' : 'instructions'}${where === '' ? '' : `, in ${where}`}`;
}

export function valuePage(line: string, inputs: string, answer: ValueAnswer): string {
  const parts = [
    line,
    '',
    `Computed ${inputs === '' ? 'without parameters' : `with ${inputs}`}${howFar(answer)}.`,
    ...(answer.filledConstants ? ['Constants that the text leaves out were made up.'] : []),
  ];
  for (const leaf of answer.leaves) {
    parts.push('', leaf.shape);
    if (leaf.count > 1) {
      parts.push(`  ${number(leaf.min)} to ${number(leaf.max)}, mean ${number(leaf.mean)}, standard deviation ${number(leaf.standardDeviation)}`);
      parts.push(`  ${leaf.count} elements, ${leaf.zeros} zero, ${leaf.nans} NaN, ${leaf.infinities} infinite`);
    }
    if (leaf.literal !== '') parts.push(leaf.literal + (leaf.isShortened ? ' (shortened)' : ''));
    else if (leaf.isShortened) parts.push('  Too many elements to be written out.');
  }
  return `${parts.join('\n')}\n`;
}
