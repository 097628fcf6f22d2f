// SPDX-License-Identifier: Apache-2.0
// The language server is killed, several times in a minute: everything is as before, without a click.
import assert from 'node:assert/strict';

export const name = 'crash';

export async function run(workbench, step, { killLanguageServers }) {
  const { page } = workbench;
  const killed = () => workbench.eventually(async () => killLanguageServers() > 0, 'a language server to kill');
  const mistake = page.locator('.squiggly-error').first();

  await step('diagnoses what is typed after each crash', async () => {
    await workbench.openFile('broken.hlo');
    await mistake.waitFor();
    await page.keyboard.press('Control+Shift+KeyM');
    await workbench.clickText('rowz', 'tanh(rowz)');
    await page.keyboard.press('Control+ArrowRight');
    for (let time = 1; time <= 3; ++time) {
      await killed();
      const start = Date.now();
      await page.keyboard.type('x');
      const message = `no instruction \`rowz${'x'.repeat(time)}\` is defined`;
      await page.locator('.markers-panel .monaco-list-row', { hasText: message }).waitFor();
      console.log(`         diagnosed after ${Date.now() - start} ms`);
    }
    await workbench.hidePanel();
    await page.locator('.statusbar-item', { hasText: 'HLO' }).first().waitFor();
  });

  await step('removes the diagnostic of a mistake that is mended', async () => {
    for (let time = 0; time < 4; ++time) await page.keyboard.press('Backspace');
    await page.keyboard.type('s');
    await workbench.waitForLine('tanh(rows)');
    await mistake.waitFor({ state: 'detached' });
  });

  await step('serves files that are opened afterwards', async () => {
    await killed();
    await workbench.openFile('softmax.hlo');
    const text = await workbench.hover('reduce', 'reduce(logits', 'dimensions');
    assert.match(text, /reduce/);
    await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
  });
}
