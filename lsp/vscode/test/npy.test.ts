// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNpy } from '../src/tensor/npy';
import { Tensor } from '../src/tensor/tensor';

function file(header: string, data: Uint8Array, version = 1): Uint8Array {
  const text = Buffer.from(header + '\n');
  const length = Buffer.alloc(version === 1 ? 2 : 4);
  if (version === 1) length.writeUInt16LE(text.length);
  else length.writeUInt32LE(text.length);
  return Buffer.concat([Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]), length, text, data]);
}
const texts = (tensor: Tensor | string): string[] => {
  assert.ok(typeof tensor !== 'string', String(tensor));
  return [...Array(tensor.count).keys()].map((index) => tensor.text(index));
};
const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

test('reads the kinds of files that NumPy writes', () => {
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  for (const version of [1, 2, 3]) {
    assert.deepEqual(texts(readNpy(file(header, floats(1, 2, 3, 4, 5, 6), version))), ['1', '2', '3', '4', '5', '6']);
  }
  assert.deepEqual(texts(readNpy(file("{'descr': '|b1', 'fortran_order': False, 'shape': (), }", Uint8Array.of(1)))), ['true']);
});

test('column-major files come out row-major', () => {
  const header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";
  assert.deepEqual(texts(readNpy(file(header, floats(1, 4, 2, 5, 3, 6)))), ['1', '2', '3', '4', '5', '6']);
});

test('bits of types that NumPy lacks are read as such', () => {
  const bits = file("{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }", Uint8Array.of(0x80, 0x3f));
  assert.deepEqual(texts(readNpy(bits, { type: 'bf16', dimensions: [1] })), ['1']);
  assert.deepEqual(texts(readNpy(bits, { type: 'bf16', dimensions: [2] })), ['16256']);
  assert.deepEqual(texts(readNpy(bits)), ['16256']);
});

test('broken files are described', () => {
  const good = file("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", floats(1, 2, 3, 4));
  assert.match(readNpy(new Uint8Array(0)) as string, /not an \.npy file/);
  assert.match(readNpy(good.subarray(0, 20)) as string, /header .* cut off/);
  assert.match(readNpy(good.subarray(0, good.length - 1)) as string, /data .* cut off/);
  assert.match(readNpy(file("{'descr': '>f4', 'fortran_order': False, 'shape': (), }", floats(1))) as string, /Big-endian/);
  assert.match(readNpy(file("{'descr': '<U4', 'fortran_order': False, 'shape': (), }", floats(1))) as string, /not understood|not supported/);
  assert.match(readNpy(file('{}', floats(1))) as string, /not understood/);
});
