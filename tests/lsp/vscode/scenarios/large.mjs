// SPDX-License-Identifier: Apache-2.0
// A dump of 4 MB: what the editor itself spends when somebody pauses in typing, beside what it spends on the same text
// without the extension.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { dumpOf } from '../dump_text.mjs';

export const name = 'large';

const BYTES = 4_000_000;
const PAUSES = 5;
const BUDGET = 0.2;  // seconds of processor for each pause
const PAUSE_MS = 3000;
const QUIET = 0.25;  // seconds of processor in one second, at most, when nothing is left to do but to let the cursor blink
const SETTLED_MS = 60_000;

export async function run(workbench, step, { workspace }) {
  const { page } = workbench;
  const text = dumpOf(BYTES);
  fs.writeFileSync(path.join(workspace, 'large.hlo'), text);
  // Not called .txt: dumps are known by their first line.
  fs.writeFileSync(path.join(workspace, 'large.log'), text);
  // The explorer may look away in the moment in which they are written.
  await workbench.openFolder(workspace);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const busySeconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'ThreadTime')?.value ?? metrics.find((metric) => metric.name === 'TaskDuration').value;
  };

  const spentIn = async (milliseconds) => {
    const before = await busySeconds();
    await page.waitForTimeout(milliseconds);
    return (await busySeconds()) - before;
  };
  // Waits until the editor has coloured the whole text, which takes long on a slow machine and is no part of what a pause
  // costs. Returns what a second costs then: the cursor blinks, and more may move.
  const settle = async () => {
    const end = Date.now() + SETTLED_MS;
    let quiet = [];
    while (quiet.length < 3) {
      assert.ok(Date.now() < end, 'the editor is still busy with the text');
      const second = await spentIn(1000);
      quiet = second < QUIET ? [...quiet, second] : [];
    }
    return Math.min(...quiet);
  };

  const spent = async (file) => {
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).first().waitFor();
    await workbench.openFile(file);
    await settle();
    await page.locator('.editor-instance .view-line').nth(6).click();
    // The first edit makes the editor colour the text once more.
    await page.keyboard.type(' ');
    const idle = (await settle()) * PAUSE_MS / 1000;
    const pauses = [];
    for (let i = 0; i < PAUSES; ++i) {
      await page.waitForTimeout(1500);
      await page.keyboard.type(' ');
      pauses.push((await spentIn(PAUSE_MS)) - idle);
    }
    return pauses.sort((a, b) => a - b)[Math.floor(PAUSES / 2)];
  };

  await step('a pause in typing costs the editor little', async () => {
    const plain = await spent('large.log');
    const module = await spent('large.hlo');
    console.log(`         seconds of the editor for a pause: ${plain.toFixed(3)} plain text, ${module.toFixed(3)} module`);
    await workbench.screenshot('23-large');
    assert.ok(module - plain < BUDGET, `the extension costs ${(module - plain).toFixed(3)} s for each pause`);
  });

  await step('what is on the screen has the colours of its meaning', async () => {
    // Parameters are italic: that one is one, the server says.
    await page.locator('.editor-instance .view-line .mtki', { hasText: 'p.0' }).first().waitFor();
  });
}
