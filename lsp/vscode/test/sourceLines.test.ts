// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeText as stepText } from '../src/debug/timeMessages';
import { runInputs, shortValue } from '../src/python/lastRun';
import { commonEnd, fileFor, hoverText, lensText, measuredOf, measuredTimes, timeText, type LineAnswer } from '../src/python/sourceLines';

const line: LineAnswer = {
  line: 12,
  count: 3,
  flops: 3_200_000_000,
  bytes: 4_300_000,
  instructions: [
    { name: 'dot.1', opcode: 'dot', shape: 'f32[8,8]', range: { start: { line: 4, character: 2 }, end: { line: 4, character: 7 } } },
    { name: 'add.2', opcode: 'add', shape: 'f32[8,8]', range: { start: { line: 5, character: 2 }, end: { line: 5, character: 7 } } },
  ],
};

test('files are those that the server found, else those whose names end alike', () => {
  const answer = {
    files: [
      { name: '/build/src/model.py', path: '/home/me/src/model.py', lines: [line] },
      { name: '/build/other/layers/attention.py', lines: [line] },
      { name: '/build/attention.py', lines: [] },
    ],
  };
  assert.equal(fileFor(answer, '/home/me/src/model.py'), answer.files[0]);
  assert.equal(fileFor(answer, '/elsewhere/layers/attention.py'), answer.files[1]);
  // Another file of the name of one that was found.
  assert.equal(fileFor(answer, '/elsewhere/model.py'), undefined);
  assert.equal(fileFor(answer, '/elsewhere/attentio.py'), undefined);
  assert.equal(commonEnd('/a/b/c.py', '/x/b/c.py'), 2);
});

test('lenses and hovers say what a line became', () => {
  assert.equal(lensText(line), '3 instructions, 3.20 GFLOP, 4.10 MiB');
  assert.equal(lensText({ ...line, count: 1, flops: 0, bytes: 12 }, 1_500_000), '1 instruction, 12 bytes, 1.50 µs');
  const text = hoverText('f.hlo', line, new Map([['dot.1', 'f32[8,8] min 0 max 1']]));
  assert.match(text, /^\*\*3 instructions, 3\.20 GFLOP, 4\.10 MiB\*\* in f\.hlo\n\n```hlo\n/);
  assert.match(text, /dot\.1 = f32\[8,8\] dot {2}\/\/ f32\[8,8\] min 0 max 1\nadd\.2 = f32\[8,8\] add\n\/\/ and 1 more\n```$/);
});

test('values of the last run are computed with what it was given', () => {
  assert.deepEqual(runInputs(['--fill=ones', '--seed=3', '--arg=0=/tmp/x=y.npy', '--shape=0=3x4']), {
    fill: 'ones', seed: 3, arguments: { 0: '/tmp/x=y.npy' },
  });
  assert.equal(runInputs(['--args-dir=/tmp']), undefined);
  assert.equal(runInputs(['--out', 'x']), undefined);
  const leaf = { shape: 'f32[2]', literal: '{1,\n 2}', isShortened: false, count: 2, min: 1, max: 2, mean: 1.5, standardDeviation: 0.5, zeros: 0, nans: 0, infinities: 0 };
  const answer = { leaves: [leaf], executed: 1, where: '', filledConstants: false };
  assert.equal(shortValue(answer), '{1, 2}');
  assert.equal(shortValue({ ...answer, leaves: [{ ...leaf, isShortened: true, nans: 1 }, leaf] }), '1 to 2, mean 1.5, 1 NaN, and 1 more');
});

test('times of a profile belong to lines', () => {
  const times = measuredTimes({ source_lines: [{ name: '/build/src/model.py:12', self_ps: 2_500_000_000 }, { name: 'x' }] });
  assert.equal(timeText(measuredOf(times, { name: '/build/src/model.py', lines: [] }, 12)!), '2.50 ms');
  assert.equal(measuredOf(times, { name: '/build/src/model.py', lines: [] }, 13), undefined);
  assert.equal(measuredTimes(undefined).size, 0);
});

test('the slider says where the run is', () => {
  assert.equal(stepText({ position: 0, known: 0, finished: false }), 'the beginning');
  assert.equal(stepText({ position: 3, known: 9, finished: false }), 'step 3 of 9 that are known');
  assert.equal(stepText({ position: 9, known: 9, finished: false }), 'step 9');
  assert.equal(stepText({ position: 1, known: 1, finished: true }), 'the end, after 1 step');
});
