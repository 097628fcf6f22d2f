// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valuePage } from '../src/commands/valuePage';
import { MOST_COLUMNS, MOST_PLANES, memoryColumns, numberOf, planesOf, shapeParts } from '../src/drawing/grids';

test('planes hold the elements of the last two dimensions', () => {
  const { planes, isWhole } = planesOf([2, 3, 4]);
  assert.ok(isWhole);
  assert.deepEqual(planes.map((plane) => plane.prefix), [[0], [1]]);
  assert.deepEqual(planes[1]!.rows[2]![3], { element: 23, index: [1, 2, 3] });
  for (const plane of planes) for (const row of plane.rows) for (const { element, index } of row) assert.equal(numberOf(index, [2, 3, 4]), element);
});

test('vectors and scalars are planes too', () => {
  assert.deepEqual(planesOf([3]).planes[0]!.rows, [[0, 1, 2].map((at) => ({ element: at, index: [at] }))]);
  assert.deepEqual(planesOf([]).planes, [{ prefix: [], rows: [[{ element: 0, index: [] }]] }]);
  assert.deepEqual(planesOf([0, 3]).planes[0]!.rows, []);
});

test('of large arrays the beginning is drawn', () => {
  const { planes, isWhole } = planesOf([100, 50, 200]);
  assert.ok(!isWhole);
  assert.equal(planes.length, MOST_PLANES);
  assert.equal(planes[0]!.rows[0]!.length, MOST_COLUMNS);
  assert.equal(planes[1]!.rows[0]![0]!.element, 50 * 200);
});

test('memory is as wide as what lies together', () => {
  assert.equal(memoryColumns([4, 6], [1, 0]), 6);
  assert.equal(memoryColumns([4, 100], [1, 0]), 16);
  assert.equal(memoryColumns([], []), 16);
});

test('shapes come apart', () => {
  assert.deepEqual(shapeParts('f32[8,<=16]{1,0}'), { type: 'f32', sizes: ['8', '<=16'] });
  assert.deepEqual(shapeParts('pred[]'), { type: 'pred', sizes: [] });
  assert.equal(shapeParts('(f32[])'), undefined);
});

test('a value as text', () => {
  const leaf = { shape: 'f32[2]', literal: '{1, 2}', isShortened: false, count: 2, min: 1, max: 'inf', mean: 1.5, standardDeviation: 0.5, zeros: 0, nans: 0, infinities: 1 };
  const text = valuePage('x = add(a, b)', 'parameters ones', { leaves: [leaf], executed: 3, where: 'main', filledConstants: true });
  assert.match(text, /^x = add\(a, b\)\n\nComputed with parameters ones after 3 instructions, in main\.\nConstants/);
  assert.match(text, /1 to inf, mean 1\.5, standard deviation 0\.5\n  2 elements, 0 zero, 0 NaN, 1 infinite\n\{1, 2\}\n/);
});
