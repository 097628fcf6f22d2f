// SPDX-License-Identifier: Apache-2.0
// The workbench of VS Code as a user sees it: files, text, commands, diagnostics, panels.
import path from 'node:path';

const PATIENCE = 40_000;

export class Workbench {
  constructor(page, url, artefacts) {
    this.page = page;
    this.url = url;
    this.artefacts = artefacts;
    page.setDefaultTimeout(PATIENCE);
  }

  /** Opens a folder in this window. */
  async openFolder(folder) {
    // A dirty editor would ask before the page goes.
    this.page.removeAllListeners('dialog');
    this.page.on('dialog', (dialog) => dialog.accept().catch(() => undefined));
    await this.page.goto(`${this.url}/?folder=${encodeURIComponent(folder)}`);
    await this.page.waitForSelector('.monaco-workbench .part.statusbar');
    await this.page.waitForSelector('.explorer-folders-view .monaco-list-row');
    await this.hidePanel();
  }

  /** Problems, output and their like take room that texts need. */
  async hidePanel() {
    const panel = this.page.locator('.part.panel');
    if (!(await panel.isVisible())) return;
    await this.page.keyboard.press('Control+KeyJ');
    await panel.waitFor({ state: 'hidden' });
  }

  async openFile(name) {
    await this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().dblclick();
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
    await this.page.locator('.view-line').first().waitFor();
  }

  /** Runs a command by its title. */
  async command(title) {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor({ state: 'visible' });
    await input.fill(`>${title}`);
    await this.page.locator('.quick-input-widget .monaco-list-row', { hasText: title }).first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Acts until `outcome` is on the screen: a view that is being filled can miss a click. */
  async insist(act, outcome) {
    const end = Date.now() + PATIENCE;
    do {
      await act();
      if (await outcome.waitFor({ timeout: 5000 }).then(() => true, () => false)) return;
    } while (Date.now() < end);
    await outcome.waitFor({ timeout: 1 });
  }

  /** Chooses a folder in VS Code's own dialog, which a command with `title` opens, until `outcome` is on the screen. */
  async chooseFolder(title, folder, outcome) {
    await this.chooseFile(title, `${folder}/`, outcome);
  }

  /** The same for a file. */
  async chooseFile(title, file, outcome) {
    const input = this.page.locator('.quick-input-widget input').first();
    await this.insist(async () => {
      await this.page.keyboard.press('Escape');
      await this.command(title);
      await this.page.locator('.quick-input-widget a.monaco-button', { hasText: 'OK' }).first().waitFor();
      await input.fill(file);
      // The dialog reads the folder.
      await this.page.waitForTimeout(700);
      await this.page.locator('.quick-input-widget a.monaco-button', { hasText: 'OK' }).first().click();
    }, outcome);
  }

  /** The lines on the screen, with what hints add to them. */
  async lines() {
    return this.page.evaluate(() => [...document.querySelectorAll('.editor-instance .view-line')]
      .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent.replace(/\u00a0/g, ' ') }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text));
  }

  async waitForLine(text) {
    await this.eventually(async () => (await this.lines()).some((line) => line.includes(text)), `a line with "${text}"`, () => this.lines());
  }

  async waitForNoLine(text) {
    await this.eventually(async () => !(await this.lines()).some((line) => line.includes(text)), `no line with "${text}"`, () => this.lines());
  }

  /** Waits until the cursor is in a line, counted from 1. */
  async waitForCursor(line) {
    const numbers = () => this.page.locator('.editor-instance .active-line-number').allTextContents();
    await this.eventually(async () => (await numbers()).some((number) => Number(number) === line), `the cursor in line ${line}`, numbers);
  }

  /** The middle of the first `needle` on a line that contains `context`, on the screen, once it stays where it is. */
  async placeOf(needle, context = needle) {
    // Lenses and hints that come late move the text.
    let before;
    for (let attempt = 0; attempt < 50; ++attempt) {
      const place = await this.measure(needle, context);
      if (place !== null && before?.x === place.x && before.y === place.y) return place;
      before = place ?? undefined;
      await this.page.waitForTimeout(150);
    }
    throw new Error(`"${needle}" is not on the screen, or moves:\n${(await this.lines()).join('\n')}`);
  }

  async measure(needle, context) {
    return this.page.evaluate(([wanted, around]) => {
      for (const line of document.querySelectorAll('.editor-instance .view-line')) {
        const full = line.textContent.replace(/\u00a0/g, ' ');
        if (!full.includes(around)) continue;
        const at = full.indexOf(wanted, full.indexOf(around));
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(), begin = 0; node !== null; begin += node.length, node = walker.nextNode()) {
          if (at < begin || at >= begin + node.length) continue;
          const range = document.createRange();
          range.setStart(node, at - begin);
          range.setEnd(node, Math.min(node.length, at - begin + wanted.length));
          const box = range.getBoundingClientRect();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }
      }
      return null;
    }, [needle, context]);
  }

  async clickText(needle, context) {
    const { x, y } = await this.placeOf(needle, context);
    await this.page.mouse.click(x, y);
  }

  /** The hover over a text, once it contains `expected`. */
  async hover(needle, context, expected) {
    const hover = this.page.locator('.monaco-hover:not(.hidden) .hover-contents', { hasText: expected }).first();
    const end = Date.now() + PATIENCE;
    do {
      if (Date.now() > end) throw new Error(`there is never a hover with "${expected}" over "${needle}"`);
      const { x, y } = await this.placeOf(needle, context);
      await this.page.mouse.move(x - 20, y + 60);
      await this.page.mouse.move(x - 1, y);
      await this.page.mouse.move(x, y, { steps: 4 });
    } while (!(await hover.waitFor({ timeout: 4000 }).then(() => true, () => false)));
    // Contents fade in.
    await this.page.waitForTimeout(500);
    return hover.textContent();
  }

  async leaveHover() {
    await this.page.mouse.move(5, 5);
    await this.page.keyboard.press('Escape');
  }

  /** The document inside a web view whose body contains an element that fits `selector`. */
  async webView(selector) {
    let found;
    await this.eventually(async () => {
      for (const frame of this.page.frames()) {
        if (frame.name() !== 'active-frame' && !frame.url().includes('fake.html')) continue;
        if (await frame.locator(selector).first().isVisible().catch(() => false)) {
          found = frame;
          return true;
        }
      }
      return false;
    }, `a web view with ${selector}`, () => this.page.frames().map((frame) => frame.url().slice(0, 100)));
    return found;
  }

  async screenshot(name) {
    await this.page.screenshot({ path: path.join(this.artefacts, `${name}.png`) });
  }

  /** Waits until the condition holds; else fails with `what` and what `seen` returns. */
  async eventually(condition, what, seen = () => '') {
    const end = Date.now() + PATIENCE;
    while (!(await condition())) {
      if (Date.now() > end) throw new Error(`there is never ${what}; there is:\n${JSON.stringify(await seen(), null, 1)}`);
      await this.page.waitForTimeout(50);
    }
  }
}

