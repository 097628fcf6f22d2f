// SPDX-License-Identifier: Apache-2.0
// usage: node bundle.mjs [--tests]     in the folder of package.json
// Bundles the extension and its pages into dist, or the unit tests into build-tests.
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const common = { bundle: true, logLevel: 'warning', target: 'es2022' };
const node = { ...common, platform: 'node', target: 'node18', format: 'cjs', external: ['vscode'] };

if (process.argv.includes('--tests')) {
  fs.rmSync('build-tests', { recursive: true, force: true });
  const tests = fs.readdirSync('test').filter((file) => file.endsWith('.test.ts'));
  await build({
    ...node,
    entryPoints: tests.map((file) => path.join('test', file)),
    outdir: 'build-tests',
    outExtension: { '.js': '.cjs' },
    sourcemap: 'inline',
  });
} else {
  fs.rmSync('dist', { recursive: true, force: true });
  await build({ ...node, entryPoints: { extension: 'src/extension.ts' }, outdir: 'dist', minify: true });
  await build({
    ...common,
    platform: 'browser',
    format: 'iife',
    entryPoints: { drawingView: 'src/webview/drawing.ts', graphView: 'src/webview/graph.ts', tensorView: 'src/webview/tensor.ts', timeView: 'src/webview/time.ts' },
    outdir: 'dist',
    minify: true,
  });
}
