// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDebugValue, type Session, type Variable } from '../src/tensor/debugValue';
import { Tensor } from '../src/tensor/tensor';

const texts = (tensor: Tensor | string): string[] => {
  assert.ok(typeof tensor !== 'string', String(tensor));
  return [...Array(tensor.count).keys()].map((index) => tensor.text(index));
};
const variable = (more: Partial<Variable>): Variable => ({ name: 'x', value: '...', variablesReference: 0, ...more });

/** Answers readMemory from bytes, at most `piece` at a time. */
function memory(bytes: Uint8Array, piece: number): Session {
  return {
    async customRequest(command, given) {
      assert.equal(command, 'readMemory');
      const { offset, count, memoryReference } = given as { offset: number; count: number; memoryReference: string };
      assert.equal(memoryReference, 'm1');
      return { address: '0', data: Buffer.from(bytes.subarray(offset, offset + Math.min(count, piece))).toString('base64') };
    },
  };
}

test('reads memory, in as many pieces as the adapter makes of it', async () => {
  const bytes = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
  const value = variable({ type: 'f32[2,2]{1,0}', memoryReference: 'm1' });
  assert.deepEqual(texts(await readDebugValue(memory(bytes, 5), value)), ['1', '2', '3', '4']);
  assert.match((await readDebugValue(memory(bytes.subarray(0, 8), 64), value)) as string, /gave 8 of 16 bytes/);
});

test('without memory, reads elements dimension by dimension', async () => {
  const rows = [['1', '-inf'], ['nan', '2.5']];
  const session: Session = {
    async customRequest(command, given) {
      assert.equal(command, 'variables');
      const { variablesReference, start, count } = given as { variablesReference: number; start: number; count: number };
      const all = variablesReference === 1
        ? rows.map((_, row) => variable({ variablesReference: 10 + row }))
        : rows[variablesReference - 10]!.map((value) => variable({ value }));
      return { variables: all.slice(start, start + Math.min(count, 1)) };
    },
  };
  const value = variable({ type: 'f32[2,2]', variablesReference: 1 });
  assert.deepEqual(texts(await readDebugValue(session, value)), ['1', '-inf', 'nan', '2.5']);
});

test('says why a value cannot be shown', async () => {
  const silent: Session = { customRequest: async () => ({ variables: [] }) };
  assert.match((await readDebugValue(silent, variable({ type: '(f32, token)' }))) as string, /not an array/);
  assert.match((await readDebugValue(silent, variable({ type: 'f32[1000000,1000000]' }))) as string, /at most/);
  assert.match((await readDebugValue(silent, variable({ type: 'f32[1000,1000]' }))) as string, /too large to read by elements/);
  assert.match((await readDebugValue(silent, variable({ type: 'f32[3]', variablesReference: 1 }))) as string, /0 of 3 elements/);
  assert.match((await readDebugValue(silent, variable({ type: 'f32[]', value: 'dropped' }))) as string, /not a number/);
});
