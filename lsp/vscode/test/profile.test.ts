// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MeasuredModules, profileTree, summaryOf, type ProfileAnswer, type TimeRow } from '../src/profile/measured';
import { instructionsOf, moduleName } from '../src/text/locate';

const row = (module: string, name: string, self: number, more: Partial<TimeRow> = {}): TimeRow => ({
  program: 1, name, module, opcode: 'fusion', occurrences: 4, self_ps: self, executions: 2, guessed: 0, flops: 0, bytes: 2048,
  flops_per_second: 0, bytes_per_second: 2.93e12, limit_ps: 1000, gain_ps: 500, exposed_ps: 0, bound_by: 'memory', ...more,
});
const dot = row('jit_f', 'dot.1', 1_000_000_000, { opcode: 'dot', flops_per_second: 106e12, guessed: 1, exposed_ps: 7000 });
const answer: ProfileAnswer = {
  programs: [{ id: 15, module: 'jit_f', has_module: true, problem: '' }, { id: 16, module: 'jit_g', has_module: false, problem: 'the profile does not have its module' }],
  events: 10, attributed: 8, guessed: 1, total_ps: 4_000_000_000, attributed_ps: 3_000_000_000,
  instructions: [row('jit_f', 'fusion', 2_000_000_000), dot, row('jit_g', 'fusion', 1_000), row('jit_f', 'fusion', 5)],
  most_to_gain: [dot], opcodes: [{ name: 'fusion', occurrences: 5, self_ps: 2_000_000_000, flops: 0, bytes: 1 }],
  source_lines: [{ name: '/src/model.py:12', occurrences: 5, self_ps: 2_000_000_000, flops: 0, bytes: 1 }, { name: '(no source line)', occurrences: 1, self_ps: 1, flops: 0, bytes: 0 }],
  scopes: [], unattributed: [{ name: 'copy', reason: 'no annotation', occurrences: 2, total_ps: 1_000_000_000 }],
  device: { name: 'MI300X', source: '' }, problems: [{ problem: 'an event with a negative time', times: 3 }],
};
const text = (lines: string[]) => ({ lineCount: lines.length, lineAt: (line: number) => lines[line]! });
const lines = text([
  'HloModule jit_f, is_scheduled=true', 'ENTRY main {', '  %fusion = f32[8] fusion(p)', '  // fusion = none', '  ROOT dot.1 = f32[] dot(fusion, fusion)', '}',
  'HloModule jit_g', 'ENTRY main {', '  fusion = f32[8] fusion(p)', '}',
]);

test('instructions are found with the module that they are in', () => {
  assert.deepEqual([...instructionsOf(lines)], [
    { module: 'jit_f', name: 'fusion', line: 2 }, { module: 'jit_f', name: 'dot.1', line: 4 }, { module: 'jit_g', name: 'fusion', line: 8 },
  ]);
  assert.equal(moduleName(lines), 'jit_f');
  assert.equal(moduleName(text(['ENTRY main {'])), undefined);
});

test('times are at the ends of the lines of their module', () => {
  const measured = new MeasuredModules(answer);
  assert.deepEqual(measured.lines(instructionsOf(lines)).map(({ line, row: one }) => [line, measured.lineText(one), measured.heat(one)]), [
    [2, '2.00 ms · 50.0 % · 2.93 TB/s', 5], [4, '1.00 ms · 25.0 % · 106 TFLOP/s', 3], [8, '1 ns · 0.0000250 % · 2.93 TB/s', 1],
  ]);
  const hover = measured.hoverText(dot);
  assert.match(hover, /^\*\*1\.00 ms\*\*, 25\.0 % of the profile/);
  assert.match(hover, /2 runs of 500 µs, 4 events, 1 of them guessed/);
  assert.match(hover, /limit of MI300X 1 ns a run, bound by memory, 1 ns to gain/);
  assert.match(hover, /nothing computes on the device for 7 ns of it/);
  assert.deepEqual(measured.lines(instructionsOf(text(['HloModule other', 'ENTRY e {', '  fusion = f32[] add(a, b)']))), []);
});

test('the view says where the time went, and what belongs to nothing', () => {
  const tree = profileTree(new MeasuredModules(answer));
  assert.deepEqual(tree.map((node) => [node.label, node.children!.length]), [
    ['Most to gain', 1], ['Instructions', 4], ['Fusions', 3], ['Opcodes', 1], ['Source lines', 2], ['Programs', 2], ['Outside of all modules', 1], ['What could not be used', 1],
  ]);
  const [gain, , , , source, programs, outside] = tree;
  assert.deepEqual([gain!.children![0]!.instruction, gain!.children![0]!.module], ['dot.1', 'jit_f']);
  assert.deepEqual(source!.children!.map((node) => node.source), ['/src/model.py:12', undefined]);
  assert.deepEqual(programs!.children!.map((node) => node.program), [15, undefined]);
  assert.match(programs!.children![1]!.description, /does not have its module/);
  assert.equal(outside!.children![0]!.description, '1.00 ms · no annotation');
  assert.equal(summaryOf(answer), '75.0 % of 4.00 ms belong to instructions');
  assert.equal(summaryOf({ ...answer, total_ps: 0, attributed_ps: 0 }), '0 % of 0 ns belong to instructions');
});

test('two profiles compare', () => {
  const compared = (name: string, before: number, after: number) => ({ module: 'jit_f', name, before_ps: before, after_ps: after, before_total_ps: 2 * before, after_total_ps: 2 * after });
  const comparison = { before_ps: 1, after_ps: 2, instructions: [compared('dot.1', 1_000_000, 3_000_000), compared('fusion', 2_000_000, 1_000_000), compared('same', 5000, 5000)] };
  const tree = profileTree(new MeasuredModules({ ...answer, comparison }));
  const nodes = tree.find((node) => node.label.startsWith('Compared'))!.children!;
  assert.deepEqual(nodes.map((node) => node.description), ['+4.00 µs · jit_f', '−2.00 µs · jit_f', '±0 ns · jit_f']);
});
