// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Link, linkOf, linksFrom } from '../src/modules/links';

// %0 = add at line 2; a while at lines 3 to 6 with an operation at line 4; two instructions of one operation at line 7.
const links: Link[] = [[10, 2, 4, 2, 30], [12, 4, 6, 4, 20], [15, 3, 4, 6, 5], [16, 7, 4, 7, 40], [17, 7, 4, 7, 40]];

test('a place of the program leads to the instructions of its innermost operation', () => {
  assert.deepEqual(linksFrom(links, 2, 10).map(([line]) => line), [10]);
  assert.deepEqual(linksFrom(links, 4, 8).map(([line]) => line), [12]);
  assert.deepEqual(linksFrom(links, 5, 0).map(([line]) => line), [15]);
  assert.deepEqual(linksFrom(links, 7, 5).map(([line]) => line), [16, 17]);
});

test('beside an operation its line counts', () => {
  assert.deepEqual(linksFrom(links, 2, 0).map(([line]) => line), [10]);
  assert.deepEqual(linksFrom(links, 9, 0), []);
});

test('a line of the HLO leads to its operation', () => {
  assert.deepEqual(linkOf(links, 15), links[2]);
  assert.equal(linkOf(links, 11), undefined);
});
