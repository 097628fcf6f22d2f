// SPDX-License-Identifier: Apache-2.0
// A broken module: the diagnostic, its fix, hover, completion, rename, hints, colours.
import assert from 'node:assert/strict';

export const name = 'editing';

export async function run(workbench, step) {
  const { page } = workbench;
  await step('shows the mistake with its words', async () => {
    await workbench.openFile('broken.hlo');
    await page.locator('.squiggly-error').first().waitFor();
    await page.keyboard.press('Control+Shift+KeyM');
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'no instruction `rowz` is defined before this point' }).waitFor();
    await page.locator('.statusbar-item', { hasText: 'HLO' }).first().waitFor();
    await workbench.hover('rowz', 'tanh(rowz)', 'did you mean');
    await workbench.screenshot('1-broken');
    await workbench.leaveHover();
  });

  await step('applies the fix', async () => {
    await workbench.clickText('rowz', 'tanh(rowz)');
    await page.keyboard.press('Control+Period');
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'rows' }).first();
    await fix.waitFor();
    await workbench.screenshot('2-fixes');
    await page.keyboard.press('Enter');
    await workbench.waitForLine('tanh(rows)');
    await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await workbench.hidePanel();
  });

  await step('explains what the mouse is over', async () => {
    const text = await workbench.hover('reduce', 'reduce(squares', 'dimensions');
    assert.match(text, /reduce/);
    await workbench.screenshot('3-hover');
    await workbench.leaveHover();
  });

  await step('shows the shape that the text leaves out', async () => {
    await workbench.eventually(async () => (await workbench.lines()).some((line) => /squares\W+.*f32\[8,16\].*multiply/.test(line)),
      'a hint with the inferred shape', () => workbench.lines());
  });

  await step('colours by meaning', async () => {
    await workbench.clickText('add_floats', 'to_apply=add_floats');
    await workbench.command('Developer: Inspect Editor Tokens and Scopes');
    const report = page.locator('.token-inspect-widget', { hasText: 'semantic token type' });
    await report.waitFor();
    // What the server says of a computation, and what the grammar says of its place.
    assert.match(await report.textContent(), /semantic token type\s*class/);
    assert.match(await report.textContent(), /\.hlo/);
    await page.keyboard.press('Escape');
  });

  await step('completes operations and operands', async () => {
    await workbench.clickText('constant(0)', 'zero = f32[] constant(0)');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('more = f32[8,16] subtr', { delay: 30 });
    const row = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'subtract' }).first();
    await row.waitFor();
    await workbench.screenshot('4-completion');
    await page.keyboard.press('Enter');
    await workbench.waitForLine('subtract(');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+KeyU');
    await workbench.clickText('more', 'more =');
    await page.keyboard.press('Control+Shift+KeyK');
    await workbench.waitForNoLine('more =');
  });

  await step('renames everywhere', async () => {
    await workbench.clickText('twice', 'twice =');
    await page.keyboard.press('F2');
    const box = page.locator('.rename-box input').first();
    await box.waitFor({ state: 'visible' });
    await box.fill('doubled');
    await page.keyboard.press('Enter');
    await workbench.waitForLine('doubled = f32[8,16] add(x, x)');
    await workbench.eventually(async () => (await workbench.lines()).some((line) => /multiply\(.*doubled\)/.test(line)),
      'the new name where it is used', () => workbench.lines());
    await workbench.screenshot('5-renamed');
  });

  await step('formats', async () => {
    await workbench.clickText('zero', 'zero = ');
    await page.keyboard.press('Home');
    await page.keyboard.type('      ');
    await workbench.waitForLine('        zero = f32[]');
    await workbench.command('HLOscope: Format Module');
    await workbench.waitForNoLine('        zero = f32[]');
    await workbench.waitForLine('zero = f32[] constant(0)');
  });

  await step('offers to run and debug above the entry computation', async () => {
    await page.locator('.codelens-decoration a', { hasText: /run/i }).first().waitFor();
    await page.locator('.codelens-decoration a', { hasText: /debug/i }).first().waitFor();
  });

  await page.keyboard.press('Control+KeyS');
  await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });

  await step('recognises dumps by their first line', async () => {
    await workbench.openFile('module_0001');
    await page.locator('.statusbar-item', { hasText: 'XLA HLO' }).waitFor();
  });
}
