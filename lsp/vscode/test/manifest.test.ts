// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import zlib from 'node:zlib';

interface Manifest {
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command: string }[]>;
    keybindings: { command: string }[];
    configuration: { properties: Record<string, { default: unknown; enum?: unknown[] }> };
    snippets: { path: string }[];
    languages: { configuration: string; firstLine: string }[];
  };
}
const read = (file: string): string => fs.readFileSync(file, 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const sources = (fs.readdirSync('src', { recursive: true }) as string[])
  .filter((file) => file.endsWith('.ts'))
  .map((file) => read(`src/${file}`))
  .join('\n');

test('every command of the manifest exists, every menu names a command of the manifest', () => {
  const commands = manifest.contributes.commands.map(({ command }) => command);
  for (const command of commands) {
    const name = command.replace('hloscope.', '');
    assert.ok(sources.includes(`command('${name}'`) || sources.includes(`registerCommand('${command}'`), command);
  }
  const used = [...Object.values(manifest.contributes.menus).flat(), ...manifest.contributes.keybindings];
  for (const { command } of used) assert.ok(commands.includes(command), command);
});

test('every setting is read somewhere, and defaults are possible values', () => {
  for (const [key, { default: value, enum: values }] of Object.entries(manifest.contributes.configuration.properties)) {
    const name = key.replace('hloscope.', '');
    const isRead = sources.includes(`'${name}'`) || sources.includes(`'${name.split('.').slice(1).join('.')}'`);
    // vscode-languageclient reads the trace setting by itself.
    assert.ok(isRead || name === 'trace.server', key);
    if (values !== undefined) assert.ok(values.includes(value), key);
  }
});

test('snippets have a prefix, a body and balanced placeholders', () => {
  for (const { path } of manifest.contributes.snippets) {
    const snippets = JSON.parse(read(path)) as Record<string, { prefix: string; body: string | string[]; description: string }>;
    for (const [name, snippet] of Object.entries(snippets)) {
      assert.ok(snippet.prefix !== '' && snippet.description !== '', name);
      const body = [snippet.body].flat().join('\n');
      assert.equal(body.split('{').length, body.split('}').length, name);
    }
  }
});

test('the patterns of the language configuration are regular expressions', () => {
  const [language] = manifest.contributes.languages;
  const configuration = JSON.parse(read(language!.configuration)) as {
    wordPattern: string;
    indentationRules: { increaseIndentPattern: string; decreaseIndentPattern: string };
  };
  const word = new RegExp(configuration.wordPattern, 'g');
  assert.deepEqual('ROOT %add.12 = f32[8] all-reduce(x.1, y)'.match(word), ['ROOT', '%add.12', 'f32', '8', 'all-reduce', 'x.1', 'y']);
  const opens = new RegExp(configuration.indentationRules.increaseIndentPattern);
  for (const line of ['ENTRY main {', '%f (a: f32[]) -> f32[] {', 'add {', 'ENTRY %m (p: (f32[], s32[2]{0})) -> f32[] { // c']) {
    assert.ok(opens.test(line), line);
  }
  assert.ok(!opens.test('  x = f32[2]{0} constant({1, 2})'));
  assert.ok(new RegExp(language!.firstLine).test('HloModule m'));
});

test('walkthroughs name pages and commands that exist', () => {
  const { walkthroughs, commands } = (JSON.parse(read('package.json')) as {
    contributes: { walkthroughs: { steps: { description: string; media: { markdown: string } }[] }[]; commands: { command: string }[] };
  }).contributes;
  for (const { description, media } of walkthroughs.flatMap(({ steps }) => steps)) {
    assert.ok(read(media.markdown).startsWith('# '), media.markdown);
    for (const [, command] of description.matchAll(/\(command:(hloscope\.[\w.]+)\)/g)) {
      assert.ok(commands.some((one) => one.command === command), command);
    }
  }
});

test('pictures of the pages are there and small', () => {
  const folder = 'media/walkthrough';
  const pages = [['README.md', '.'], ...fs.readdirSync(folder).filter((file) => file.endsWith('.md')).map((file) => [`${folder}/${file}`, folder])];
  const shown = pages.flatMap(([page, base]) => [...read(page!).matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g)].map((found) => `${base}/${found[2]}`));
  assert.ok(shown.length >= 6, shown.join(' '));
  for (const picture of shown) assert.ok(fs.statSync(picture).size < 200_000, picture);
});

test('the icon is a PNG of the size that marketplaces show, round at its corners', () => {
  const { icon } = JSON.parse(read('package.json')) as { icon: string };
  const bytes = fs.readFileSync(icon);
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [256, 256]);
  // One byte of filter before each row; four bytes a pixel, the last one how much covers it.
  const rows = zlib.inflateSync(bytes.subarray(bytes.indexOf('IDAT') + 4, bytes.indexOf('IEND') - 8));
  const opacity = (x: number, y: number): number => rows[y * (1 + 256 * 4) + 1 + x * 4 + 3]!;
  assert.deepEqual([opacity(0, 0), opacity(128, 128)], [0, 255]);
});
