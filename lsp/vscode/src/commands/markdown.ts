// SPDX-License-Identifier: Apache-2.0
// `hloscope.copyMarkdown`: the instruction at the cursor and its diagnostics, for a bug report.
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { sayNoModule } from '../text/documents';

export async function copyMarkdown(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'hlo') return sayNoModule();
  try {
    const answer = await server.ask<{ text: string } | null>('hloscope/markdown', {
      textDocument: { uri: editor.document.uri.toString() },
      position: editor.selection.active,
    });
    if (answer === undefined || answer === null) return;
    await vscode.env.clipboard.writeText(answer.text);
    vscode.window.setStatusBarMessage('Copied as Markdown', 3000);
  } catch (problem) {
    void vscode.window.showWarningMessage(problem instanceof Error ? problem.message : String(problem));
  }
}
