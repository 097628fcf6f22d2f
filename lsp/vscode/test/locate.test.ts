// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryLine, lineOfComputation, lineOfInstruction, placeAt } from '../src/text/locate';
import { linesOf } from '../src/text/lines';

const SHORT = linesOf(`HloModule m, entry_computation_layout={(f32[4]{0})->f32[4]{0}}

add {
  a = f32[] parameter(0)
  ROOT sum = f32[] add(a, a)
}

// between
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] fusion(x), kind=kLoop, calls={
    inner = f32[] parameter(0)
  }
  ROOT a = f32[4] negate(y), metadata={op_name="b" source_line=1}
}
`);

const LONG = linesOf(`HloModule m
%region_0.4 (Arg_0.5: f32[], Arg_1.6: f32[]) -> f32[] {
  %Arg_0.5 = f32[] parameter(0)
  /*index=1*/ %Arg_1.6 = f32[] parameter(1)
  ROOT %add.7 = f32[] add(f32[] %Arg_0.5, f32[] %Arg_1.6)
}
ENTRY %main.12 (p: f32[8]) -> f32[] { // entry
  %p = f32[8] parameter(0)
`);

test('finds instruction and computation of a line', () => {
  assert.deepEqual(placeAt(SHORT, 4), { computation: 'add', instruction: 'sum', line: 4, column: 7, lines: 4 });
  assert.deepEqual(placeAt(SHORT, 9), { computation: 'main', instruction: 'x', line: 9, column: 2, lines: 5 });
  assert.deepEqual(placeAt(LONG, 3), { computation: 'region_0.4', instruction: 'Arg_1.6', line: 3, column: 15, lines: 5 });
});

test('the head of a computation has no instruction, the text between them nothing', () => {
  assert.deepEqual(placeAt(SHORT, 2), { computation: 'add', instruction: undefined, line: 2, column: 0, lines: 4 });
  assert.equal(placeAt(SHORT, 7).computation, undefined);
  assert.equal(placeAt(SHORT, 0).computation, undefined);
});

test('a computation may lack its end, the line may be after the end of the text', () => {
  assert.deepEqual(placeAt(LONG, 100), { computation: 'main.12', instruction: 'p', line: 7, column: 3, lines: 3 });
  assert.equal(placeAt(linesOf(''), 0).computation, undefined);
});

test('finds definitions, in the right computation if names repeat', () => {
  assert.equal(lineOfInstruction(SHORT, 'a', 'add'), 3);
  assert.equal(lineOfInstruction(SHORT, 'a', 'main'), 13);
  assert.equal(lineOfInstruction(SHORT, 'a', 'elsewhere'), 3);
  assert.equal(lineOfInstruction(SHORT, 'nothing'), undefined);
});

test('finds the heads of computations', () => {
  assert.equal(lineOfComputation(SHORT, 'main'), 8);
  assert.equal(lineOfComputation(LONG, 'region_0.4'), 1);
  assert.equal(lineOfComputation(LONG, 'nothing'), undefined);
  assert.equal(entryLine(SHORT), 8);
  assert.equal(entryLine(linesOf('HloModule m')), undefined);
});
