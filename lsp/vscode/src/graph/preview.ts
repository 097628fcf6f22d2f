// SPDX-License-Identifier: Apache-2.0
// The graph preview: one panel, which follows the cursor through the modules of the window.
import * as vscode from 'vscode';
import { page, pageOptions } from '../panels/page';
import type { Profiles } from '../profile/profiles';
import type { Programs } from '../programs/programs';
import type { Server } from '../server/client';
import { chosenDocument, linesOfDocument } from '../text/documents';
import { entryLine, lineOfComputation, lineOfInstruction, placeAt } from '../text/locate';
import type { FromGraphView, ShownNode, ToGraphView } from './messages';
import { isShown, requestFor, titleOf, type GraphRequest } from './request';
import { draw } from './source';
import { nameOf, nodesOf } from './svg';

// Long enough for holding down an arrow key, short enough to feel attached.
const CURSOR_DELAY = 120;
const EDIT_DELAY = 500;

export class GraphPreview implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.TextDocument | undefined;
  private shown: { request: GraphRequest; version: number; uri: string; names: Set<string> } | undefined;
  private running: vscode.CancellationTokenSource | undefined;
  private timer: NodeJS.Timeout | undefined;
  private last: ToGraphView | undefined;
  private follow = true;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
    private readonly programs: Programs,
    private readonly profiles: Profiles,
  ) {
    this.subscriptions = [
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.cursorMoved(textEditor, CURSOR_DELAY)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.cursorMoved(editor, CURSOR_DELAY)),
      profiles.onDidChangeProfile(() => this.redrawShown()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const editor = vscode.window.visibleTextEditors.find((visible) => visible.document === document);
        if (editor !== undefined && document === this.document) this.cursorMoved(editor, EDIT_DELAY);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.running?.cancel();
    this.panel?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Of the computation with this name, else of the one at the cursor. */
  async show(uri?: unknown, computation?: unknown): Promise<void> {
    const document = await chosenDocument(uri);
    if (document === undefined) return;
    this.follow = vscode.workspace.getConfiguration('hloscope', document).get<boolean>('graph.followCursor', true);
    this.shown = undefined;
    if (this.panel === undefined) this.createPanel();
    else this.panel.reveal(undefined, true);
    const editor = vscode.window.visibleTextEditors.find((visible) => visible.document === document);
    const named = typeof computation === 'string' ? lineOfComputation(linesOfDocument(document), computation) : undefined;
    await this.update(document, named ?? editor?.selection.active.line ?? 0, true);
  }

  private createPanel(): void {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel('hloscope.graph', 'HLO Graph', column, pageOptions(this.extension));
    this.panel = panel;
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.shown = undefined;
      this.last = undefined;
      this.running?.cancel();
    });
    panel.webview.onDidReceiveMessage((message: FromGraphView) => void this.received(message));
    panel.webview.html = page(panel.webview, this.extension, 'graph', 'HLO Graph');
  }

  private async received(message: FromGraphView): Promise<void> {
    // What was sent before the page listened is lost: once more.
    if (message.kind === 'ready' && this.last !== undefined) await this.panel?.webview.postMessage(this.last);
    if (message.kind === 'follow') this.follow = message.on;
    if (message.kind === 'reveal') await this.reveal(message.name, message.focus);
  }

  private cursorMoved(editor: vscode.TextEditor, delay: number): void {
    if (this.panel === undefined || !this.follow || editor.document.languageId !== 'hlo') return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.update(editor.document, editor.selection.active.line, false), delay);
  }

  private post(message: ToGraphView): void {
    this.last = message;
    void this.panel?.webview.postMessage(message);
  }

  private async update(document: vscode.TextDocument, line: number, isFirst: boolean): Promise<void> {
    const lines = linesOfDocument(document);
    let place = placeAt(lines, line);
    if (place.computation === undefined && isFirst) {
      // Above the first computation: the entry computation is what most people mean.
      const entry = entryLine(lines);
      if (entry !== undefined) place = placeAt(lines, entry);
    }
    const settings = vscode.workspace.getConfiguration('hloscope.graph', document);
    const request = requestFor(place, { wholeUpTo: settings.get('wholeUpTo', 200), depth: settings.get('depth', 3) });
    if (request === undefined) {
      if (isFirst) this.post({ kind: 'failure', message: 'Put the cursor into a computation to see its graph.' });
      return;
    }
    this.document = document;
    const uri = document.uri.toString();
    const before = this.shown?.uri === uri && this.shown.version === document.version ? this.shown : undefined;
    if (before !== undefined && isShown(before.request, request, before.names)) {
      if (place.instruction !== undefined) void this.panel?.webview.postMessage({ kind: 'select', name: place.instruction });
      return;
    }
    await this.redraw(document, request, place.instruction);
  }

  /** The same graph with other times. */
  private redrawShown(): void {
    if (this.panel === undefined || this.document === undefined || this.shown === undefined) return;
    void this.redraw(this.document, this.shown.request, this.shown.request.around);
  }

  private async redraw(document: vscode.TextDocument, request: GraphRequest, selected?: string): Promise<void> {
    this.running?.cancel();
    const running = (this.running = new vscode.CancellationTokenSource());
    const version = document.version;
    const title = titleOf(request);
    void this.panel?.webview.postMessage({ kind: 'busy', title } satisfies ToGraphView);
    try {
      const drawing = await draw(document, request, this.server, this.programs, running.token);
      if (drawing === undefined || running.token.isCancellationRequested || this.panel === undefined) return;
      if ('problem' in drawing) {
        this.shown = undefined;
        this.post({ kind: 'failure', message: `The graph of ${title} could not be drawn: ${drawing.problem}` });
        return;
      }
      const nodes: ShownNode[] = [];
      const heat = this.profiles.heatOf(document);
      for (const node of nodesOf(drawing.svg)) {
        const name = nameOf(node);
        const measured = name === undefined ? undefined : heat?.get(name);
        if (name !== undefined) nodes.push({ id: node.id, name, label: [...node.label, ...(measured === undefined ? [] : [measured.text])].join(', '), heat: measured });
      }
      this.shown = { request, version, uri: document.uri.toString(), names: new Set(nodes.map((node) => node.name)) };
      this.panel.title = `Graph: ${request.computation}`;
      this.post({ kind: 'graph', title, svg: drawing.svg, nodes, selected });
    } catch (error) {
      if (!running.token.isCancellationRequested) this.post({ kind: 'failure', message: `The graph of ${title} could not be drawn: ${(error as Error).message}` });
    } finally {
      running.dispose();
      if (this.running === running) this.running = undefined;
    }
  }

  private async reveal(name: string, focus: boolean): Promise<void> {
    if (this.document === undefined) return;
    const line = lineOfInstruction(linesOfDocument(this.document), name, this.shown?.request.computation);
    if (line === undefined) return;
    const visible = vscode.window.visibleTextEditors.find((editor) => editor.document === this.document);
    const editor = await vscode.window.showTextDocument(this.document, {
      viewColumn: visible?.viewColumn ?? vscode.ViewColumn.One,
      preserveFocus: !focus,
    });
    const column = editor.document.lineAt(line).text.search(/\S/);
    const position = new vscode.Position(line, Math.max(column, 0));
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
