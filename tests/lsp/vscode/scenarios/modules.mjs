// SPDX-License-Identifier: Apache-2.0
// Modules that are no HLO text: protos, folders of dumps, StableHLO programs.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const name = 'modules';
export const needs = ['hloscope'];

const PROGRAM = `module @jit_f {
  func.func public @main(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %cst = stablehlo.constant dense<2.0> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4x8xf32>
    %2 = stablehlo.exponential %1 : tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
}
`;

export async function run(workbench, step, { workspace, programs }) {
  const { page } = workbench;
  const hloscope = path.join(programs, 'hloscope');
  const dumps = path.join(workspace, 'dumps');
  fs.mkdirSync(dumps);
  execFileSync(hloscope, ['convert', path.join(workspace, 'softmax.hlo'), '-o', path.join(workspace, 'model.hlo.pb')]);
  fs.copyFileSync(path.join(workspace, 'softmax.hlo'), path.join(dumps, 'module_0001.jit_f.before_optimizations.txt'));
  fs.copyFileSync(path.join(workspace, 'model.hlo.pb'), path.join(dumps, 'module_0001.jit_f.cpu_after_optimizations.hlo.pb'));
  const wrong = fs.readFileSync(path.join(workspace, 'softmax.hlo'), 'utf8').replace('exponential(', 'negate(');
  fs.writeFileSync(path.join(dumps, 'module_0001.jit_f.0000.simplification.after_swap.before_end.txt'), wrong);
  fs.writeFileSync(path.join(workspace, 'program.mlir'), PROGRAM);

  await step('opens a proto as text', async () => {
    await workbench.command('Refresh Explorer');
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'model.hlo.pb' }).first().dblclick();
    await workbench.waitForLine('exponential(');
    await page.locator('.statusbar-item', { hasText: 'XLA HLO' }).waitFor();
    await page.locator('.codelens-decoration a', { hasText: /run/i }).first().waitFor();
    await workbench.screenshot('20-proto');
  });

  await step('debugs a proto where its text is shown', async () => {
    await workbench.clickText('exponential', 'exponential(');
    await page.keyboard.press('F5');
    await page.locator('.debug-top-stack-frame-line').first().waitFor();
    await page.locator('.tab.active', { hasText: 'model.hlo.pb' }).waitFor();
    await page.keyboard.press('Shift+F5');
    await page.locator('.debug-top-stack-frame-line').first().waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Shift+KeyE');
    await workbench.hidePanel();
  });

  await step('lists a folder of dumps', async () => {
    const module = page.locator('.pane-body .monaco-list-row', { hasText: 'jit_f' }).first();
    await workbench.chooseFolder('HLOscope: Open Dump Folder...', dumps, module);
    await workbench.insist(() => module.click(), page.locator('.monaco-list-row', { hasText: 'cpu_after_optimizations' }).first());
    await workbench.screenshot('21-dumps');
  });

  await step('tells what each pass changed', async () => {
    await workbench.command('HLOscope: Show What Each Pass Changed');
    const stage = page.locator('.pane-body .monaco-list-row', { hasText: /swap/ }).filter({ hasText: '~1' }).first();
    await stage.waitFor();
    await workbench.screenshot('24-passes');
    await workbench.insist(() => stage.click(), page.locator('.monaco-diff-editor .view-line', { hasText: 'negate(' }).first());
    await page.locator('.monaco-diff-editor .view-line', { hasText: 'exponential(' }).first().waitFor();
    await workbench.screenshot('25-stages-beside-each-other');
  });

  await step('knows StableHLO', async () => {
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'program.mlir' }).first().dblclick();
    await workbench.waitForLine('stablehlo.exponential');
    await page.locator('.codelens-decoration a', { hasText: 'of HLO' }).first().waitFor();
    await workbench.hover('stablehlo.exponential', 'stablehlo.exponential', 'exponential(');
    await workbench.screenshot('22-stablehlo');
    await workbench.leaveHover();
    await workbench.clickText('multiply', 'stablehlo.multiply');
    await page.keyboard.press('End');
    await page.keyboard.type('x');
    await page.locator('.squiggly-error').first().waitFor();
    await page.keyboard.press('Backspace');
    await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await page.locator('.codelens-decoration a', { hasText: 'of HLO' }).first().click();
    await workbench.waitForLine('ENTRY');
    await workbench.screenshot('23-stablehlo-and-hlo');
  });
}
