// SPDX-License-Identifier: Apache-2.0
// Opens the module in the app, which lives on when the editor closes.
import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import type { Programs } from '../programs/programs';
import { chosenDocument, savedInput } from '../text/documents';
import { largeModule } from '../text/largeFiles';

export async function openInApp(programs: Programs, uri?: unknown): Promise<void> {
  const large = await largeModule(uri);
  if (large !== undefined) return openFileInApp(programs, large.fsPath);
  const document = await chosenDocument(uri);
  if (document === undefined) return;
  if (document.uri.scheme !== 'file') {
    void vscode.window.showInformationMessage('Save the module first: the app opens files.');
    return;
  }
  const { argument } = await savedInput(document);
  await openFileInApp(programs, argument);
}

export async function openFileInApp(programs: Programs, file: string): Promise<void> {
  const program = await programs.require('hloscope-gui');
  if (program === undefined) return;
  const child = spawn(program, [file], { detached: true, stdio: 'ignore' });
  child.on('error', (error) => void vscode.window.showErrorMessage(`The app did not start: ${error.message}`));
  child.on('exit', (status) => {
    if (status !== 0 && status !== null) {
      void vscode.window.showErrorMessage(`The app ended with status ${status}. Is there a display?`);
    }
  });
  child.unref();
}
