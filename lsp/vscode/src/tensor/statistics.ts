// SPDX-License-Identifier: Apache-2.0
// Statistics and histogram of all elements of a tensor, in two passes.
import type { Tensor } from './tensor';

export interface Statistics {
  count: number;
  /** Of the finite elements; undefined if there are none. */
  smallest?: number;
  largest?: number;
  mean?: number;
  /** Of the whole population. */
  deviation?: number;
  zeros: number;
  nans: number;
  infinities: number;
}

export interface Histogram {
  /** Left edge of the first bin and right edge of the last. */
  from: number;
  to: number;
  counts: number[];
}

export function statisticsOf(tensor: Tensor): Statistics {
  const result: Statistics = { count: tensor.count, zeros: 0, nans: 0, infinities: 0 };
  // Welford's update: exact enough for large offsets.
  let finite = 0, mean = 0, squares = 0, smallest = Infinity, largest = -Infinity;
  for (let index = 0; index < tensor.count; ++index) {
    const value = tensor.number(index);
    if (Number.isNaN(value)) {
      ++result.nans;
      continue;
    }
    if (!Number.isFinite(value)) {
      ++result.infinities;
      continue;
    }
    if (value === 0) ++result.zeros;
    if (value < smallest) smallest = value;
    if (value > largest) largest = value;
    ++finite;
    const difference = value - mean;
    mean += difference / finite;
    squares += difference * (value - mean);
  }
  if (finite === 0) return result;
  return { ...result, smallest, largest, mean, deviation: Math.sqrt(squares / finite) };
}

/** Of the finite elements; undefined if there are none. The last bin includes its right edge. */
export function histogramOf(tensor: Tensor, statistics: Statistics, bins: number): Histogram | undefined {
  const { smallest: from, largest: to } = statistics;
  if (from === undefined || to === undefined) return undefined;
  const counts = new Array<number>(bins).fill(0);
  // Differences of the largest numbers overflow: scale before subtracting.
  const scale = (value: number): number => (to === from ? 0 : (value / 2 - from / 2) / (to / 2 - from / 2));
  for (let index = 0; index < tensor.count; ++index) {
    const value = tensor.number(index);
    if (!Number.isFinite(value)) continue;
    counts[Math.min(bins - 1, Math.floor(scale(value) * bins))]! += 1;
  }
  return { from, to, counts };
}
