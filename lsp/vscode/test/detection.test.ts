// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startsWithModule } from '../src/text/detection';
import { linesOf } from '../src/text/lines';

const detects = (text: string): boolean => startsWithModule(linesOf(text));

test('recognises modules after comments and empty lines', () => {
  assert.ok(detects('HloModule m\n'));
  assert.ok(detects('\uFEFFHloModule m'));
  assert.ok(detects('\r\n// a dump\r\n  HloModule m'));
  assert.ok(detects('/* licence\n more */ /* again */ HloModule m'));
});

test('leaves other texts alone', () => {
  assert.ok(!detects(''));
  assert.ok(!detects('HloModules are nice'));
  assert.ok(!detects('About HloModule'));
  assert.ok(!detects('/* HloModule m'));
  assert.ok(!detects('\n'.repeat(200) + 'HloModule m'));
});
