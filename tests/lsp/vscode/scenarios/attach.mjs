// SPDX-License-Identifier: Apache-2.0
// Attaching to a run of the command line, and leaving it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const name = 'attach';
export const needs = ['hloscope', 'hloscope-dap'];

export async function run(workbench, step, { workspace, programs }) {
  const { page } = workbench;
  const program = spawn(path.join(programs, 'hloscope'), ['run', path.join(workspace, 'softmax.hlo'), '--fill=random', '--listen=0', '--wait-for-debugger']);
  let said = '', status;
  program.stdout.on('data', (text) => { said += text; });
  program.stderr.on('data', (text) => { said += text; });
  program.on('exit', (code) => { status = code; });
  try {
    await step('attaches to a run', async () => {
      const port = () => Number(/at port (\d+)/.exec(said)?.[1] ?? 0);
      await workbench.eventually(async () => port() > 0, 'a port', () => said);
      fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
      const configuration = { type: 'hlo', request: 'attach', name: 'Attach to an HLO run', port: port() };
      fs.writeFileSync(path.join(workspace, '.vscode/launch.json'), JSON.stringify({ version: '0.2.0', configurations: [configuration] }));
      await workbench.openFolder(workspace);
      await workbench.openFile('softmax.hlo');
      await workbench.waitForLine('shifted = ');
      await page.keyboard.press('Control+Shift+KeyD');
      await page.locator('.start-debug-action-item', { hasText: 'Attach to an HLO run' }).first().waitFor();
      await page.locator('.start-debug-action-item .codicon-debug-start').first().click();
      await page.locator('.debug-top-stack-frame-line').first().waitFor();
      await page.locator('.debug-variables .monaco-list-row', { hasText: 'logits' }).first().waitFor();
      await page.keyboard.press('F10');
      await page.locator('.debug-variables .monaco-list-row', { hasText: 'peaks' }).first().waitFor();
      await workbench.screenshot('24-attached');
    });

    await step('leaves it, and it goes on', async () => {
      await page.keyboard.press('Shift+F5');
      await workbench.eventually(async () => status !== undefined, 'the end of the run', () => said);
      assert.equal(status, 0, said);
      assert.match(said, /result0 = bf16\[6,40\]/);
    });
  } finally {
    program.kill();
  }
}
