// SPDX-License-Identifier: Apache-2.0
// `hloscope.savePicture`: what can be drawn at the cursor, as an SVG file.
import * as vscode from 'vscode';
import type { Server } from '../server/client';

interface Choice extends vscode.QuickPickItem {
  method: string;
  parameters: Record<string, unknown>;
}

const CHOICES: Choice[] = [
  { label: 'Graph around the instruction', method: 'hloscope/graph', parameters: { depth: 3, format: 'svg' } },
  { label: 'Layout of the value', method: 'hloscope/layout', parameters: { drawing: true } },
  { label: 'Broadcast', method: 'hloscope/broadcast', parameters: { drawing: true } },
];

export async function savePicture(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'hlo') return void vscode.window.showInformationMessage('Open an HLO module first.');
  const at = { textDocument: { uri: editor.document.uri.toString() }, position: editor.selection.active };
  const choice = await vscode.window.showQuickPick(CHOICES, { placeHolder: 'What should be drawn?' });
  if (choice === undefined) return;
  let svg: string | undefined;
  try {
    svg = (await server.ask<{ svg?: string } | null>(choice.method, { ...at, ...choice.parameters }))?.svg;
  } catch (problem) {
    return void vscode.window.showWarningMessage(`There is no picture: ${(problem as Error).message}`);
  }
  if (svg === undefined) return;
  const suggested = editor.document.uri.with({ path: editor.document.uri.path.replace(/(\.[^./]*)?$/, '.svg') });
  const target = await vscode.window.showSaveDialog({
    defaultUri: suggested.scheme === 'file' ? suggested : undefined,
    title: 'Save the picture',
    filters: { 'SVG': ['svg'] },
  });
  if (target !== undefined) await vscode.workspace.fs.writeFile(target, Buffer.from(svg, 'utf8'));
}
