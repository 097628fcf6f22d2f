// SPDX-License-Identifier: Apache-2.0
// A setting that names a server which does not exist; in a dark theme of high contrast.
import path from 'node:path';

export const name = 'missing server';

export async function run(workbench, step, { workspace }) {
  const { page } = workbench;
  await step('says what is missing and what to do', async () => {
    await workbench.openFolder(path.join(workspace, 'missing'));
    await workbench.openFile('module.hlo');
    const message = page.locator('.notification-toast', { hasText: 'hloscope.server.path names a program that does not exist' });
    await message.waitFor();
    for (const action of ['Choose the Program', 'How to Install', 'What Was Tried']) {
      await message.locator('.monaco-button', { hasText: action }).waitFor();
    }
    await workbench.screenshot('13-missing-server');
    // As somebody does who reads it: the workbench does not show a channel of output that was made a moment ago.
    await page.waitForTimeout(2000);
    await message.locator('.monaco-button', { hasText: 'What Was Tried' }).click();
    await page.locator('.part.panel .view-line', { hasText: '/no/such/folder/hloscope-lsp' }).first().waitFor();
  });

  await step('draws graphs without the server, in high contrast', async () => {
    await workbench.clickText('negate', 'negate(x)');
    await workbench.command('HLOscope: Show Graph to the Side');
    await workbench.webView('g.node.selected');
    await workbench.screenshot('14-high-contrast');
  });
}
