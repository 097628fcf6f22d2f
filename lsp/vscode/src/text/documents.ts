// SPDX-License-Identifier: Apache-2.0
// Documents of the editor: their lines, which of them are HLO, and where programs find them.
import * as vscode from 'vscode';
import { fileOfText } from '../modules/place';
import { startsWithModule } from './detection';
import { largeModule, refuseLargeModule } from './largeFiles';
import type { Lines } from './lines';

export function linesOfDocument(document: vscode.TextDocument): Lines {
  return { lineCount: document.lineCount, lineAt: (line) => document.lineAt(line).text };
}

/** Gives text files that start with a module the language of modules, now and when they are opened. */
export function detectDumps(): vscode.Disposable {
  const look = (document: vscode.TextDocument): void => {
    if (document.languageId !== 'plaintext' || !document.uri.path.endsWith('.txt')) return;
    if (!vscode.workspace.getConfiguration('hloscope', document).get<boolean>('detectTextDumps', true)) return;
    if (startsWithModule(linesOfDocument(document))) void vscode.languages.setTextDocumentLanguage(document, 'hlo');
  };
  vscode.workspace.textDocuments.forEach(look);
  return vscode.workspace.onDidOpenTextDocument(look);
}

/** Whether the document is a module, as HLO or as StableHLO. */
export function isModule(document: vscode.TextDocument): boolean {
  return ['hlo', 'stablehlo'].includes(document.languageId);
}

/** Why there is no text to work on; `given` is what the command was called on. */
export async function sayNoModule(given?: unknown): Promise<void> {
  const large = await largeModule(given);
  if (large !== undefined) return refuseLargeModule(large);
  void vscode.window.showInformationMessage('Open an HLO module first.');
}

/** The document that commands without an argument work on; tells the user if there is none. */
export async function chosenDocument(uri?: unknown, accepts = isModule): Promise<vscode.TextDocument | undefined> {
  if ((await largeModule(uri)) !== undefined) return void (await sayNoModule(uri));
  if (uri instanceof vscode.Uri) return vscode.workspace.openTextDocument(uri);
  if (typeof uri === 'string') return vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const active = vscode.window.activeTextEditor?.document;
  if (active !== undefined && accepts(active)) return active;
  const visible = vscode.window.visibleTextEditors.find((editor) => editor.document.languageId === 'hlo');
  if (visible !== undefined) return visible.document;
  await sayNoModule();
  return undefined;
}

/** How a program reads what the editor shows: by name, or through its input if it was never saved. */
export interface ProgramInput {
  argument: string;
  input?: string;
  folder?: string;
}

/** Saves changes if there is a file; asks nothing. */
export async function savedInput(document: vscode.TextDocument): Promise<ProgramInput> {
  const file = fileOfText(document.uri);
  // With what else is in it: recorded arguments are inputs of a run.
  if (file !== undefined) return { argument: file };
  if (document.uri.scheme !== 'file') return { argument: '-', input: document.getText() };
  if (document.isDirty) await document.save();
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath;
  return { argument: document.uri.fsPath, folder };
}
