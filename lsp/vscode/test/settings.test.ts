// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeConfiguration } from '../src/debug/configuration';
import { serverSettings } from '../src/server/settings';
import { heatColour } from '../src/webview/colours';
import { share, short } from '../src/webview/numbers';

test('the server gets nested settings, without those that are not set', () => {
  const values: Record<string, unknown> = { layoutSensitive: true, 'inlayHints.bytes': true, 'inlayHints.operandNames': false };
  assert.deepEqual(serverSettings((key) => values[key]), {
    layoutSensitive: true, inlayHints: { bytes: true, operandNames: false },
  });
});

test('launch configurations are completed', () => {
  assert.deepEqual(completeConfiguration({}, { program: '/m.hlo', fill: 'random' }), {
    type: 'hlo', request: 'launch', name: 'Debug HLO module', program: '/m.hlo', fill: 'random', stopOnEntry: true,
  });
  const given = completeConfiguration({ program: '/a.hlo', argumentsDirectory: '/in', stopOnEntry: false }, { fill: 'random' });
  assert.ok(typeof given !== 'string');
  assert.equal(given['fill'], undefined);
  assert.equal(given['stopOnEntry'], false);
});

test('places in a proto are in the document that shows its text', () => {
  const defaults = { fill: 'random', textUri: (file: string) => (file === '/m.hlo.pb' ? 'hlo-module:/m.hlo.pb.hlo' : undefined) };
  const uriOf = (program: string, given?: string) => {
    const complete = completeConfiguration({ program, ...(given === undefined ? {} : { textUri: given }) }, defaults);
    assert.ok(typeof complete !== 'string');
    return complete['textUri'];
  };
  assert.equal(uriOf('/m.hlo.pb'), 'hlo-module:/m.hlo.pb.hlo');
  assert.equal(uriOf('/other.hlo.pb'), undefined);
  assert.equal(uriOf('/m.hlo.pb', 'mine:/m'), 'mine:/m');
});

test('open sizes of programs come from the settings', () => {
  const defaults = { fill: 'zeros', shapes: ['0=3x4', '%x=<=8x4'] };
  const program = completeConfiguration({ program: '/a.mlir' }, defaults);
  assert.deepEqual((program as { shapes?: unknown }).shapes, { 0: '3x4', '%x': '<=8x4' });
  assert.equal((completeConfiguration({ program: '/a.hlo' }, defaults) as { shapes?: unknown }).shapes, undefined);
  const own = completeConfiguration({ program: '/a.mlir', shapes: { 0: '1x1' } }, defaults);
  assert.deepEqual((own as { shapes?: unknown }).shapes, { 0: '1x1' });
});

test('launch configurations that cannot work are explained', () => {
  assert.match(completeConfiguration({}, { fill: 'zeros' }) as string, /Open an HLO module/);
  assert.match(completeConfiguration({ request: 'start', program: 'x' }, { fill: 'zeros' }) as string, /"start" is not known/);
  assert.match(completeConfiguration({ request: 'attach' }, { fill: 'zeros' }) as string, /give the "port"/);
  const attached = completeConfiguration({ request: 'attach', port: 4711 }, { fill: 'zeros' });
  assert.deepEqual(attached, { type: 'hlo', request: 'attach', name: 'Debug HLO module', port: 4711 });
});

test('numbers are short', () => {
  assert.deepEqual([short(1 / 3), short(1e20), short(undefined), short(NaN)], ['0.333333', '100000000000000000000', '\u2013', 'nan']);
  assert.deepEqual([share(0, 10), share(1, 3)], ['0', '1 (33.3 %)']);
});

test('colours run from one end of the scale to the other', () => {
  assert.deepEqual(heatColour(-1), [68, 1, 84]);
  assert.deepEqual(heatColour(1), [253, 231, 37]);
  assert.deepEqual(heatColour(0.5), [38, 130, 142]);
});
