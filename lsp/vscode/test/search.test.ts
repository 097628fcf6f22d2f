// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidates, isFound, search, type Surroundings, type Trial } from '../src/programs/search';

const AROUND: Surroundings = {
  configured: {}, extensionFolder: '/ext', searchPath: '/a:/b', home: '/home/me', workspaceFolder: '/ws', platform: 'linux',
};
const files = (program: Parameters<typeof candidates>[0], around: Partial<Surroundings> = {}): string[] =>
  candidates(program, { ...AROUND, ...around }).map(({ file }) => file);

test('looks in the package, then on the PATH', () => {
  assert.deepEqual(files('hloscope-lsp'), ['/ext/server/bin/hloscope-lsp', '/a/hloscope-lsp', '/b/hloscope-lsp']);
  assert.deepEqual(files('hloscope', { searchPath: '' }), ['/ext/server/bin/hloscope']);
});

test('a setting decides alone', () => {
  const configured = (value: string): string[] => files('hloscope-lsp', { configured: { 'hloscope-lsp': value } });
  assert.deepEqual(configured('/x/server'), ['/x/server']);
  assert.deepEqual(configured(' ~/bin/server '), ['/home/me/bin/server']);
  assert.deepEqual(configured('${workspaceFolder}/build/server'), ['/ws/build/server']);
  assert.deepEqual(configured('./build/server'), ['/ws/build/server']);
  assert.deepEqual(configured('server'), ['/a/server', '/b/server']);
});

test('the other programs may be beside a configured server', () => {
  const around = { configured: { 'hloscope-lsp': '/x/hloscope-lsp' }, searchPath: '' };
  assert.deepEqual(files('hloscope', around), ['/x/hloscope', '/ext/server/bin/hloscope']);
});

const attempts = (works: Record<string, Trial>) => async (file: string): Promise<Trial> => works[file] ?? { kind: 'missing' };

test('takes the first that works', async () => {
  const result = await search('hloscope', AROUND, attempts({
    '/ext/server/bin/hloscope': { kind: 'fails', reason: 'libfoo.so is missing' },
    '/b/hloscope': { kind: 'works', version: 'hloscope 1' },
  }));
  assert.deepEqual(result, { file: '/b/hloscope', version: 'hloscope 1' });
});

test('says what was tried and what is wrong', async () => {
  const missing = await search('hloscope', AROUND, attempts({}));
  assert.ok(!isFound(missing));
  assert.match(missing.problem, /neither in the extension's package nor on the PATH/);
  assert.equal(missing.tried.length, 3);
  const broken = await search('hloscope', AROUND, attempts({ '/a/hloscope': { kind: 'fails', reason: 'libfoo.so is missing' } }));
  assert.ok(!isFound(broken));
  assert.equal(broken.problem, '/a/hloscope does not run: libfoo.so is missing');
  const configured = await search('hloscope', { ...AROUND, configured: { hloscope: '/no' } }, attempts({}));
  assert.ok(!isFound(configured));
  assert.match(configured.problem, /setting hloscope\.command\.path names a program that does not exist/);
});
