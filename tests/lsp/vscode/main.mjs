// SPDX-License-Identifier: Apache-2.0
// usage: node main.mjs CHROMIUM BUILD_FOLDER WORKSPACE_FOLDER
// Drives a real VS Code with the packed extension. Screenshots and logs land in BUILD_FOLDER/vscode-test.
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import * as attach from './scenarios/attach.mjs';
import * as crash from './scenarios/crash.mjs';
import * as debugging from './scenarios/debugging.mjs';
import * as drawing from './scenarios/drawing.mjs';
import * as editing from './scenarios/editing.mjs';
import * as graph from './scenarios/graph.mjs';
import * as huge from './scenarios/huge.mjs';
import * as large from './scenarios/large.mjs';
import * as missingServer from './scenarios/missing_server.mjs';
import * as modules from './scenarios/modules.mjs';
import * as pages from './scenarios/pages.mjs';
import * as profile from './scenarios/profile.mjs';
import * as program from './scenarios/program.mjs';
import * as tensor from './scenarios/tensor.mjs';
import * as translation from './scenarios/translation.mjs';
import { startVsCode } from './vscode_server.mjs';
import { Workbench } from './workbench.mjs';

const SCENARIOS = [editing, crash, graph, tensor, drawing, modules, program, translation, profile, large, huge, pages, debugging, attach, missingServer];
// A busy machine can make an editor miss a click or a key; what fails twice is broken.
const ATTEMPTS = 2;
const CHROMIUM_SWITCHES = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
];

const [browserProgram, build, given] = process.argv.slice(2).map((argument) => path.resolve(argument));
const artefacts = path.join(build, 'vscode-test');
fs.rmSync(artefacts, { recursive: true, force: true });
fs.mkdirSync(artefacts, { recursive: true });

const started = Date.now();
const say = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const only = process.env.HLOSCOPE_SCENARIO;
let failures = 0;

const codeServer = path.join(path.dirname(new URL(import.meta.url).pathname), '../node_modules/.bin/code-server');
const server = await startVsCode({
  program: codeServer, extension: path.join(build, 'hloscope.vsix'), folder: artefacts, programs: path.join(build, 'bin'),
});
say('VS Code is up');
const browser = await chromium.launch({ executablePath: browserProgram, args: CHROMIUM_SWITCHES });
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 950 } });
  const console_ = fs.createWriteStream(path.join(artefacts, 'console.log'));
  page.on('console', (message) => console_.write(`${message.type()} ${message.text()}\n`));
  const workbench = new Workbench(page, server.url, artefacts);
  for (const scenario of SCENARIOS) {
    if (only !== undefined && scenario.name !== only) continue;
    const missing = (scenario.needs ?? []).filter((need) => !fs.existsSync(path.join(build, 'bin', need)));
    if (missing.length > 0) {
      say(`left out: ${scenario.name} needs ${missing.join(', ')}, which is not built`);
      continue;
    }
    // Scenarios edit, and VS Code remembers what a folder looked like: each attempt gets a folder of its own.
    const attempt = async (number) => {
      const workspace = path.join(artefacts, `${scenario.name.replace(/ /g, '-')}-${number}`, 'workspace');
      fs.cpSync(given, workspace, { recursive: true });
      await workbench.openFolder(workspace);
      await scenario.run(workbench, step, { workspace, programs: path.join(build, 'bin'), killLanguageServers: server.killLanguageServers });
    };
    const step = async (title, action) => {
      await action();
      say(`ok: ${scenario.name}: ${title}`);
    };
    for (let number = 1; number <= ATTEMPTS; ++number) {
      try {
        await attempt(number);
        break;
      } catch (error) {
        say(`FAILED (attempt ${number} of ${ATTEMPTS}): ${scenario.name}: ${error.stack}`);
        await workbench.screenshot(`failed-${scenario.name.replace(/ /g, '-')}-${number}`).catch(() => undefined);
        if (number === ATTEMPTS) ++failures;
      }
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
say(failures === 0 ? 'done' : `${failures} scenarios failed`);
process.exit(failures === 0 ? 0 : 1);
