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

  const spent = async (file) => {
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).first().waitFor();
    await workbench.openFile(file);
    await page.waitForTimeout(4000);
    await page.locator('.editor-instance .view-line').nth(6).click();
    const pauses = [];
    for (let i = 0; i < PAUSES; ++i) {
      await page.waitForTimeout(1500);
      const before = await busySeconds();
      await page.keyboard.type(' ');
      await page.waitForTimeout(3000);
      pauses.push((await busySeconds()) - before);
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
