// SPDX-License-Identifier: Apache-2.0
// Stepping through a module, forwards and backwards, with its values.
import assert from 'node:assert/strict';

export const name = 'debugging';
export const needs = ['hloscope-dap'];

export async function run(workbench, step) {
  const { page } = workbench;
  const currentLine = async () => {
    const row = page.locator('.debug-call-stack .monaco-list-row .line-number').first();
    return Number(/^\d+/.exec((await row.textContent().catch(() => '')) ?? '')?.[0] ?? 0);
  };
  const waitForLine = (line) => workbench.eventually(async () => (await currentLine()) === line, `a stop in line ${line}`, currentLine);

  await step('stops at a breakpoint', async () => {
    await workbench.openFile('softmax.hlo');
    // The key does nothing before the extension has said that HLO has breakpoints.
    const breakpoint = page.locator('.codicon-debug-breakpoint').first();
    await workbench.eventually(async () => {
      await workbench.clickText('shifted', 'shifted = ');
      await page.keyboard.press('F9');
      return breakpoint.waitFor({ timeout: 3000 }).then(() => true, () => false);
    }, 'a breakpoint');
    await page.keyboard.press('F5');
    await page.locator('.debug-top-stack-frame-line').first().waitFor();
    await page.keyboard.press('Control+Shift+KeyD');
    await page.locator('.debug-call-stack .monaco-list-row').first().waitFor();
    await workbench.eventually(async () => (await currentLine()) > 0, 'a stop', currentLine);
    // The launch stops in front of the first instruction; then the breakpoint.
    if ((await currentLine()) !== 21) {
      await page.keyboard.press('F5');
      await waitForLine(21);
    }
  });

  await step('steps and steps back', async () => {
    await page.keyboard.press('F10');
    await waitForLine(22);
    await page.locator('.codicon-debug-step-back').first().click();
    await waitForLine(21);
    await page.keyboard.press('F10');
    await waitForLine(22);
  });

  await step('shows values', async () => {
    const value = page.locator('.debug-variables .monaco-list-row', { hasText: 'shifted' }).first();
    await value.waitFor();
    await workbench.screenshot('11-debugging');
    // A menu takes no click in the moment in which it opens.
    const entry = page.locator('.context-view .action-label', { hasText: 'View Tensor' });
    await workbench.eventually(async () => {
      if (!(await entry.isVisible())) await value.click({ button: 'right' });
      await page.waitForTimeout(300);
      await entry.click();
      return entry.waitFor({ state: 'hidden', timeout: 2000 }).then(() => true, () => false);
    }, 'a menu that takes the click');
    const view = await workbench.webView('table[role="grid"]');
    assert.match(await view.locator('h1').textContent(), /shifted.*f32\[6,40\]/);
    await workbench.screenshot('12-debugged-tensor');
  });

  await step('answers in the console', async () => {
    const input = page.locator('.repl .repl-input-wrapper .monaco-editor').first();
    await input.click();
    await page.keyboard.type('why shifted[0,1]');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.locator('.repl .monaco-list-row', { hasText: 'peak_rows[0,1]' }).first().waitFor();
    await workbench.screenshot('13-debug-console');
  });

  await step('runs to the end and back', async () => {
    await page.keyboard.press('F5');
    await workbench.eventually(async () => (await currentLine()) === 26, 'the end', currentLine);
    await page.locator('.repl .monaco-list-row', { hasText: 'result = bf16[6,40]' }).first().waitFor();
    await page.locator('.codicon-debug-reverse-continue').first().click();
    await waitForLine(21);
    await workbench.screenshot('14-back-at-the-breakpoint');
  });

  await step('goes to any time with the slider', async () => {
    const section = page.locator('.pane-header', { hasText: 'Time' }).first();
    if ((await section.getAttribute('aria-expanded')) !== 'true') await section.click();
    const view = await workbench.webView('input[type="range"]');
    const text = () => view.locator('output').textContent();
    await workbench.eventually(async () => /^step \d+ of \d+ that are known$/.test((await text()) ?? ''), 'a position', text);
    await view.locator('button[title="To the beginning"]').click();
    await workbench.eventually(async () => /^the beginning of/.test((await text()) ?? ''), 'the beginning', text);
    await view.locator('button[title^="To the last step"]').click();
    await workbench.eventually(async () => /^the end, after/.test((await text()) ?? ''), 'the end', text);
    await workbench.screenshot('15-time');
  });

  await step('shows the history of a value', async () => {
    const row = page.locator('.debug-variables .monaco-list-row', { hasText: 'shifted' }).first();
    await row.waitFor();
    const entry = page.locator('.context-view .action-label', { hasText: 'Show the History' });
    await workbench.eventually(async () => {
      if (!(await entry.isVisible())) await row.click({ button: 'right' });
      await page.waitForTimeout(300);
      await entry.click();
      return entry.waitFor({ state: 'hidden', timeout: 2000 }).then(() => true, () => false);
    }, 'a menu that takes the click');
    await page.locator('.monaco-list-row', { hasText: '1 value' }).first().waitFor();
    await page.locator('.monaco-list-row', { hasText: 'main::shifted' }).first().waitFor();
    await workbench.screenshot('16-history');
  });

  await step('ends', async () => {
    await page.keyboard.press('Shift+F5');
    await page.locator('.debug-top-stack-frame-line').first().waitFor({ state: 'detached' });
  });
}
