// SPDX-License-Identifier: Apache-2.0
// Running a module, and its result as table, picture, histogram and numbers.
import assert from 'node:assert/strict';

export const name = 'tensor';

export async function run(workbench, step) {
  const { page } = workbench;
  let view;

  await step('runs a module', async () => {
    await workbench.openFile('softmax.hlo');
    await workbench.command('HLOscope: Run Module');
    await page.locator('.output-view-container .view-line, .part.panel .view-line', { hasText: 'result0' }).first().waitFor();
    await workbench.screenshot('7-run');
  });

  await step('shows its result as a table', async () => {
    await workbench.openFile('softmax.hlo');
    await workbench.command('HLOscope: Run Module and View Results');
    view = await workbench.webView('table[role="grid"]');
    assert.match(await view.locator('h1').textContent(), /result0.*bf16\[6,40\]/);
    assert.equal(await view.locator('tbody tr').count(), 6);
    const rowSum = await view.evaluate(async () => {
      const cells = [...document.querySelectorAll('tbody tr:first-child td')];
      return cells.map((cell) => Number(cell.textContent));
    });
    assert.ok(rowSum.length === 12 && rowSum.every((value) => value > 0 && value < 1), `probabilities: ${rowSum}`);
    await workbench.screenshot('8-table');
  });

  await step('moves through the table with keys', async () => {
    await view.locator('td[tabindex="0"]').focus();
    await page.keyboard.press('Control+End');
    await workbench.eventually(async () => (await view.locator('td:focus').getAttribute('data-column').catch(() => '')) === '39',
      'the last column', () => view.locator('.where').textContent());
    assert.equal(await view.locator('td:focus').getAttribute('data-row'), '5');
  });

  await step('takes slices', async () => {
    await view.locator('#slices select').first().selectOption('index');
    await workbench.eventually(async () => (await view.locator('tbody tr').count()) === 1, 'one row');
    await view.locator('#slices input:visible').fill('3');
    await view.locator('#slices select').first().selectOption('rows');
    await workbench.eventually(async () => (await view.locator('tbody tr').count()) === 6, 'all rows');
  });

  await step('draws the heat map, the histogram and the statistics', async () => {
    await view.locator('[role="tab"]', { hasText: 'Heat map' }).click();
    await view.locator('canvas[role="img"]').waitFor();
    await workbench.screenshot('9-heat-map');
    await page.keyboard.press('ArrowRight');
    await view.locator('.bars .bar').first().waitFor();
    assert.equal(await view.locator('.bars .bar').count(), 48);
    await workbench.screenshot('10-histogram');
    await page.keyboard.press('ArrowRight');
    await view.locator('dl').waitFor();
    assert.match(await view.locator('dl').textContent(), /elements240/);
  });
}
