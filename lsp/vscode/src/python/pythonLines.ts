// SPDX-License-Identifier: Apache-2.0
// Lenses and hovers in the program that a module was made from: what each line became.
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { EndedRun, Runner } from '../commands/run';
import type { ValueAnswer } from '../commands/valuePage';
import type { Server } from '../server/client';
import { runInputs, shortValue } from './lastRun';
import {
  fileFor, hoverText, lensText, measuredOf, measuredTimes,
  type FileAnswer, type LineAnswer, type MeasuredTimes, type SourceLinesAnswer,
} from './sourceLines';

// Of one hover, while debugging, and computed again.
const MOST_VALUES = 20;
const MOST_COMPUTED = 4;

interface Module {
  uri: vscode.Uri;
  version: number;
  answer: SourceLinesAnswer;
}

export class PythonLines implements vscode.Disposable, vscode.CodeLensProvider, vscode.HoverProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];
  /** The module whose lines are shown: the one that was looked at last. */
  private shown: vscode.TextDocument | undefined;
  private module: Module | undefined;
  private times: MeasuredTimes = new Map();
  private lastRun: EndedRun | undefined;
  /** Of the last run, as far as they have been asked for. */
  private readonly runValues = new Map<string, string>();

  constructor(
    private readonly server: Server,
    runner: Runner,
  ) {
    const python = { language: 'python' };
    this.subscriptions = [
      this.changed,
      vscode.languages.registerCodeLensProvider(python, this),
      vscode.languages.registerHoverProvider(python, this),
      runner.onDidRun((ended) => {
        this.lastRun = ended;
        this.runValues.clear();
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.look(editor?.document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.shown) this.changed.fire();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration('hloscope.sourceRoots') && !change.affectsConfiguration('hloscope.pythonLenses')) return;
        this.module = undefined;
        this.changed.fire();
      }),
    ];
    this.look(vscode.window.activeTextEditor?.document);
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!vscode.workspace.getConfiguration('hloscope', document).get<boolean>('pythonLenses', true)) return [];
    const found = await this.fileOf(document);
    if (found === undefined) return [];
    const { module, file } = found;
    return file.lines.filter(({ line }) => line <= document.lineCount).map((line) => {
      const at = new vscode.Position(line.line - 1, 0);
      const places = line.instructions.map(({ range }) => ({ uri: module.uri.toString(), range }));
      return new vscode.CodeLens(new vscode.Range(at, at), {
        title: `$(circuit-board) ${lensText(line, measuredOf(this.times, file, line.line))}`,
        tooltip: `What this line became in ${path.basename(module.uri.path)}`,
        command: 'hloscope.showReferences',
        arguments: [document.uri.toString(), { line: at.line, character: 0 }, places],
      });
    });
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position, token: vscode.CancellationToken): Promise<vscode.Hover | undefined> {
    const found = await this.fileOf(document);
    const line = found?.file.lines.find((one) => one.line === position.line + 1);
    if (found === undefined || line === undefined) return undefined;
    const name = path.basename(found.module.uri.path);
    const measured = measuredOf(this.times, found.file, line.line);
    return new vscode.Hover(new vscode.MarkdownString(hoverText(name, line, await this.valuesOf(found.module, line, token), measured)));
  }

  /** Shows what a profile has measured beside the lines; undefined: nothing any more. */
  showTimes(profile: unknown): void {
    this.times = measuredTimes(profile);
    this.changed.fire();
  }

  private look(document: vscode.TextDocument | undefined): void {
    if (document?.languageId !== 'hlo' || document === this.shown) return;
    this.shown = document;
    this.changed.fire();
  }

  private async fileOf(document: vscode.TextDocument): Promise<{ module: Module; file: FileAnswer } | undefined> {
    const module = await this.current();
    const file = module === undefined ? undefined : fileFor(module.answer, document.uri.path);
    return module === undefined || file === undefined ? undefined : { module, file };
  }

  private async current(): Promise<Module | undefined> {
    const document = this.shown;
    if (document === undefined || document.isClosed) return undefined;
    if (this.module?.uri.toString() === document.uri.toString() && this.module.version === document.version) return this.module;
    const { uri, version } = document;
    try {
      const answer = await this.server.ask<SourceLinesAnswer | null>('hloscope/sourceLines', { textDocument: { uri: uri.toString() } });
      if (answer === undefined || answer === null) return undefined;
      this.module = { uri, version, answer };
      return this.module;
    } catch {
      // The text has changed since, or the server ends: the next question is about a newer one.
      return undefined;
    }
  }

  /** What a run that is being debugged has computed, else what the last run of the module did. */
  private async valuesOf(module: Module, line: LineAnswer, token: vscode.CancellationToken): Promise<ReadonlyMap<string, string>> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type === 'hlo' && session.configuration['program'] === module.uri.fsPath) return debuggedValues(session, line);
    const { lastRun } = this;
    if (lastRun?.uri.toString() !== module.uri.toString() || lastRun.version !== module.version) return new Map();
    const inputs = runInputs(lastRun.options);
    if (inputs === undefined) return new Map();
    for (const { name, range } of line.instructions.slice(0, MOST_COMPUTED)) {
      if (this.runValues.has(name) || token.isCancellationRequested) continue;
      try {
        const parameters = { textDocument: { uri: module.uri.toString() }, position: range.start, ...inputs };
        const answer = await this.server.askWithProgress<ValueAnswer | null>('hloscope/value', parameters, token, () => undefined);
        if (answer !== undefined && answer !== null && this.lastRun === lastRun) this.runValues.set(name, shortValue(answer));
      } catch {
        // It takes too long or too much memory, or the hover is gone.
        break;
      }
    }
    return this.runValues;
  }
}

async function debuggedValues(session: vscode.DebugSession, line: LineAnswer): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  for (const { name } of line.instructions.slice(0, MOST_VALUES)) {
    try {
      const { result } = (await session.customRequest('evaluate', { expression: name, context: 'hover' })) as { result: string };
      values.set(name, result);
    } catch {
      // Not computed yet, or not in this frame.
    }
  }
  return values;
}
