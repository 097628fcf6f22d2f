// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf, run } from '../src/programs/process';

const script = (text: string, options = {}) => run(process.execPath, ['-e', text], options);

test('hands over input and output', async () => {
  let seen = '';
  const outcome = await script('process.stdin.pipe(process.stdout)', { input: 'h\u00e9llo', onText: (text: string) => (seen += text) });
  assert.equal(outcome.output.toString('utf8'), 'h\u00e9llo');
  assert.equal(seen, 'h\u00e9llo');
  assert.equal(failureOf(outcome), undefined);
});

test('tells why a program failed', async () => {
  assert.equal(failureOf(await script('console.error("\\nbad module\\nmore"); process.exit(1)')), 'bad module');
  assert.equal(failureOf(await script('process.exit(3)')), 'it ended with status 3');
  assert.match(failureOf(await run('/nowhere/program', [])) ?? '', /ENOENT/);
});

test('ends programs that take too long, write too much or are not wanted any more', async () => {
  const forever = 'setInterval(() => undefined, 1000)';
  assert.match(failureOf(await script(forever, { timeLimit: 200 })) ?? '', /no answer within 0.2 s/);
  assert.match(failureOf(await script('process.stdout.write("x".repeat(5000))', { outputLimit: 100 })) ?? '', /more than 100 bytes/);
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 100);
  assert.equal(failureOf(await script(forever, { signal: abort.signal })), 'cancelled');
});

test('a program may ignore its input', async () => {
  assert.equal(failureOf(await script('process.exit(0)', { input: 'x'.repeat(1 << 20) })), undefined);
});
