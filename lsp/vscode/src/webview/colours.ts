// SPDX-License-Identifier: Apache-2.0
// The colours of heat maps: from dark blue over green to yellow, even in brightness and readable for the colour-blind.

// Every eighth of the scale, as red, green, blue.
const STOPS: readonly (readonly [number, number, number])[] = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [144, 215, 67],
  [253, 231, 37],
];

/** The colour at 0 to 1. */
export function heatColour(position: number): [number, number, number] {
  const scaled = Math.min(Math.max(position, 0), 1) * (STOPS.length - 1);
  const below = Math.min(Math.floor(scaled), STOPS.length - 2);
  const part = scaled - below;
  const from = STOPS[below]!, to = STOPS[below + 1]!;
  return [0, 1, 2].map((channel) => Math.round(from[channel]! + (to[channel]! - from[channel]!) * part)) as [number, number, number];
}
