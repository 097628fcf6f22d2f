// SPDX-License-Identifier: Apache-2.0
// A report of `hloscope` as a page of the editor: a name that is clicked leads to the text of a module.
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { failureOf, run } from '../programs/process';
import type { Programs } from '../programs/programs';
import type { ProgramInput } from '../text/documents';
import { linesOfDocument } from '../text/documents';
import { lineOfInstruction, moduleName } from '../text/locate';

const TIME_LIMIT = 5 * 60_000;

/** What a report says when a name in it is clicked (insight/html/page_assets.cc). */
interface Reveal {
  kind: 'reveal';
  name: string;
  /** What is in the row of the name: one of them may be the name of its module. */
  row: string[];
}

function isReveal(message: unknown): message is Reveal {
  const { kind, name, row } = (message ?? {}) as Partial<Reveal>;
  return kind === 'reveal' && typeof name === 'string' && Array.isArray(row);
}

/** Goes to an instruction of the document; false if it has none of this name. */
export async function revealInstruction(document: vscode.TextDocument, name: string): Promise<boolean> {
  const line = lineOfInstruction(linesOfDocument(document), name);
  if (line === undefined) return false;
  const visible = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const at = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(document, { viewColumn: visible?.viewColumn ?? vscode.ViewColumn.One, selection: at });
  return true;
}

/** The modules that are open, those whose names are given first. */
export function openModules(names: readonly string[]): vscode.TextDocument[] {
  const rank = (document: vscode.TextDocument): number => (names.includes(moduleName(linesOfDocument(document)) ?? '') ? 0 : 1);
  return vscode.workspace.textDocuments
    .filter((document) => document.languageId === 'hlo' && !document.isClosed)
    .sort((a, b) => rank(a) - rank(b));
}

export class ReportPage implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  /** `type` is that of the web view; menus can ask for it. */
  constructor(
    private readonly programs: Programs,
    private readonly type: string,
  ) {}

  dispose(): void {
    this.panel?.dispose();
  }

  /** Runs `hloscope GIVEN --html=...` and shows what it writes; `document` is where names are looked for first. */
  async show(title: string, given: readonly string[], input: ProgramInput, document?: vscode.TextDocument): Promise<boolean> {
    const program = await this.programs.require('hloscope');
    if (program === undefined) return false;
    const html = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => this.write(program, given, input));
    if (html === undefined) return false;
    this.panel?.dispose();
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    // The page has a content policy of its own: its script, by its hash, and nothing else.
    const panel = vscode.window.createWebviewPanel(this.type, title, column, { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] });
    this.panel = panel;
    panel.onDidDispose(() => {
      if (this.panel === panel) this.panel = undefined;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (isReveal(message)) void this.reveal(message, document);
    });
    panel.webview.html = html;
    return true;
  }

  private async write(program: string, given: readonly string[], input: ProgramInput): Promise<string | undefined> {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'hloscope-'));
    try {
      const file = path.join(folder, 'report.html');
      const outcome = await run(program, [...given, `--html=${file}`, '--', input.argument], { input: input.input, folder: input.folder, timeLimit: TIME_LIMIT });
      const problem = failureOf(outcome);
      if (problem === undefined) return await fs.readFile(file, 'utf8');
      void vscode.window.showErrorMessage(problem);
      return undefined;
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }

  private async reveal({ name, row }: Reveal, document: vscode.TextDocument | undefined): Promise<void> {
    // Parts of a tuple have the name of the instruction that makes it.
    const instruction = name.replace(/\{[\d,]*\}$/, '');
    const first = document === undefined || document.isClosed ? [] : [document];
    for (const one of [...first, ...openModules(row)]) {
      if (await revealInstruction(one, instruction)) return;
    }
  }
}
