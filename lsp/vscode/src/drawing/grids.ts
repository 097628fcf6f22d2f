// SPDX-License-Identifier: Apache-2.0
// Where the drawing view puts elements and cells: plain arithmetic, without a page.

/** Elements of one picture; of larger arrays the first ones are drawn. */
export const MOST_ROWS = 32;
export const MOST_COLUMNS = 32;
export const MOST_PLANES = 4;
export const MOST_CELLS = 1024;

export interface ElementCell {
  /** Row-major number of the element. */
  element: number;
  index: number[];
}
export interface Plane {
  /** Indices along all dimensions but the last two. */
  prefix: number[];
  rows: ElementCell[][];
}
export interface Planes {
  planes: Plane[];
  isWhole: boolean;
}

/** The array cut into planes of its last two dimensions. A vector is one row. */
export function planesOf(dimensions: readonly number[]): Planes {
  const rank = dimensions.length;
  const rows = rank >= 2 ? dimensions[rank - 2]! : 1;
  const columns = rank >= 1 ? dimensions[rank - 1]! : 1;
  const outer = dimensions.slice(0, Math.max(rank - 2, 0));
  const count = outer.reduce((product, size) => product * size, 1);
  const planes: Plane[] = [];
  for (let plane = 0; plane < Math.min(count, MOST_PLANES); ++plane) {
    const prefix: number[] = [];
    for (let axis = outer.length - 1, rest = plane; axis >= 0; --axis) {
      prefix.unshift(rest % outer[axis]!);
      rest = Math.floor(rest / outer[axis]!);
    }
    const lines: ElementCell[][] = [];
    for (let row = 0; row < Math.min(rows, MOST_ROWS); ++row) {
      const line: ElementCell[] = [];
      for (let column = 0; column < Math.min(columns, MOST_COLUMNS); ++column) {
        const index = [...prefix, ...(rank >= 2 ? [row] : []), ...(rank >= 1 ? [column] : [])];
        line.push({ element: (plane * rows + row) * columns + column, index });
      }
      lines.push(line);
    }
    planes.push({ prefix, rows: lines });
  }
  return { planes, isWhole: count <= MOST_PLANES && rows <= MOST_ROWS && columns <= MOST_COLUMNS };
}

/** Row-major number of an element. */
export function numberOf(index: readonly number[], dimensions: readonly number[]): number {
  return index.reduce((number, at, axis) => number * dimensions[axis]! + at, 0);
}

/** Cells beside one another: a power of two that suits what lies together in the layout. */
export function memoryColumns(dimensions: readonly number[], minorToMajor: readonly number[]): number {
  const minor = dimensions[minorToMajor[0] ?? 0] ?? 1;
  if (minor >= 4 && minor <= 16) return minor;
  return 16;
}

/** "f32[8,<=16]{1,0}" in its parts: "f32", ["8", "<=16"]. */
export function shapeParts(text: string): { type: string; sizes: string[] } | undefined {
  const match = /^([a-z][a-z0-9]*)\[([^\]]*)\]/.exec(text);
  if (match === null) return undefined;
  const inner = match[2]!.trim();
  return { type: match[1]!, sizes: inner === '' ? [] : inner.split(',').map((size) => size.trim()) };
}
