// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divergenceChoices, summaryOf } from '../src/commands/comparisonList';
import { costText, dumpTree, sizeText } from '../src/modules/dumpTree';
import { passTree, stageBefore, traceChoices, costChange, type PassStage } from '../src/modules/passTree';
import { fileOfText, textPlace } from '../src/modules/place';

test('the text of a file leads back to it', () => {
  for (const file of ['/a/b.hlo.pb', '/a dir/ü?&=#.pb', 'C:\\x\\y.pbtxt']) {
    const place = textPlace(file);
    assert.ok(place.path.endsWith('.hlo'));
    assert.equal(fileOfText(place), file);
  }
  assert.equal(fileOfText({ scheme: 'file', query: 'file=x' }), undefined);
  assert.equal(fileOfText({ scheme: 'hlo-module', query: '' }), undefined);
});

test('dumps are a tree of modules, stages and files', () => {
  const file = (name: string, kind = 'hlo') => ({ file: name, kind, bytes: 2048 });
  const tree = dumpTree({
    modules: [{
      number: 1, name: 'jit_f', id: 7, folder: '', bytes: 5 * 1024 * 1024,
      stages: [
        { order: 0, name: 'before', file: 'a.txt', kind: 'hlo', bytes: 100, files: [file('a.txt')] },
        { order: 1, name: 'after', file: 'b.hlo.pb', kind: 'hlo', bytes: 100, files: [file('b.hlo.pb'), file('b.txt')] },
      ],
      others: [file('c.ll', 'llvm-ir')],
    }],
  });
  assert.equal(tree.length, 1);
  assert.equal(tree[0]!.description, 'id 7, 2 stages, 5.0 MiB');
  assert.deepEqual(tree[0]!.children!.map((node) => [node.label, node.file, node.children?.length]), [
    ['before', 'a.txt', undefined], ['after', 'b.hlo.pb', 2], ['c.ll', 'c.ll', undefined],
  ]);
  assert.equal(sizeText(100), '100 B');
});

test('the cost of a stage is one line', () => {
  const text = costText({ total: { flops: 8, bytes_read: 2048, bytes_written: 1024 }, memory: { peak_live_bytes: 100 } });
  assert.equal(text, '8 FLOP, 3.0 KiB moved, 100 B at the peak');
});

function stage(order: number, more: Partial<PassStage>): PassStage {
  const size = { instructions: 10, flop: 8, bytes: 2048, peak_bytes: 100 };
  return {
    ...size, before: size, order, pass: `p${order}`, pipeline: 'simplification', name: '', file: `${order}.txt`, changed: false,
    added: [], removed: [], modified: [], others: [], ...more,
  };
}

test('passes are a tree of stages that changed something', () => {
  const listing = {
    module: 'jit_f',
    stages: [
      stage(0, {}),
      stage(1, {}),
      stage(2, { changed: true, added: ['a'], removed: ['b', 'c'], modified: ['d'], others: ['the alias table changed'], flop: 4 }),
      stage(3, { problem: 'it is no module' }),
      stage(4, { changed: true, pass: 'fusion', seconds: 0.5, modified: Array.from({ length: 500 }, (_, k) => `i${k}`) }),
    ],
  };
  const orders = (all: boolean, search = ''): number[] => passTree(listing, { all, search }).map((node) => node.stage);
  assert.deepEqual(orders(false), [0, 2, 3, 4]);
  assert.deepEqual(orders(true), [0, 1, 2, 3, 4]);
  assert.deepEqual(orders(false, 'FUS'), [4]);
  assert.deepEqual(orders(false, 'i499'), [4]);
  assert.deepEqual(orders(false, 'nothing'), []);
  const [, changed, bad, large] = passTree(listing, { all: false, search: '' });
  assert.equal(changed!.description, '−2 +1 ~1');
  assert.match(changed!.tooltip, /FLOP 8 → 4/);
  assert.deepEqual(changed!.children!.map((node) => [node.label, node.description, node.isRemoved]), [
    ['the alias table changed', '', undefined], ['b', 'removed', true], ['c', 'removed', true], ['a', 'added', false], ['d', 'modified', false],
  ]);
  assert.equal(bad!.description, 'it is no module');
  assert.equal(bad!.children, undefined);
  assert.equal(large!.description, '~500 0.500 s');
  assert.equal(large!.children!.length, 201);
  assert.equal(large!.children![200]!.label, '300 more changes');
  assert.equal(stageBefore(listing, 4), 2);
  assert.equal(stageBefore(listing, 0), 0);
  assert.equal(costChange(stage(1, {})), undefined);
});

test('an instruction is followed by the steps at which something happened', () => {
  const step = (order: number, what: string, instruction: string | null) => ({ order, pass: `p${order}`, file: '', what, instruction, computation: 'e', sureness: 0.9, why: 'same name' });
  const choices = traceChoices({
    instruction: 'm', op_name: '', source: 'f.py:1', sureness: 0.9,
    steps: [step(0, '', 'm'), step(1, '', 'm'), step(2, 'renamed from m', 'mm'), step(3, 'removed', null), step(4, '', null)],
  });
  assert.deepEqual(choices.map((choice) => [choice.order, choice.detail]), [
    [0, 'm in e'], [2, 'mm in e · 90 % sure: same name'], [3, 'not in this stage'], [4, 'not in this stage'],
  ]);
});

test('where agreement ends is listed first', () => {
  const one = (a: string, b: string, frontier: boolean) => ({ a, b, path_a: `e::${a}`, frontier, executions: 2, elements: 4, beyond: 1, max_relative: 0.25, max_ulps: 3 });
  const report = { agree: false, instructions: 9, matched: 8, results: [{ agrees: true }, { agrees: false }], divergences: [one('k', 'k', false), one('w', 'x', true)] };
  assert.deepEqual(divergenceChoices(report).map((choice) => [choice.label, choice.description]), [['w against x', 'agreement ends here'], ['k', '']]);
  assert.match(divergenceChoices(report)[0]!.detail, /e::w · 1 of 4 elements .* 0.250 relative, 3 ulp, in 2 executions/);
  assert.equal(summaryOf(report), '1 of 2 results agree; 2 of 8 compared instructions differ');
});
