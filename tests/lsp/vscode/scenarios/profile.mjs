// SPDX-License-Identifier: Apache-2.0
// Where time and memory go: a measured profile over the text and the graph, the page that explains the memory.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const name = 'profile';
export const needs = ['hloscope'];

export async function run(workbench, step, { workspace, programs }) {
  const { page } = workbench;
  const hloscope = path.join(programs, 'hloscope');
  const profile = path.join(workspace, 'run.xplane.pb');
  execFileSync(hloscope, ['run', path.join(workspace, 'softmax.hlo'), '--fill=random', `--trace=${profile}`]);
  fs.copyFileSync(profile, path.join(workspace, 'before.xplane.pb'));
  fs.mkdirSync(path.join(workspace, '.vscode'));
  fs.writeFileSync(path.join(workspace, '.vscode/settings.json'), JSON.stringify({ 'hloscope.profile.arguments': ['--device=H100'] }));
  const row = (text) => page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
  const unfold = (group, inside) => workbench.insist(() => row(group).click(), inside);

  await step('shows measured times at the ends of lines', async () => {
    await workbench.openFile('softmax.hlo');
    await workbench.clickText('powers', 'powers = ');
    await workbench.chooseFile('HLOscope: Show the Times of a Profile...', profile, row('Most to gain'));
    await workbench.eventually(() => page.evaluate(() => [...document.querySelectorAll('.editor-instance .view-line')]
      .some((line) => line.textContent.includes('powers') && [...line.querySelectorAll('span')]
        .some((span) => /\d (ns|µs|ms) · .* %/.test(getComputedStyle(span, '::after').content)))), 'a time at the end of the line');
    await page.locator('.pane-body', { hasText: 'belong to instructions' }).first().waitFor();
    await workbench.screenshot('30-profile');
  });

  await step('goes from the profile to the text', async () => {
    await unfold('Instructions', row(/^shifted/));
    await row(/^shifted/).click();
    await workbench.waitForCursor(21);
  });

  await step('opens a module of the profile', async () => {
    // Only rows that are on the screen exist.
    await row('Instructions').click();
    await workbench.insist(() => page.keyboard.press('End'), row('Programs'));
    await row('Programs').click();
    await workbench.insist(() => page.keyboard.press('End'), row(/^softmax\s*id 1/));
    await row(/^softmax\s*id 1/).click();
    await page.locator('.tab', { hasText: 'Untitled-1' }).first().waitFor();
    await workbench.waitForLine('exponential(');
    await workbench.openFile('softmax.hlo');
    await page.keyboard.press('Control+Home');
  });

  await step('colours the graph by time', async () => {
    await workbench.command('HLOscope: Show Graph to the Side');
    const view = await workbench.webView('g.node.measured');
    await view.locator('g.node.heat5').first().waitFor();
    await workbench.screenshot('31-profile-graph');
  });

  await step('compares two profiles', async () => {
    await row('Programs').click();
    await workbench.insist(() => page.keyboard.press('Home'), row('Most to gain'));
    const compared = row('Compared with the other profile');
    await workbench.chooseFile('HLOscope: Compare with Another Profile...', path.join(workspace, 'before.xplane.pb'), compared);
  });

  await step('draws the lanes of the devices', async () => {
    await workbench.command('HLOscope: Show the Timeline of the Profile');
    const view = await workbench.webView('.tl canvas');
    await workbench.screenshot('32-timeline');
    await view.locator('td code', { hasText: /^powers$/ }).first().click();
    await workbench.waitForCursor(22);
  });

  await step('explains the memory, and what would change it', async () => {
    await workbench.clickText('powers', 'powers = ');
    await workbench.command('HLOscope: Show Memory');
    const view = await workbench.webView('summary:has-text("Alive at the peak")');
    await workbench.screenshot('33-memory');
    await view.locator('td code', { hasText: /^total_rows$/ }).first().click();
    await workbench.waitForCursor(24);
    await workbench.command('HLOscope: Ask What Would Change the Peak...');
    await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'recompute:total_rows' }).first().click();
    await workbench.webView('summary:has-text("What if")');
    await workbench.screenshot('34-what-if');
  });
}
