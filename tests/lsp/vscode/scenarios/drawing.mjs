// SPDX-License-Identifier: Apache-2.0
// Drawings of layouts and broadcasts, and the value of an instruction without a run of its own.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

export const name = 'drawing';

export async function run(workbench, step, { workspace }) {
  const { page } = workbench;

  await step('draws where elements are in memory, and walks through them with keys', async () => {
    await workbench.openFile('softmax.hlo');
    await workbench.clickText('peaks', 'peaks = ');
    await workbench.command('HLOscope: Draw the Layout at the Cursor');
    const view = await workbench.webView('td[role="gridcell"]');
    const cells = await view.locator('figure').first().locator('td').count();
    assert.ok(cells > 1, `${cells} elements`);
    await view.locator('figure').first().locator('td').first().focus();
    await page.keyboard.press('ArrowRight');
    await workbench.eventually(async () => (await view.locator('.lit').count()) === 2, 'an element lit on both sides');
    assert.match(await view.locator('output').textContent(), /element \[.*1\] is in cell 1/);
    await workbench.screenshot('16-layout');
  });

  await step('draws how operands are fitted together', async () => {
    await workbench.clickText('broadcast', 'broadcast(');
    await workbench.command('HLOscope: Draw the Broadcast at the Cursor');
    const view = await workbench.webView('#steps li');
    await view.locator('.box.repeated').first().waitFor();
    await workbench.screenshot('17-broadcast');
  });

  await step('copies an instruction as Markdown', async () => {
    await workbench.clickText('peaks', 'peaks = ');
    await workbench.command('HLOscope: Copy as Markdown');
    await page.locator('.statusbar', { hasText: 'Copied as Markdown' }).waitFor();
  });

  await step('saves a layout as a drawing, and a value as a page', async () => {
    const save = async (what, file) => {
      const target = path.join(workspace, file);
      // VS Code shows no more than three notifications in 0.8 s, and each drawing has two.
      await page.waitForTimeout(1000);
      await workbench.clickText('peaks', 'peaks = ');
      await workbench.command('HLOscope: Save a Picture...');
      await page.locator('.quick-input-widget .monaco-list-row', { hasText: what }).first().click();
      // The dialog of a browser is a line for the path.
      const line = page.locator('.quick-input-widget input').first();
      await workbench.eventually(async () => (await line.inputValue()).endsWith('.svg'), 'a file that is suggested');
      await workbench.screenshot('17-save-picture');
      await line.fill(target);
      await page.keyboard.press('Enter');
      await page.locator('.notification-list-item', { hasText: `Saved ${file}` }).first().waitFor();
      return fs.readFileSync(target, 'utf8');
    };
    assert.match(await save('Layout of the value', 'peaks.svg'), /^<svg /);
    const written = await save('Value of the instruction', 'peaks.html');
    assert.match(written, /class=tv data-type=f4/);
    assert.match(written, /Made by <code>hloscope value /);
  });

  await step('computes the value at the cursor', async () => {
    await workbench.clickText('peaks', 'peaks = ');
    await workbench.command('HLOscope: Compute the Value at the Cursor');
    await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Parameters: ones' }).first().click();
    // The drawings before are tables, too.
    const view = await workbench.webView('h1:has-text("peaks with parameters ones")');
    assert.match(await view.locator('h1').textContent(), /peaks with parameters ones.*f32\[6\]/);
    assert.equal(await view.locator('tbody td').first().textContent(), '1');
    await workbench.screenshot('18-value');
  });

  await step('shows a scalar as text', async () => {
    await workbench.clickText('zero', 'zero = ');
    await workbench.command('HLOscope: Compute the Value at the Cursor');
    // A constant depends on no parameter: nothing is asked.
    await workbench.waitForLine('Computed without parameters');
  });
}
