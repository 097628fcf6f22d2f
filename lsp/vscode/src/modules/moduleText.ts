// SPDX-License-Identifier: Apache-2.0
// Files that hold modules but are no text (protos, snapshots, compressed or not) open as read-only HLO.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { failureOf, run } from '../programs/process';
import type { Programs } from '../programs/programs';
import { fileOfText, MODULE_SCHEME, textPlace } from './place';

// By default for names that XLA gives to modules, by choice for other protos.
const VIEW_TYPES = ['hloscope.module', 'hloscope.moduleOption'];
const TIME_LIMIT = 120_000;

export function textUri(file: vscode.Uri): vscode.Uri {
  return vscode.Uri.from(textPlace(file.fsPath));
}

export async function openAsText(file: vscode.Uri, column?: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(textUri(file));
  await vscode.window.showTextDocument(document, { viewColumn: column, preview: false });
}

/** Makes the texts, and makes them again when their files change. */
class ModuleTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly watchers = new Map<string, vscode.FileSystemWatcher>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly programs: Programs) {}

  dispose(): void {
    this.changed.dispose();
    for (const watcher of this.watchers.values()) watcher.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const file = fileOfText(uri);
    if (file === undefined) throw new Error('no file is named');
    const program = await this.programs.require('hloscope');
    if (program === undefined) throw new Error('the program hloscope is missing');
    this.watch(file, uri);
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    const outcome = await run(program, ['convert', file, '-o', '-', '--to=text'], { timeLimit: TIME_LIMIT, signal: abort.signal, outputLimit: 512 * 1024 * 1024 });
    const problem = failureOf(outcome);
    // Shown in place of the module: nothing else of the file can be.
    if (problem !== undefined) return `// ${path.basename(file)} holds no module that can be read:\n// ${problem}\n`;
    return outcome.output.toString('utf8');
  }

  private watch(file: string, uri: vscode.Uri): void {
    if (this.watchers.has(file)) return;
    const pattern = new vscode.RelativePattern(vscode.Uri.file(path.dirname(file)), path.basename(file));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    watcher.onDidChange(() => this.changed.fire(uri));
    watcher.onDidCreate(() => this.changed.fire(uri));
    this.watchers.set(file, watcher);
  }
}

/** What VS Code opens such files with: it shows the text in place of itself. */
class ModuleEditor implements vscode.CustomReadonlyEditorProvider {
  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const column = panel.viewColumn;
    panel.webview.html = '<p>This module is shown as HLO text beside this page.</p>';
    await openAsText(document.uri, column);
    panel.dispose();
  }
}

/** Saves the text of the active editor as a file that can be edited. */
async function saveAsText(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const file = document === undefined ? undefined : fileOfText(document.uri);
  if (document === undefined || file === undefined) {
    void vscode.window.showInformationMessage('Open a module that is not a text first, such as an .hlo.pb file.');
    return;
  }
  const suggested = vscode.Uri.file(file.replace(/(\.hlo)?\.(pb|pbtxt|txtpb|textproto)(\.gz)?$/, '') + '.hlo');
  const target = await vscode.window.showSaveDialog({ defaultUri: suggested, title: 'Save the module as HLO text', filters: { 'HLO': ['hlo', 'txt'] } });
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(document.getText(), 'utf8'));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(target));
}

export function registerModuleTexts(programs: Programs): vscode.Disposable {
  const texts = new ModuleTexts(programs);
  return vscode.Disposable.from(
    texts,
    vscode.workspace.registerTextDocumentContentProvider(MODULE_SCHEME, texts),
    ...VIEW_TYPES.map((type) => vscode.window.registerCustomEditorProvider(type, new ModuleEditor(), { supportsMultipleEditorsPerDocument: true })),
    vscode.commands.registerCommand('hloscope.openAsText', (uri?: vscode.Uri) => {
      if (uri instanceof vscode.Uri) return openAsText(uri);
      return undefined;
    }),
    vscode.commands.registerCommand('hloscope.saveAsText', saveAsText),
  );
}
