// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphArguments, isShown, requestFor, serverParameters, titleOf } from '../src/graph/request';
import { innerSvg, nameOf, nodesOf } from '../src/graph/svg';
import { neighbour } from '../src/webview/geometry';

const SVG = `<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "x" "y">
<svg width="10pt"><script>alert(1)</script>
<g id="node1" class="node">
<title>n0</title>
<path d=""/>
<text x="1">compare &lt;</text>
<text x="1">%x.1</text>
<text x="1">f32[4]</text>
</g>
<g id="edge1" class="edge"><title>n0&#45;&gt;n1</title></g>
<g id="node2" class="node"><title>n1</title><text>add</text><text>y</text></g>
</svg>
`;

test('reads the nodes of a picture', () => {
  assert.deepEqual(nodesOf(SVG), [
    { id: 'node1', label: ['compare <', '%x.1', 'f32[4]'] },
    { id: 'node2', label: ['add', 'y'] },
  ]);
  assert.deepEqual(nodesOf(SVG).map(nameOf), ['x.1', 'y']);
});

test('takes the picture out of the file, without scripts', () => {
  const inner = innerSvg(SVG)!;
  assert.ok(inner.startsWith('<svg width="10pt">') && inner.endsWith('</svg>'));
  assert.ok(!inner.includes('script'));
  assert.equal(innerSvg('error: no such computation'), undefined);
});

test('draws small computations as a whole and large ones around the cursor', () => {
  const settings = { wholeUpTo: 100, depth: 2 };
  const small = requestFor({ computation: 'c', instruction: 'i', line: 7, column: 2, lines: 100 }, settings)!;
  assert.deepEqual(graphArguments(small), ['graph', '-', '--format=svg', '--computation=c']);
  const large = requestFor({ computation: 'c', instruction: 'i', line: 7, column: 2, lines: 101 }, settings)!;
  assert.deepEqual(graphArguments(large).slice(4), ['--around=i', '--depth=2']);
  assert.equal(titleOf(large), 'i in c');
  const common = { textDocument: { uri: 'u' }, computation: 'c', depth: 2, format: 'svg' };
  assert.deepEqual(serverParameters('u', small), { ...common, whole: true });
  assert.deepEqual(serverParameters('u', large), { ...common, position: { line: 7, character: 2 } });
  assert.equal(requestFor({ line: 0, column: 0, lines: 0 }, settings), undefined);
});

test('draws again only what is not to be seen', () => {
  const whole = { computation: 'c', line: 0, column: 0, depth: 3 }, part = { computation: 'c', around: 'i', line: 1, column: 0, depth: 3 };
  assert.ok(isShown(whole, whole, new Set()));
  assert.ok(!isShown(undefined, whole, new Set()));
  assert.ok(!isShown(whole, { computation: 'd', line: 0, column: 0, depth: 3 }, new Set()));
  assert.ok(isShown(part, { ...part, around: 'j' }, new Set(['i', 'j'])));
  assert.ok(!isShown(part, { ...part, around: 'k' }, new Set(['i', 'j'])));
});

test('arrow keys go to the nearest node in their direction', () => {
  const boxes = [{ x: 0, y: 0 }, { x: 0, y: 10 }, { x: 50, y: 5 }, { x: -20, y: 30 }];
  assert.equal(neighbour(boxes, 0, 'down'), 1);
  assert.equal(neighbour(boxes, 0, 'right'), 2);
  assert.equal(neighbour(boxes, 1, 'down'), 3);
  assert.equal(neighbour(boxes, 0, 'up'), undefined);
  assert.equal(neighbour(boxes, 9, 'up'), undefined);
});
