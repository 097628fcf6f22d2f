// The HLO of a StableHLO program, beside it and up to date with it.
import * as vscode from 'vscode';
import type { Server } from '../server/client';

const SCHEME = 'hlo-translation';
const PAUSE_MILLISECONDS = 400;

export class Translations implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly disposables: vscode.Disposable[] = [this.changed];
  private pause: NodeJS.Timeout | undefined;
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {
    this.disposables.push(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand('hloscope.showHlo', (uri?: unknown) => this.show(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId !== 'stablehlo') return;
        clearTimeout(this.pause);
        this.pause = setTimeout(() => this.changed.fire(this.uriOf(document.uri)), PAUSE_MILLISECONDS);
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.disposables.forEach((one) => one.dispose());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const program = decodeURIComponent(uri.query);
    const answer = await this.server.ask<{ text: string }>('hloscope/hlo', { textDocument: { uri: program } });
    return answer?.text ?? '// The language server is not running: it translates.\n';
  }

  private uriOf(program: vscode.Uri): vscode.Uri {
    return vscode.Uri.from({ scheme: SCHEME, path: `${program.path}.hlo`, query: encodeURIComponent(program.toString()) });
  }

  private async show(uri: unknown): Promise<void> {
    const active = vscode.window.activeTextEditor?.document;
    const program = typeof uri === 'string' ? vscode.Uri.parse(uri) : active?.languageId === 'stablehlo' ? active.uri : undefined;
    if (program === undefined) return void vscode.window.showInformationMessage('Open a StableHLO program first.');
    const document = await vscode.workspace.openTextDocument(this.uriOf(program));
    await vscode.languages.setTextDocumentLanguage(document, 'hlo');
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }
}
