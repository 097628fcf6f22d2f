// SPDX-License-Identifier: Apache-2.0
// The HLO of a StableHLO program, beside it and up to date with it: what is selected in one is marked in the other, and
// while a debugger has stopped, so is what runs next.
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { type Link, linkOf, linksFrom } from './links';

const SCHEME = 'hlo-translation';
const PAUSE_MILLISECONDS = 400;

const isTranslation = (document: vscode.TextDocument) => document.uri.scheme === SCHEME;
const programOf = (translation: vscode.Uri) => decodeURIComponent(translation.query);
const lineRange = (line: number) => new vscode.Range(line, 0, line, 0);

export class Translations implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly selected = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.selectionHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.selectionHighlightForeground'),
  });
  private readonly stopped = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.stackFrameHighlightBackground'),
  });
  private readonly disposables: vscode.Disposable[] = [this.changed, this.selected, this.stopped];
  private pause: NodeJS.Timeout | undefined;
  /** By the URI of the program. */
  private readonly links = new Map<string, Link[]>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {
    this.disposables.push(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand('hloscope.showHlo', (uri?: unknown) => this.show(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId !== 'stablehlo') return;
        this.links.delete(document.uri.toString());
        clearTimeout(this.pause);
        this.pause = setTimeout(() => this.changed.fire(this.uriOf(document.uri)), PAUSE_MILLISECONDS);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (isTranslation(document)) this.links.delete(programOf(document.uri));
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        // What this class reveals selects nothing; other programs may.
        if (kind !== vscode.TextEditorSelectionChangeKind.Command || textEditor === vscode.window.activeTextEditor) {
          this.follow(textEditor);
        }
      }),
      vscode.debug.onDidChangeActiveStackItem((item) => void this.showStop(item)),
      vscode.debug.onDidTerminateDebugSession(() => this.clearStop()),
    );
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.disposables.forEach((one) => one.dispose());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const program = programOf(uri);
    const answer = await this.server.ask<{ text: string; links?: Link[] }>('hloscope/hlo', { textDocument: { uri: program } });
    this.links.set(program, answer?.links ?? []);
    return answer?.text ?? '// The language server is not running: it translates.\n';
  }

  private uriOf(program: vscode.Uri): vscode.Uri {
    return vscode.Uri.from({ scheme: SCHEME, path: `${program.path}.hlo`, query: encodeURIComponent(program.toString()) });
  }

  private async show(uri: unknown): Promise<void> {
    const active = vscode.window.activeTextEditor;
    const program =
      typeof uri === 'string' ? vscode.Uri.parse(uri) : active?.document.languageId === 'stablehlo' ? active.document.uri : undefined;
    if (program === undefined) return void vscode.window.showInformationMessage('Open a StableHLO program first.');
    const document = await vscode.workspace.openTextDocument(this.uriOf(program));
    await vscode.languages.setTextDocumentLanguage(document, 'hlo');
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
    if (active?.document.uri.toString() === program.toString()) this.follow(active);
    void this.showStop(vscode.debug.activeStackItem);
  }

  private editorsOf(uri: string): vscode.TextEditor[] {
    return vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri);
  }

  /** Marks in the other text what is selected in this one. */
  private follow(editor: vscode.TextEditor): void {
    const { document, selection } = editor;
    if (!isTranslation(document) && document.languageId !== 'stablehlo') return;
    const program = isTranslation(document) ? programOf(document.uri) : document.uri.toString();
    const links = this.links.get(program);
    if (links === undefined) return;
    editor.setDecorations(this.selected, []);
    if (isTranslation(document)) {
      const link = linkOf(links, selection.active.line);
      const range = link && new vscode.Range(link[1], link[2], link[3], link[4]);
      this.mark(program, this.selected, range ? [range] : []);
    } else {
      const lines = linksFrom(links, selection.active.line, selection.active.character).map((link) => lineRange(link[0]));
      this.mark(this.uriOf(document.uri).toString(), this.selected, lines);
    }
  }

  private mark(uri: string, decoration: vscode.TextEditorDecorationType, ranges: vscode.Range[]): void {
    for (const other of this.editorsOf(uri)) {
      other.setDecorations(decoration, ranges);
      if (ranges[0]) other.revealRange(ranges[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  private clearStop(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (isTranslation(editor.document)) editor.setDecorations(this.stopped, []);
    }
  }

  /** Marks the instructions of the operation at which a program has stopped. */
  private async showStop(item: vscode.DebugThread | vscode.DebugStackFrame | undefined): Promise<void> {
    if (item === undefined || item.session.type !== 'hlo' || this.links.size === 0) return this.clearStop();
    type Frame = { id: number; line: number; column: number; source?: { path?: string } };
    let frames: Frame[] = [];
    try {
      frames = (await item.session.customRequest('stackTrace', { threadId: item.threadId })).stackFrames;
    } catch {
      // It runs again.
    }
    const frame = item instanceof vscode.DebugStackFrame ? frames.find(({ id }) => id === item.frameId) : frames[0];
    this.clearStop();
    if (frame?.source?.path === undefined) return;
    const program = vscode.Uri.file(frame.source.path);
    const links = this.links.get(program.toString());
    if (links === undefined) return;
    const lines = linksFrom(links, frame.line - 1, Math.max(0, frame.column - 1)).map((link) => lineRange(link[0]));
    this.mark(this.uriOf(program).toString(), this.stopped, lines);
  }
}
