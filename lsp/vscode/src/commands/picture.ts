// SPDX-License-Identifier: Apache-2.0
// `hloscope.savePicture`: what can be drawn of the module, or at the cursor, as SVG, PNG, PDF or a page.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { failureOf, run } from '../programs/process';
import type { Programs } from '../programs/programs';
import type { Server } from '../server/client';
import { savedInput, sayNoModule } from '../text/documents';
import { commandLine, FILE, type Format, FORMATS, formatWords, OTHER, PROFILE, type Picture, type PictureFacts, picturesOf } from './pictures';
import { runOptions } from './run';

async function factsAt(server: Server, editor: vscode.TextEditor): Promise<PictureFacts | undefined> {
  const at = { textDocument: { uri: editor.document.uri.toString() }, position: editor.selection.active };
  try {
    return (await server.ask<PictureFacts | null>('hloscope/pictures', at)) ?? undefined;
  } catch {
    return undefined; // no instruction there: what is about the whole module is left
  }
}

function formatOf(target: vscode.Uri): Format | undefined {
  const ending = path.extname(target.path).slice(1).toLowerCase();
  return FORMATS.find((format) => format === ending);
}

/** undefined: the user has left. */
async function otherFile(title: string): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({ title, canSelectMany: false });
  return chosen?.[0]?.fsPath;
}

async function draw(program: string, document: vscode.TextDocument, picture: Picture, target: vscode.Uri, format: Format): Promise<void> {
  const input = await savedInput(document);
  const wanted = picture.words.find((word) => word === OTHER || word === PROFILE);
  const other = wanted === undefined ? '' : await otherFile(wanted === OTHER ? 'Compare with' : 'A profile of the program');
  if (other === undefined) return;
  const words = picture.words.map((word) => (word === FILE ? input.argument : word === wanted ? other : word));
  words.push(...formatWords(picture, format, target.fsPath));
  const outcome = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Drawing: ${picture.label}`, cancellable: true },
    (_, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return run(program, [...words, '--color=never'], { input: input.input, folder: input.folder, signal: abort.signal });
    },
  );
  const differs = picture.compares === true && outcome.status === 1 && outcome.output.length > 0;
  const problem = differs ? undefined : failureOf(outcome);
  if (problem === 'cancelled') return;
  if (problem !== undefined) return void vscode.window.showWarningMessage(`There is no picture: ${problem}`);
  if (picture.fileOption === undefined) {
    if (outcome.output.length === 0) return void vscode.window.showInformationMessage(outcome.errors.trim());
    await vscode.workspace.fs.writeFile(target, outcome.output);
  }
  const again = 'Copy the Command';
  const answer = await vscode.window.showInformationMessage(`Saved ${path.basename(target.fsPath)}.`, again);
  if (answer === again) await vscode.env.clipboard.writeText(commandLine(words));
}

export async function savePicture(server: Server, programs: Programs): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'hlo') return sayNoModule();
  const pictures = picturesOf(await factsAt(server, editor), runOptions(editor.document));
  const choice = await vscode.window.showQuickPick(pictures, { placeHolder: 'What should be drawn?' });
  if (choice === undefined) return;
  const program = await programs.require('hloscope');
  if (program === undefined) return;
  const { uri } = editor.document;
  const suggested = uri.with({ path: uri.path.replace(/(\.[^./]*)?$/, '.svg') });
  const target = await vscode.window.showSaveDialog({
    defaultUri: suggested.scheme === 'file' ? suggested : undefined,
    title: 'Save the picture; the ending says the format: svg, png, pdf or html',
    filters: { 'Drawings': ['svg', 'pdf'], 'Images': ['png'], 'Pages': ['html'] },
  });
  if (target === undefined) return;
  const format = formatOf(target);
  if (format === undefined) return void vscode.window.showWarningMessage(`A picture ends with ${FORMATS.map((one) => `.${one}`).join(', ')}.`);
  await draw(program, editor.document, choice, target, format);
}
