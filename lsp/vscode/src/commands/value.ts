// SPDX-License-Identifier: Apache-2.0
// The value of the instruction at the cursor under inputs that the user chooses, from the language server.
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { parseArrayShape, Tensor } from '../tensor/tensor';
import type { TensorViews } from '../tensor/views';
import { sayNoModule } from '../text/documents';
import type { Pages } from './explain';
import { valuePage, type ValueAnswer } from './valuePage';

const FILLS = ['random', 'zeros', 'ones', 'iota'] as const;

interface Inputs {
  fill: string;
  arguments: Record<string, string>;
  text: string;
}

/** Of what depends on no parameter. */
const NO_PARAMETERS: Inputs = { fill: 'random', arguments: {}, text: '' };

/** undefined: the user has left. */
async function chooseInputs(document: vscode.TextDocument): Promise<Inputs | undefined> {
  const usual = vscode.workspace.getConfiguration('hloscope', document).get<string>('run.fill', 'random');
  const fills = [usual, ...FILLS.filter((fill) => fill !== usual)];
  const items = [
    ...fills.map((fill) => ({ label: `Parameters: ${fill}`, fill, description: fill === usual ? 'as the settings say' : '' })),
    { label: 'Parameters from .npy files...', fill: undefined, description: 'arg0.npy is parameter 0' },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: 'Compute the value at the cursor', placeHolder: 'What the parameters are' });
  if (chosen === undefined) return undefined;
  if (chosen.fill !== undefined) return { fill: chosen.fill, arguments: {}, text: `parameters ${chosen.fill}` };
  const files = await vscode.window.showOpenDialog({ title: 'Parameters, each named by its number', canSelectMany: true, filters: { 'NumPy arrays': ['npy'] } });
  if (files === undefined) return undefined;
  const given: Record<string, string> = {};
  for (const file of files) {
    const number = /(\d+)\.npy$/.exec(file.path)?.[1];
    if (number !== undefined) given[String(Number(number))] = file.fsPath;
  }
  const names = files.map((file) => path.basename(file.fsPath)).join(', ');
  return { fill: usual, arguments: given, text: `parameters from ${names}, others ${usual}` };
}

/** Arrays are shown as tensors; scalars, tuples and what is too large, as text. */
function tensorOf({ leaves }: ValueAnswer): Tensor | undefined {
  const [leaf] = leaves;
  const shape = leaf === undefined || leaves.length > 1 ? undefined : parseArrayShape(leaf.shape);
  if (shape === undefined || leaf?.data === undefined || leaf.count < 2) return undefined;
  const tensor = Tensor.create(shape.type, shape.dimensions, Buffer.from(leaf.data, 'base64'));
  return typeof tensor === 'string' ? undefined : tensor;
}

export async function showValue(server: Server, pages: Pages, tensors: TensorViews): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'hlo') return sayNoModule();
  const position = editor.selection.active;
  const line = editor.document.lineAt(position.line).text.trim();
  let place: { instruction: string; needsParameters: boolean } | null;
  try {
    place = (await server.ask<{ instruction: string; needsParameters: boolean } | null>('hloscope/pictures', { textDocument: { uri: editor.document.uri.toString() }, position })) ?? null;
  } catch (error) {
    return void vscode.window.showErrorMessage(`The value cannot be computed: ${(error as Error).message}`);
  }
  const inputs = place?.needsParameters === false ? NO_PARAMETERS : await chooseInputs(editor.document);
  if (inputs === undefined) return;
  const parameters = { textDocument: { uri: editor.document.uri.toString() }, position, fill: inputs.fill, arguments: inputs.arguments, data: true };
  try {
    const answer = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Computing the value', cancellable: true },
      (progress, token) => server.askWithProgress<ValueAnswer | null>('hloscope/value', parameters, token, (message) => progress.report({ message })),
    );
    if (answer === undefined || answer === null) return void vscode.window.showErrorMessage('The language server is not running: it computes the value.');
    const name = place?.instruction ?? 'an instruction';
    const tensor = tensorOf(answer);
    if (tensor !== undefined) tensors.show(inputs.text === '' ? name : `${name} with ${inputs.text}`, tensor);
    else await pages.show(`value of ${name}`, valuePage(line, inputs.text, answer));
  } catch (error) {
    if (error instanceof vscode.CancellationError || (error as { code?: number }).code === -32800) return;
    void vscode.window.showErrorMessage(`The value cannot be computed: ${(error as Error).message}`);
  }
}
