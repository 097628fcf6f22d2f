// SPDX-License-Identifier: Apache-2.0
// When to start a server that crashed again: at once, unless it crashes over and over.

/** Crashes within this time count, in ms. */
const WINDOW = 60_000;
/** So many of them are followed by a start at once. */
const AT_ONCE = 5;
/** After more of them the next start waits so long, in ms. */
const DELAY = 15_000;

export interface Crash {
  /** How long to wait before the server starts again, in ms. */
  delay: number;
  /** The first crash after which there is a wait: time to tell. */
  isFirstRepeated: boolean;
}

export class Crashes {
  private times: number[] = [];
  private wasRepeated = false;

  /** Counts a crash at the time `now` (ms). */
  add(now: number): Crash {
    this.times = this.times.filter((time) => now - time < WINDOW);
    this.times.push(now);
    const isRepeated = this.times.length > AT_ONCE;
    const isFirstRepeated = isRepeated && !this.wasRepeated;
    this.wasRepeated = isRepeated;
    return { delay: isRepeated ? DELAY : 0, isFirstRepeated };
  }
}
