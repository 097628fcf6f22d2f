// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine, FILE, formatWords, OTHER, PROFILE, picturesOf } from '../src/commands/pictures';

test('what can be drawn follows from the instruction', () => {
  const run = ['--fill=ones'];
  const all = picturesOf(
    { instruction: 'b.1', computation: 'e', shape: 'f32[4,3]{1,0}', broadcast: { lhs: 'f32[4,3]', rhs: 'f32[3]', dimensions: [1] } }, run);
  assert.deepEqual(all.map(({ words }) => words), [
    ['graph', FILE, '--computation=e', '--around=b.1', '--depth=3'],
    ['graph', FILE, '--computation=e'],
    ['value', FILE, 'e::b.1', '--fill=ones'],
    ['layout', 'f32[4,3]{1,0}'],
    ['broadcast', 'f32[4,3]', 'f32[3]', '--dims=1'],
    ['run', FILE, '--fill=ones'],
    ['compare', FILE, OTHER, '--fill=ones'],
    ['memory', FILE],
    ['diff', OTHER, FILE],
    ['profile', PROFILE],
  ]);
  assert.deepEqual(picturesOf({ instruction: 't', computation: 'e' }, []).map(({ words }) => words[0]), ['graph', 'graph', 'value', 'run', 'compare', 'memory', 'diff', 'profile']);
  // Nowhere near an instruction: what is about the module.
  assert.deepEqual(picturesOf(undefined, []).map(({ words }) => words[0]), ['run', 'compare', 'memory', 'diff', 'profile']);
});

test('every picture has every format', () => {
  for (const picture of picturesOf({ instruction: 'x', computation: 'e', shape: 'f32[]' }, [])) {
    for (const format of ['svg', 'png', 'pdf', 'html'] as const) {
      const words = formatWords(picture, format, `/tmp/a.${format}`);
      if (picture.fileOption !== undefined) assert.deepEqual(words, [`--trace=/tmp/a.${format}`]);
      else assert.deepEqual(words, format === 'html' ? ['--html=-'] : [`--format=${format}`]);
    }
  }
});

test('commands are written as shells read them', () => {
  assert.equal(commandLine(['layout', 'f32[2]{0}', '--format=svg']), "hloscope layout 'f32[2]{0}' --format=svg");
  assert.equal(commandLine(['graph', "it's.hlo"]), "hloscope graph 'it'\\''s.hlo'");
});
