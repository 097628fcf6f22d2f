// SPDX-License-Identifier: Apache-2.0
// From HLO to the program that it was made from, and back.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

export const name = 'program';

const PROGRAM = `import jax.numpy as jnp


def layer(x, w):
    y = x @ w
    return jnp.tanh(y)
`;
const MODULE = `HloModule jit_layer

ENTRY main {
  x = f32[64,64] parameter(0)
  w = f32[64,64] parameter(1)
  y = f32[64,64] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={source_file="/build/src/layer.py" source_line=5}
  ROOT t = f32[64,64] tanh(y), metadata={source_file="/build/src/layer.py" source_line=6}
}
`;

export async function run(workbench, step, { workspace }) {
  const { page } = workbench;

  await step('Ctrl+click on metadata opens the line', async () => {
    fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
    const settings = { 'hloscope.sourceRoots': [workspace], 'workbench.colorTheme': 'Default Dark Modern' };
    fs.writeFileSync(path.join(workspace, '.vscode/settings.json'), JSON.stringify(settings));
    fs.writeFileSync(path.join(workspace, 'layer.py'), PROGRAM);
    fs.writeFileSync(path.join(workspace, 'layer.hlo'), MODULE);
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'layer.hlo' }).first().waitFor();
    await workbench.openFile('layer.hlo');
    await workbench.waitForLine('tanh(y)');
    // Opcodes, computations and parameters have colours of their own, other ones than in a light theme.
    const colour = (text) => page.locator('.editor-instance .view-line span span', { hasText: text }).last()
      .evaluate((word) => getComputedStyle(word).color);
    await workbench.eventually(async () => (await colour('tanh')) === 'rgb(220, 220, 170)' && (await colour('main')) === 'rgb(78, 201, 176)',
      'colours of a dark theme', async () => [await colour('tanh'), await colour('main')]);
    await workbench.screenshot('19-dark');
    await workbench.eventually(async () => {
      const { x, y } = await workbench.placeOf('source_line', 'tanh(y)');
      await page.keyboard.down('Control');
      await page.mouse.move(x - 5, y);
      await page.mouse.move(x, y, { steps: 4 });
      await page.waitForTimeout(700);
      await page.mouse.click(x, y);
      await page.keyboard.up('Control');
      return page.locator('.tab.active', { hasText: 'layer.py' }).waitFor({ timeout: 4000 }).then(() => true, () => false);
    }, 'the program');
    await workbench.waitForCursor(6);
  });

  await step('lenses say what the lines became', async () => {
    const lens = page.locator('.codelens-decoration a', { hasText: '1 instruction, 524 kFLOP, 48.0 KiB' }).first();
    await lens.waitFor();
    await workbench.screenshot('20-program-lenses');
    await lens.click();
    await page.locator('.peekview-widget .view-line', { hasText: 'dot(x, w)' }).first().waitFor();
    await workbench.screenshot('21-program-peek');
    await page.keyboard.press('Escape');
  });

  await step('hovers show the instructions', async () => {
    const text = await workbench.hover('tanh', 'return jnp', 't = f32[64,64] tanh');
    assert.match(text, /1 instruction/);
    await workbench.screenshot('22-program-hover');
    await workbench.leaveHover();
  });

  await step('hovers show the values of the last run', async () => {
    await workbench.openFile('layer.hlo');
    await workbench.command('HLOscope: Run Module');
    await page.locator('.view-line', { hasText: '> done' }).first().waitFor();
    await workbench.openFile('layer.py');
    await workbench.eventually(async () => {
      const text = await workbench.hover('tanh', 'return jnp', 't = f32[64,64] tanh');
      await workbench.leaveHover();
      return /tanh\s+\/\/ \S+ to \S+, mean/.test(text);
    }, 'a value');
    await workbench.screenshot('23-program-values');
  });
}
