// SPDX-License-Identifier: Apache-2.0
// Texts beside the module: the page of an operation, what the module costs.
export const name = 'pages';

export async function run(workbench, step) {
  const { page } = workbench;
  await step('explains the operation at the cursor', async () => {
    await workbench.openFile('softmax.hlo');
    await workbench.clickText('exponential', 'exponential(shifted)');
    await workbench.command('HLOscope: Explain the Diagnostic or Operation at the Cursor');
    await page.locator('.tab', { hasText: 'exponential.txt' }).waitFor();
    await workbench.waitForLine('operands: 1');
  });

  await step('shows what the module costs', async () => {
    await workbench.clickText('powers', 'powers = ');
    await workbench.command('HLOscope: Show Cost');
    await page.locator('.tab', { hasText: 'softmax.hlo cost.txt' }).waitFor();
    await workbench.waitForLine('FLOP');
    await workbench.screenshot('15-cost');
  });
}
