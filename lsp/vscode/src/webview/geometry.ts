// SPDX-License-Identifier: Apache-2.0
// Moving through boxes on a plane with arrow keys.

export interface Box {
  x: number;
  y: number;
}
export type Direction = 'up' | 'down' | 'left' | 'right';

/** The index of the box to go to, or undefined at the edge: near in the direction, with little to the side. */
export function neighbour(boxes: readonly Box[], from: number, direction: Direction): number | undefined {
  const start = boxes[from];
  if (start === undefined) return undefined;
  let best: number | undefined;
  let bestCost = Infinity;
  boxes.forEach((box, index) => {
    const dx = box.x - start.x, dy = box.y - start.y;
    const vertical = direction === 'up' || direction === 'down';
    const forward = direction === 'up' ? -dy : direction === 'down' ? dy : direction === 'left' ? -dx : dx;
    const aside = Math.abs(vertical ? dx : dy);
    if (index === from || forward <= 1) return;
    const cost = forward + 2 * aside;
    if (cost >= bestCost) return;
    best = index;
    bestCost = cost;
  });
  return best;
}
