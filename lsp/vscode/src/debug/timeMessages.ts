// SPDX-License-Identifier: Apache-2.0
// What the time slider and the extension say to each other.

export interface RunTime {
  position: number;
  /** The last position that can be gone to. */
  known: number;
  finished: boolean;
}

export type ToTimeView = { kind: 'time'; time: RunTime } | { kind: 'none' } | { kind: 'running' };
export type FromTimeView = { kind: 'ready' } | { kind: 'go'; position: number };

/** "step 12 of 40", "the beginning", "the end". */
export function timeText({ position, known, finished }: RunTime): string {
  if (finished && position === known) return `the end, after ${position} ${position === 1 ? 'step' : 'steps'}`;
  if (position === 0) return known === 0 ? 'the beginning' : `the beginning of ${known} steps`;
  return position === known ? `step ${position}` : `step ${position} of ${known} that are known`;
}
