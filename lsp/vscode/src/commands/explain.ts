// SPDX-License-Identifier: Apache-2.0
// The page of a diagnostic or an operation, as `hloscope explain` prints it, beside the text.
import * as vscode from 'vscode';
import type { Programs } from '../programs/programs';
import { failureOf, run } from '../programs/process';

const SCHEME = 'hloscope-page';
const TIME_LIMIT = 10_000;

/** What can be explained at the cursor: the codes of diagnostics there, then the word. */
function subjects(editor: vscode.TextEditor): string[] {
  const cursor = editor.selection.active;
  const codes = vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter((diagnostic) => diagnostic.range.contains(cursor) || diagnostic.range.start.line === cursor.line)
    .map((diagnostic) => (typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code))
    .filter((code): code is string => typeof code === 'string');
  const range = editor.document.getWordRangeAtPosition(cursor, /[A-Za-z][A-Za-z0-9-]*/);
  const words = range === undefined ? [] : [editor.document.getText(range)];
  // The operation of the line: what is before the parenthesis of the operands.
  const operation = /=.*?\s([a-z][a-z0-9-]*)\(/.exec(editor.document.lineAt(cursor.line).text)?.[1];
  if (operation !== undefined) words.push(operation);
  return [...new Set([...codes, ...words])];
}

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.changed.event;

  constructor(private readonly programs: Programs) {}

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  /** Shows the page of `subject`, or of the first thing at the cursor that has one. */
  async explain(subject?: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    let wanted = typeof subject === 'string' ? [subject] : editor === undefined ? [] : subjects(editor);
    if (wanted.length === 0) {
      const asked = await vscode.window.showInputBox({ prompt: 'An operation (dot) or the code of a diagnostic (unknown-opcode)' });
      if (asked === undefined || asked.trim() === '') return;
      wanted = [asked.trim()];
    }
    const program = await this.programs.require('hloscope');
    if (program === undefined) return;
    for (const word of wanted) {
      const outcome = await run(program, ['explain', '--color=never', word], { timeLimit: TIME_LIMIT });
      if (failureOf(outcome) !== undefined) continue;
      await this.show(word, outcome.output.toString('utf8'));
      return;
    }
    void vscode.window.showInformationMessage(`There is no page about ${wanted.join(' or ')}.`);
  }

  /** Shows a text beside the editor, read only. */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}.txt` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }
}
