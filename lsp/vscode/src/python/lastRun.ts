// SPDX-License-Identifier: Apache-2.0
// What the last run of a module was given, so that its values can be computed again for a hover.
import { number, type ValueAnswer } from '../commands/valuePage';

export interface RunInputs {
  fill: string;
  seed?: number;
  /** Parameters from files: number to .npy file. */
  arguments: Record<string, string>;
}

/** From the options of `hloscope run`; undefined if they say more than a value can be asked with. */
export function runInputs(options: readonly string[]): RunInputs | undefined {
  const inputs: RunInputs = { fill: 'random', arguments: {} };
  for (const option of options) {
    const [, name, value] = /^--([\w-]+)=(.*)$/s.exec(option) ?? [];
    if (name === undefined || value === undefined) return undefined;
    if (name === 'fill') inputs.fill = value;
    else if (name === 'seed') inputs.seed = Number(value);
    else if (name === 'arg') {
      const [, parameter, file] = /^(\d+)=(.*)$/s.exec(value) ?? [];
      if (parameter === undefined || file === undefined) return undefined;
      inputs.arguments[parameter] = file;
    } else if (!['shape', 'threads', 'memory-limit', 'time-limit', 'max-memory'].includes(name)) return undefined;
  }
  return inputs;
}

/** One line about a value: what it is if it is short, else from where to where it goes. */
export function shortValue({ leaves }: ValueAnswer): string {
  const [leaf] = leaves;
  if (leaf === undefined) return '';
  const literal = leaf.literal.replace(/\s+/g, ' ');
  const one = literal !== '' && !leaf.isShortened && literal.length <= 60
    ? literal
    : `${number(leaf.min)} to ${number(leaf.max)}, mean ${number(leaf.mean)}${leaf.nans > 0 ? `, ${leaf.nans} NaN` : ''}`;
  return leaves.length === 1 ? one : `${one}, and ${leaves.length - 1} more`;
}
