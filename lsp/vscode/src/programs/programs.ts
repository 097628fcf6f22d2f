// SPDX-License-Identifier: Apache-2.0
// The programs of HLOscope as this window sees them: found once, kept until settings change; help when one is missing.
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as vscode from 'vscode';
import { failureOf, run } from './process';
import { isFound, search, SETTING_OF, type NotFound, type Program, type Surroundings, type Trial } from './search';

const TRIAL_MILLISECONDS = 10_000;

const PURPOSE: Record<Program, string> = {
  'hloscope': 'Running modules and drawing graphs need the program hloscope.',
  'hloscope-lsp': 'Diagnostics, completion and hover need the language server hloscope-lsp.',
  'hloscope-dap': 'Debugging needs the debug adapter hloscope-dap.',
  'hloscope-gui': 'This needs the app hloscope-gui.',
};

async function attempt(file: string): Promise<Trial> {
  try {
    await fs.access(file, fs.constants.X_OK);
    if (!(await fs.stat(file)).isFile()) return { kind: 'missing' };
  } catch (error) {
    const denied = (error as NodeJS.ErrnoException).code === 'EACCES';
    return denied ? { kind: 'fails', reason: 'no permission to run it' } : { kind: 'missing' };
  }
  const outcome = await run(file, ['--version'], {
    timeLimit: TRIAL_MILLISECONDS,
    environment: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
  });
  const reason = failureOf(outcome);
  if (reason !== undefined) return { kind: 'fails', reason };
  return { kind: 'works', version: outcome.output.toString('utf8').trim() };
}

export class Programs implements vscode.Disposable {
  private readonly found = new Map<Program, string>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly extensionFolder: string,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('hloscope')) this.found.clear();
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** The file of the program, or what was tried. */
  async find(program: Program): Promise<string | NotFound> {
    const known = this.found.get(program);
    if (known !== undefined) return known;
    const result = await search(program, this.surroundings(), attempt);
    if (!isFound(result)) {
      this.log.warn([result.problem, ...result.tried].join('\n  '));
      return result;
    }
    this.log.info(`${program}: ${result.file} (${result.version})`);
    this.found.set(program, result.file);
    return result.file;
  }

  /** The file of the program; if it is missing, tells the user what to do and returns undefined. */
  async require(program: Program): Promise<string | undefined> {
    const result = await this.find(program);
    if (typeof result === 'string') return result;
    void this.help(program, result);
    return undefined;
  }

  async help(program: Program, missing: NotFound): Promise<void> {
    const settings = 'Choose the Program...', guide = 'How to Install', details = 'What Was Tried';
    const message = `${PURPOSE[program]} ${missing.problem}`;
    const choice = await vscode.window.showErrorMessage(message, settings, guide, details);
    if (choice === settings) await this.choose(program);
    if (choice === guide) await this.showGuide();
    if (choice === details) this.log.show();
  }

  private async choose(program: Program): Promise<void> {
    const picked = await vscode.window.showOpenDialog({ title: `Where is ${program}?`, canSelectMany: false });
    const file = picked?.[0]?.fsPath;
    if (file === undefined) return;
    const settings = vscode.workspace.getConfiguration('hloscope');
    await settings.update(SETTING_OF[program], file, vscode.ConfigurationTarget.Global);
  }

  private async showGuide(): Promise<void> {
    const readme = vscode.Uri.joinPath(vscode.Uri.file(this.extensionFolder), 'README.md');
    await vscode.commands.executeCommand('markdown.showPreview', readme);
  }

  private surroundings(): Surroundings {
    const settings = vscode.workspace.getConfiguration('hloscope');
    const configured: Surroundings['configured'] = {};
    for (const [program, key] of Object.entries(SETTING_OF)) {
      configured[program as Program] = settings.get<string>(key, '');
    }
    return {
      configured,
      extensionFolder: this.extensionFolder,
      searchPath: process.env['PATH'] ?? '',
      home: os.homedir(),
      workspaceFolder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      platform: process.platform,
    };
  }
}
