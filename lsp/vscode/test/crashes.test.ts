// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Crashes } from '../src/server/crashes';

test('a server that crashes starts again at once', () => {
  const crashes = new Crashes();
  for (let k = 0; k < 5; ++k) assert.deepEqual(crashes.add(1000 * k), { delay: 0, isFirstRepeated: false });
});

test('one that keeps crashing waits, with one message', () => {
  const crashes = new Crashes();
  for (let k = 0; k < 5; ++k) crashes.add(k);
  assert.deepEqual(crashes.add(5), { delay: 15_000, isFirstRepeated: true });
  assert.deepEqual(crashes.add(15_000), { delay: 15_000, isFirstRepeated: false });
});

test('crashes of long ago do not count', () => {
  const crashes = new Crashes();
  for (let k = 0; k < 6; ++k) crashes.add(k);
  assert.deepEqual(crashes.add(120_000), { delay: 0, isFirstRepeated: false });
});
