// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../src/programs/process';

// Starts a program, as the editor does that is killed below.
const ofEditor = process.env.HLOSCOPE_TEST_PROGRAM;

async function becomes(condition: () => boolean): Promise<boolean> {
  for (let i = 0; i < 1000; ++i) {
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

/** What is left of an ended process is for somebody else to collect. */
function isAlive(pid: string): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', pid]).stdout.toString().trim();
  return state !== '' && !state.startsWith('Z');
}

if (ofEditor !== undefined) {
  void run(process.execPath, ['-e', ofEditor]);
} else {
  test('programs, and what they start, end when the editor is killed', { skip: process.platform === 'win32' }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hloscope-guard-'));
    const started = join(folder, 'started');
    const program = `const inner = require('node:child_process').spawn('sleep', ['1000']);
      require('node:fs').writeFileSync(${JSON.stringify(started)}, process.pid + ' ' + inner.pid + '\\n');
      setInterval(() => undefined, 1000)`;
    const editor = spawn(process.execPath, [__filename], {
      stdio: 'ignore',
      env: { ...process.env, HLOSCOPE_TEST_PROGRAM: program },
    });
    assert.ok(await becomes(() => existsSync(started) && readFileSync(started, 'utf8').endsWith('\n')));
    const pids = readFileSync(started, 'utf8').trim().split(' ');
    assert.deepEqual(pids.map(isAlive), [true, true]);
    editor.kill('SIGKILL');
    assert.ok(await becomes(() => !pids.some(isAlive)));
    rmSync(folder, { recursive: true });
  });
}
