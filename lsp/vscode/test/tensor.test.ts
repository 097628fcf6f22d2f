// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, clampPlane, firstPlane, heat, planeLayout } from '../src/tensor/plane';
import { histogramOf, statisticsOf } from '../src/tensor/statistics';
import { parseArrayShape, parseLeafShapes, Tensor } from '../src/tensor/tensor';

function floats(dimensions: number[], values: number[]): Tensor {
  const tensor = Tensor.create('f32', dimensions, new Uint8Array(Float32Array.from(values).buffer));
  assert.ok(typeof tensor !== 'string', String(tensor));
  return tensor;
}
const iota = (dimensions: number[]): Tensor =>
  floats(dimensions, [...Array(dimensions.reduce((a, b) => a * b, 1)).keys()]);

test('reads shapes with layouts and bounds', () => {
  assert.deepEqual(parseArrayShape('f32[8,<=16]{1,0:T(8,128)}'), { type: 'f32', dimensions: [8, 16] });
  assert.deepEqual(parseArrayShape('pred[]'), { type: 'pred', dimensions: [] });
  assert.equal(parseArrayShape('token[]'), undefined);
  assert.deepEqual(parseLeafShapes('(bf16[2]{0}, (s32[], u8[0,3]))'), [
    { type: 'bf16', dimensions: [2] }, { type: 's32', dimensions: [] }, { type: 'u8', dimensions: [0, 3] },
  ]);
});

test('too few bytes are reported, not read', () => {
  assert.match(Tensor.create('f32', [2], new Uint8Array(4)) as string, /takes 8 bytes, but there are 4/);
  assert.match(Tensor.create('token', [], new Uint8Array(0)) as string, /cannot be shown/);
});

test('planes of a tensor of three dimensions', () => {
  const tensor = iota([2, 3, 4]);
  const whole = { row: 0, rows: 10, column: 0, columns: 10 };
  assert.deepEqual(cells(tensor, firstPlane(3), whole), [['0', '1', '2', '3'], ['4', '5', '6', '7'], ['8', '9', '10', '11']]);
  const turned = { rowAxis: 2, columnAxis: 0, fixed: [0, 1, 0] };
  assert.deepEqual(cells(tensor, turned, whole), [['4', '16'], ['5', '17'], ['6', '18'], ['7', '19']]);
  assert.deepEqual(cells(tensor, turned, { row: 3, rows: 5, column: 1, columns: 5 }), [['19']]);
  assert.deepEqual(cells(tensor, { fixed: [1, 2, 3] }, whole), [['23']]);
});

test('planes that do not exist become ones that do', () => {
  const tensor = iota([2, 3]);
  assert.deepEqual(clampPlane(tensor, { rowAxis: 7, columnAxis: -1, fixed: [9, NaN] }), {
    rowAxis: undefined, columnAxis: undefined, fixed: [1, 0],
  });
  assert.equal(clampPlane(tensor, { rowAxis: 1, columnAxis: 1, fixed: [] }).columnAxis, undefined);
});

test('scalars and empty tensors have planes too', () => {
  assert.deepEqual(cells(iota([]), firstPlane(0), { row: 0, rows: 5, column: 0, columns: 5 }), [['0']]);
  const empty = planeLayout(iota([0, 3]), firstPlane(2));
  assert.deepEqual([empty.rows, empty.columns], [0, 0]);
});

test('heat maps average and leave out what is not finite', () => {
  const tensor = floats([2, 4], [0, 2, 4, 6, NaN, NaN, Infinity, 8]);
  const small = heat(tensor, firstPlane(2), 2);
  assert.deepEqual([small.rows, small.columns], [2, 2]);
  assert.deepEqual(small.values, [1, 5, NaN, 8]);
  assert.deepEqual([small.smallest, small.largest], [1, 8]);
  assert.deepEqual(heat(floats([1], [NaN]), firstPlane(1), 8).largest, 0);
});

test('statistics count what is special and describe the rest', () => {
  const statistics = statisticsOf(floats([6], [0, 2, 4, NaN, Infinity, -Infinity]));
  assert.deepEqual({ ...statistics, deviation: Math.round(statistics.deviation! * 1e6) / 1e6 }, {
    count: 6, zeros: 1, nans: 1, infinities: 2, smallest: 0, largest: 4, mean: 2, deviation: 1.632993,
  });
  assert.deepEqual(statisticsOf(floats([1], [NaN])), { count: 1, zeros: 0, nans: 1, infinities: 0 });
});

test('histograms hold every finite element once', () => {
  const tensor = floats([6], [0, 1, 2, 3, 4, NaN]);
  assert.deepEqual(histogramOf(tensor, statisticsOf(tensor), 4), { from: 0, to: 4, counts: [1, 1, 1, 2] });
  const same = floats([3], [7, 7, 7]);
  assert.deepEqual(histogramOf(same, statisticsOf(same), 2)?.counts, [3, 0]);
  const wide = Tensor.create('f64', [2], new Uint8Array(Float64Array.from([-Number.MAX_VALUE, Number.MAX_VALUE]).buffer)) as Tensor;
  assert.deepEqual(histogramOf(wide, statisticsOf(wide), 2)?.counts, [1, 1]);
  assert.equal(histogramOf(floats([1], [NaN]), statisticsOf(floats([1], [NaN])), 2), undefined);
});
