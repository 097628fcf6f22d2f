// SPDX-License-Identifier: Apache-2.0
// The graph preview follows the cursor, and the text follows the graph.
import assert from 'node:assert/strict';

export const name = 'graph';

export async function run(workbench, step) {
  const { page } = workbench;
  let view;
  const selected = () => view.locator('g.node.selected text').nth(1).textContent();

  await step('draws the computation at the cursor', async () => {
    await workbench.openFile('softmax.hlo');
    await workbench.clickText('shifted', 'shifted = ');
    await workbench.command('HLOscope: Show Graph to the Side');
    view = await workbench.webView('g.node');
    assert.equal(await view.locator('g.node').count(), 11);
    assert.equal(await selected(), 'shifted');
    await page.waitForTimeout(300);
    await workbench.screenshot('6-graph');
  });

  await step('follows the cursor, into other computations too', async () => {
    await workbench.clickText('powers', 'powers = ');
    await workbench.eventually(async () => (await selected()) === 'powers', 'the instruction selected', selected);
    await workbench.clickText('total', 'ROOT total');
    await workbench.eventually(async () => (await view.locator('g.node').count()) === 3, 'the graph of the other computation');
    await workbench.clickText('powers', 'powers = ');
    await workbench.eventually(async () => (await view.locator('g.node').count()) === 11, 'the first graph again');
  });

  await step('goes from the graph to the text, with keys alone', async () => {
    await view.locator('g.node.selected').focus();
    await page.keyboard.press('ArrowUp');
    await workbench.eventually(async () => (await selected()) === 'shifted', 'the node above selected', selected);
    await page.keyboard.press('Enter');
    await workbench.waitForCursor(21);
    await view.locator('g.node', { hasText: 'peaks' }).first().click();
    await workbench.waitForCursor(19);
  });
}
