// SPDX-License-Identifier: Apache-2.0
// Panels that draw where the elements of an array lie in memory, and how operands are fitted together by broadcasting.
import * as vscode from 'vscode';
import { page, pageOptions } from '../panels/page';
import type { Server } from '../server/client';
import { sayNoModule } from '../text/documents';
import type { BroadcastAnswer, FromDrawingView, LayoutAnswer, ToDrawingView } from './messages';

/** The editor, if it shows a module: where the cursor is. */
function cursor(): { uri: string; position: vscode.Position } | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'hlo') return undefined;
  return { uri: editor.document.uri.toString(), position: editor.selection.active };
}

export class Drawings implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
  ) {}

  dispose(): void {
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  /** Of the value at the cursor; elsewhere the user is asked for a shape. */
  async showLayout(): Promise<void> {
    const at = cursor();
    if (at === undefined) return sayNoModule();
    const textDocument = { uri: at.uri };
    let layout = await this.atCursor<LayoutAnswer>('hloscope/layout', at);
    if (layout === undefined) {
      const shape = await vscode.window.showInputBox({
        prompt: 'There is no array at the cursor. Which shape should be drawn?',
        value: 'f32[4,6]{1,0:T(2,4)}',
      });
      if (shape === undefined) return;
      layout = await this.ask<LayoutAnswer>('hloscope/layout', { textDocument, shape });
    }
    if (layout !== undefined) this.show('Layout', layout.shape, { kind: 'layout', layout });
  }

  /** Of the broadcast at the cursor; elsewhere the user is asked for two shapes. */
  async showBroadcast(): Promise<void> {
    const at = cursor();
    if (at === undefined) return sayNoModule();
    const textDocument = { uri: at.uri };
    let broadcast = await this.atCursor<BroadcastAnswer>('hloscope/broadcast', at);
    const isWritten = broadcast !== undefined;
    if (broadcast === undefined) {
      const lhs = await vscode.window.showInputBox({ prompt: 'There is no broadcast at the cursor. The shape of the left operand?', value: 'f32[4,3]' });
      if (lhs === undefined) return;
      const rhs = await vscode.window.showInputBox({ prompt: `The shape of the operand that meets ${lhs}?`, value: 'f32[1,3]' });
      if (rhs === undefined) return;
      const dimensions = await vscode.window.showInputBox({
        prompt: `Which dimensions of the larger one does the smaller one have (1 or 0,2)? Empty if both have as many dimensions.`,
      });
      if (dimensions === undefined) return;
      const numbers = dimensions.trim() === '' ? undefined : dimensions.split(',').map(Number);
      broadcast = await this.ask<BroadcastAnswer>('hloscope/broadcast', { textDocument, lhs, rhs, dimensions: numbers });
    }
    if (broadcast === undefined) return;
    const subject = isWritten ? `${broadcast.rhs} to ${broadcast.lhs}` : `${broadcast.lhs} and ${broadcast.rhs}`;
    this.show('Broadcast', subject, { kind: 'broadcast', broadcast, isWritten });
  }

  /** undefined if the server has nothing to draw there. */
  private async atCursor<Answer>(method: string, at: { uri: string; position: vscode.Position }): Promise<Answer | undefined> {
    try {
      return (await this.server.ask<Answer | null>(method, { textDocument: { uri: at.uri }, position: at.position })) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Tells the user what is wrong. */
  private async ask<Answer>(method: string, parameters: unknown): Promise<Answer | undefined> {
    try {
      const answer = await this.server.ask<Answer | null>(method, parameters);
      if (answer !== undefined && answer !== null) return answer;
      void vscode.window.showErrorMessage('The language server is not running: it makes the drawing.');
    } catch (error) {
      void vscode.window.showErrorMessage(`Nothing can be drawn: ${(error as Error).message}`);
    }
    return undefined;
  }

  private show(what: string, subject: string, message: ToDrawingView): void {
    const title = `${what}: ${subject}`;
    this.panels.get(title)?.dispose();
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel('hloscope.drawing', title, column, pageOptions(this.extension));
    this.panels.set(title, panel);
    panel.onDidDispose(() => {
      if (this.panels.get(title) === panel) this.panels.delete(title);
    });
    panel.webview.onDidReceiveMessage((received: FromDrawingView) => {
      if (received.kind === 'ready') void panel.webview.postMessage(message);
    });
    panel.webview.html = page(panel.webview, this.extension, 'drawing', title);
  }
}
