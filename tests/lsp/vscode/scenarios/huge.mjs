// SPDX-License-Identifier: Apache-2.0
// Texts at and beyond what the editor was made for: 4 MB whose server is killed, 26 MB that are diagnosed, 66 MB that
// the editor keeps for itself.
import fs from 'node:fs';
import path from 'node:path';
import { dumpOf } from '../dump_text.mjs';

export const name = 'huge';

const MISTAKE = ['parameter(0)', 'parametr(0)'];

export async function run(workbench, step, { workspace, killLanguageServers }) {
  const { page } = workbench;
  const write = (file, bytes) => fs.writeFileSync(path.join(workspace, file), dumpOf(bytes).replace(...MISTAKE));
  write('four.hlo', 4_000_000);
  write('twenty_six.hlo', 26_000_000);
  write('sixty_six.hlo', 66_000_000);
  await workbench.openFolder(workspace);
  const row = (file) => page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).first();
  // On another machine VS Code asks before it shows more than 10 MB.
  const openAnyway = async (file) => {
    await row(file).waitFor();
    await row(file).dblclick();
    await page.locator('.tab.active', { hasText: file }).waitFor();
    await page.getByRole('button', { name: 'Open Anyway' }).click();
  };
  const mistake = page.locator('.squiggly-error').first();

  await step('a module of 4 MB is diagnosed after each of three crashes', async () => {
    await row('four.hlo').waitFor();
    await workbench.openFile('four.hlo');
    await mistake.waitFor();
    for (let time = 1; time <= 3; ++time) {
      await workbench.eventually(async () => killLanguageServers() > 0, 'a language server to kill');
      const start = Date.now();
      await workbench.clickText('parametr', 'parametr(0)');
      await page.keyboard.press('End');
      await page.keyboard.type(' ');
      await mistake.waitFor();
      console.log(`         there again after ${Date.now() - start} ms`);
    }
  });

  await step('a module of 26 MB is diagnosed', async () => {
    const start = Date.now();
    await openAnyway('twenty_six.hlo');
    await page.locator('.view-line', { hasText: 'parametr' }).first().waitFor({ timeout: 60_000 });
    const shown = Date.now();
    await mistake.waitFor({ timeout: 60_000 });
    console.log(`         shown after ${shown - start} ms, diagnosed ${Date.now() - shown} ms later`);
  });

  await step('of 66 MB the user is told what the editor does not do', async () => {
    await openAnyway('sixty_six.hlo');
    await page.locator('.notification-toast', { hasText: 'The editor shows it, but gives no extension texts above 50 MB' }).first().waitFor({ timeout: 60_000 });
    await workbench.screenshot('24-huge');
  });

  await step('a module of 66 MB is debugged all the same', async () => {
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.press('F5');
    // Nothing but the mistake keeps it from running: that it was read is enough.
    await page.locator('.monaco-dialog-box, .notification-toast', { hasText: 'parametr' }).first().waitFor({ timeout: 60_000 });
  });
}
