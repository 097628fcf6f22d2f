// SPDX-License-Identifier: Apache-2.0
// A StableHLO program and its HLO side by side: each marks what is selected in the other, and where a debugger stops.
import assert from 'node:assert/strict';

export const name = 'translation';
export const needs = ['hloscope-dap'];

export async function run(workbench, step) {
  const { page } = workbench;
  const editors = () => page.locator('.editor-instance');
  const editorWith = (text) => editors().filter({ has: page.locator('.view-line', { hasText: text }) });
  // Lines that a decoration covers have an element in the layer of overlays at their height.
  const marked = async (text, line) => {
    const editor = editorWith(text).first();
    const row = await editor.locator('.view-line', { hasText: line }).first().boundingBox();
    const marks = await editor.locator('.view-overlays .cdr').evaluateAll((all) =>
      all.filter((one) => one.className.includes('ced-')).map((one) => one.getBoundingClientRect().top));
    return row !== null && marks.some((top) => Math.abs(top - row.y) < 4);
  };

  await step('the HLO opens beside the program', async () => {
    await workbench.openFile('waves.mlir');
    await workbench.waitForLine('stablehlo.sine');
    await workbench.command('HLOscope: Show the HLO of the Program');
    await editorWith('sine(').first().waitFor();
  });

  await step('what is selected in the program is marked in the HLO', async () => {
    await workbench.clickText('sine', 'stablehlo.sine');
    await workbench.eventually(() => marked('HloModule', 'sine('), 'a mark at the instruction');
    assert.equal(await marked('HloModule', 'negate('), false);
    await workbench.screenshot('31-translation');
  });

  await step('what is selected in the HLO is marked in the program', async () => {
    await editorWith('HloModule').first().locator('.view-line', { hasText: 'negate(' }).first().click();
    await workbench.eventually(() => marked('func.func', 'stablehlo.negate'), 'a mark at the operation');
    await workbench.screenshot('32-translation-back');
  });

  await step('a stop is shown in both', async () => {
    await workbench.clickText('add', 'stablehlo.add');
    await page.keyboard.press('F5');
    await editorWith('func.func').first().locator('.debug-top-stack-frame-line').first().waitFor();
    await workbench.eventually(() => marked('HloModule', 'add('), 'a mark at the instruction of the stop');
    await page.keyboard.press('F10');
    await workbench.eventually(() => marked('HloModule', 'sine('), 'a mark at the instruction after the step');
    await workbench.screenshot('33-translation-stop');
    await page.keyboard.press('Shift+F5');
  });
}
