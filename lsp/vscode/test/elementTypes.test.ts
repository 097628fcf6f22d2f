// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codecOf } from '../src/tensor/elementTypes';

function read(type: string, ...bytes: number[]): [number, string] {
  const view = new DataView(Uint8Array.from(bytes).buffer);
  const codec = codecOf(type)!;
  assert.equal(codec.size, bytes.length, type);
  return [codec.number(view, 0), codec.text(view, 0)];
}

test('integers of every width', () => {
  assert.deepEqual(read('s8', 0xff), [-1, '-1']);
  assert.deepEqual(read('u16', 0x01, 0x02), [513, '513']);
  assert.deepEqual(read('s4', 0x0f), [-1, '-1']);
  assert.deepEqual(read('u4', 0x0f), [15, '15']);
  assert.deepEqual(read('s2', 0x02), [-2, '-2']);
  assert.equal(read('s64', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)[1], '9223372036854775807');
  assert.deepEqual(read('pred', 1), [1, 'true']);
});

test('floating-point numbers print with the digits that tell them apart', () => {
  assert.equal(read('f32', 0xcd, 0xcc, 0xcc, 0x3d)[1], '0.100000001');
  assert.equal(read('f32', 0, 0, 0xc0, 0x7f)[1], 'nan');
  assert.equal(read('f32', 0, 0, 0x80, 0xff)[1], '-inf');
  assert.equal(read('f64', 0, 0, 0, 0, 0, 0, 0, 0x80)[1], '-0');
  assert.deepEqual(read('bf16', 0x80, 0x3f), [1, '1']);
  assert.deepEqual(read('bf16', 0x49, 0x40), [3.140625, '3.141']);
  assert.deepEqual(read('f16', 0xff, 0x7b), [65504, '65504']);
  assert.deepEqual(read('f16', 1, 0), [2 ** -24, '5.9605e-8']);
});

test('the eight-bit formats differ in range, zeros and NaNs', () => {
  assert.equal(read('f8e5m2', 0x7b)[0], 57344);
  assert.equal(read('f8e5m2', 0x7c)[0], Infinity);
  assert.equal(read('f8e4m3fn', 0x7e)[0], 448);
  assert.ok(Number.isNaN(read('f8e4m3fn', 0xff)[0]));
  assert.equal(read('f8e4m3', 0x77)[0], 240);
  assert.equal(read('f8e4m3', 0xf8)[0], -Infinity);
  assert.equal(read('f8e4m3fnuz', 0x7f)[0], 240);
  assert.ok(Number.isNaN(read('f8e4m3fnuz', 0x80)[0]));
  assert.equal(read('f8e4m3b11fnuz', 0x7f)[0], 30);
  assert.equal(read('f8e5m2fnuz', 0x7f)[0], 57344);
  assert.equal(read('f8e3m4', 0x6f)[0], 15.5);
  assert.equal(read('f8e8m0fnu', 127)[0], 1);
  assert.ok(Number.isNaN(read('f8e8m0fnu', 255)[0]));
  assert.equal(read('f4e2m1fn', 0x07)[0], 6);
  assert.equal(read('f4e2m1fn', 0x09)[0], -0.5);
});

test('complex numbers count by magnitude', () => {
  assert.deepEqual(read('c64', 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40), [5, '(3, 4)']);
});

test('other types have no elements', () => {
  for (const type of ['token', 'opaque', 'f33', 'constructor', '']) assert.equal(codecOf(type), undefined);
});
