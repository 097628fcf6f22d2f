// SPDX-License-Identifier: Apache-2.0
// Two versions of a module on the same inputs: where their values part, side by side.
import * as vscode from 'vscode';
import { textUri } from '../modules/moduleText';
import { failureOf, run } from '../programs/process';
import type { Programs } from '../programs/programs';
import { chosenDocument, linesOfDocument, savedInput } from '../text/documents';
import { lineOfInstruction } from '../text/locate';
import { divergenceChoices, summaryOf, type ComparisonReport } from './comparisonList';
import { runOptions } from './run';

const OUTPUT_LIMIT = 256 * 1024 * 1024;

/** As text: protos and snapshots through the program. */
export function moduleUri(file: string): vscode.Uri {
  const uri = vscode.Uri.file(file);
  return /\.(hlo|txt|mlir)$/.test(file) ? uri : textUri(uri);
}

/** The line of an instruction of the document, as a selection; none if it is not there. */
export function selectionOf(document: vscode.TextDocument, name: string): vscode.Range | undefined {
  const line = lineOfInstruction(linesOfDocument(document), name);
  return line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
}

async function compare(programs: Programs, document: vscode.TextDocument, other: string): Promise<ComparisonReport | undefined> {
  const program = await programs.require('hloscope');
  if (program === undefined) return undefined;
  const input = await savedInput(document);
  const title = `Comparing with ${vscode.workspace.asRelativePath(other)}`;
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (_, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    const given = ['compare', '--json', ...runOptions(document), '--', input.argument, other];
    const outcome = await run(program, given, { input: input.input, folder: input.folder, outputLimit: OUTPUT_LIMIT, signal: abort.signal });
    const text = outcome.output.toString('utf8');
    // Differing results end it with status 1, too.
    if (outcome.failure === undefined && text.startsWith('{')) return JSON.parse(text) as ComparisonReport;
    const problem = failureOf(outcome) ?? 'hloscope compare gave no answer';
    if (problem !== 'cancelled') void vscode.window.showErrorMessage(`The runs cannot be compared: ${problem}`);
    return undefined;
  });
}

export async function compareRuns(programs: Programs, uri?: unknown): Promise<void> {
  const document = await chosenDocument(uri);
  if (document === undefined) return;
  const chosen = await vscode.window.showOpenDialog({ title: 'The other version of the module', canSelectMany: false });
  const other = chosen?.[0];
  if (other === undefined) return;
  const report = await compare(programs, document, other.fsPath);
  if (report === undefined) return;
  if (report.divergences.length === 0) {
    void vscode.window.showInformationMessage(`No instruction diverges: ${summaryOf(report)}.`);
    return;
  }
  const pick = await vscode.window.showQuickPick(divergenceChoices(report), { title: summaryOf(report), matchOnDetail: true, placeHolder: 'A value to look at in both modules' });
  if (pick === undefined) return;
  const right = moduleUri(other.fsPath);
  const selection = selectionOf(await vscode.workspace.openTextDocument(right), pick.divergence.b);
  await vscode.commands.executeCommand('vscode.diff', document.uri, right, `${pick.divergence.a}: two versions`, { preview: true, selection });
}
