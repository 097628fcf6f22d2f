// SPDX-License-Identifier: Apache-2.0
// Two-dimensional slices of tensors, for the table and the heat map.
import type { Tensor } from './tensor';

/** Which slice: the axes along rows and columns (undefined: one row, one column), and an index for each other axis. */
export interface Plane {
  rowAxis?: number;
  columnAxis?: number;
  /** By axis; those of the row and column axes are not looked at. Missing ones are 0. */
  fixed: number[];
}

export interface Window {
  row: number;
  rows: number;
  column: number;
  columns: number;
}

/** The plane shown first: the last two axes. */
export function firstPlane(rank: number): Plane {
  return {
    rowAxis: rank >= 2 ? rank - 2 : undefined,
    columnAxis: rank >= 1 ? rank - 1 : undefined,
    fixed: new Array<number>(rank).fill(0),
  };
}

const valid = (axis: number | undefined, rank: number): axis is number =>
  axis !== undefined && Number.isInteger(axis) && axis >= 0 && axis < rank;

/** A plane of this tensor that is as close as possible to what was asked for. */
export function clampPlane(tensor: Tensor, plane: Plane): Plane {
  const rank = tensor.dimensions.length;
  const rowAxis = valid(plane.rowAxis, rank) ? plane.rowAxis : undefined;
  let columnAxis = valid(plane.columnAxis, rank) ? plane.columnAxis : undefined;
  if (columnAxis !== undefined && columnAxis === rowAxis) columnAxis = undefined;
  const fixed = tensor.dimensions.map((size, axis) => {
    const wanted = Math.trunc(Number(plane.fixed[axis] ?? 0)) || 0;
    return Math.min(Math.max(wanted, 0), Math.max(size - 1, 0));
  });
  return { rowAxis, columnAxis, fixed };
}

export interface PlaneLayout {
  rows: number;
  columns: number;
  /** The element's index in row-major order. */
  index(row: number, column: number): number;
}

export function planeLayout(tensor: Tensor, asked: Plane): PlaneLayout {
  const plane = clampPlane(tensor, asked);
  const strides = tensor.strides();
  let base = 0;
  plane.fixed.forEach((index, axis) => {
    if (axis !== plane.rowAxis && axis !== plane.columnAxis) base += index * strides[axis]!;
  });
  const along = (axis: number | undefined): [number, number] =>
    axis === undefined ? [1, 0] : [tensor.dimensions[axis]!, strides[axis]!];
  const [rows, rowStride] = along(plane.rowAxis);
  const [columns, columnStride] = along(plane.columnAxis);
  const empty = tensor.count === 0;
  return {
    rows: empty ? 0 : rows,
    columns: empty ? 0 : columns,
    index: (row, column) => base + row * rowStride + column * columnStride,
  };
}

/** The cells of a window, as texts; what lies outside of the plane is left out. */
export function cells(tensor: Tensor, plane: Plane, window: Window): string[][] {
  const layout = planeLayout(tensor, plane);
  const result: string[][] = [];
  for (let row = window.row; row < Math.min(window.row + window.rows, layout.rows); ++row) {
    const line: string[] = [];
    for (let column = window.column; column < Math.min(window.column + window.columns, layout.columns); ++column) {
      line.push(tensor.text(layout.index(row, column)));
    }
    result.push(line);
  }
  return result;
}

export interface Heat {
  /** Of the picture, at most `limit` each. */
  rows: number;
  columns: number;
  /** Of the plane. */
  planeRows: number;
  planeColumns: number;
  /** Row by row: the mean of the finite elements that a point of the picture stands for; NaN if there are none. */
  values: number[];
  /** Of the points; both 0 if no element is finite. */
  smallest: number;
  largest: number;
}

/** A picture of the plane with at most `limit` by `limit` points. */
export function heat(tensor: Tensor, plane: Plane, limit: number): Heat {
  const layout = planeLayout(tensor, plane);
  const rows = Math.min(layout.rows, limit), columns = Math.min(layout.columns, limit);
  const values: number[] = [];
  let smallest = Infinity, largest = -Infinity;
  for (let row = 0; row < rows; ++row) {
    const rowBegin = Math.floor((row * layout.rows) / rows), rowEnd = Math.floor(((row + 1) * layout.rows) / rows);
    for (let column = 0; column < columns; ++column) {
      const begin = Math.floor((column * layout.columns) / columns);
      const end = Math.floor(((column + 1) * layout.columns) / columns);
      let sum = 0, finite = 0;
      for (let y = rowBegin; y < rowEnd; ++y) {
        for (let x = begin; x < end; ++x) {
          const value = tensor.number(layout.index(y, x));
          if (!Number.isFinite(value)) continue;
          sum += value;
          ++finite;
        }
      }
      const mean = finite === 0 ? NaN : sum / finite;
      values.push(mean);
      if (finite === 0) continue;
      smallest = Math.min(smallest, mean);
      largest = Math.max(largest, mean);
    }
  }
  if (smallest > largest) smallest = largest = 0;
  return { rows, columns, planeRows: layout.rows, planeColumns: layout.columns, values, smallest, largest };
}
