// SPDX-License-Identifier: Apache-2.0
// Formatting, which changes white space only, and printing in another style. Both are the language server's.
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { chosenDocument } from '../text/documents';

const STYLES = [
  { label: 'dump', description: 'as XLA dumps modules to files' },
  { label: 'long', description: 'everything written out' },
  { label: 'short', description: 'without % and without what can be inferred' },
  { label: 'canonical', description: 'for comparing modules: no names, no metadata' },
];

/** undefined, after a message: there is none, or no server. */
async function documentToChange(server: Server): Promise<vscode.TextDocument | undefined> {
  // The text of a program would become that of its HLO.
  const document = await chosenDocument(undefined, (one) => one.languageId === 'hlo');
  if (document === undefined) return undefined;
  if (server.capabilities?.documentFormattingProvider) return document;
  void vscode.window.showErrorMessage('The language server is not running: it formats.');
  return undefined;
}

export async function format(server: Server): Promise<void> {
  const document = await documentToChange(server);
  if (document === undefined) return;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('editor.action.formatDocument');
}

/** Prints the module in a style, in place of the text. */
export async function convertStyle(server: Server): Promise<void> {
  const document = await documentToChange(server);
  if (document === undefined) return;
  const chosen = await vscode.window.showQuickPick(STYLES, { title: 'Convert to a style', placeHolder: 'The whole module is printed again' });
  if (chosen === undefined) return;
  try {
    await vscode.commands.executeCommand('hloscope.convertStyle', document.uri.toString(), chosen.label);
  } catch (error) {
    void vscode.window.showErrorMessage(`The module cannot be converted: ${(error as Error).message}`);
  }
}
