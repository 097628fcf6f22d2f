// SPDX-License-Identifier: Apache-2.0
// Panels with tensors: of variables while debugging, of results of a run, of .npy files.
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Runner } from '../commands/run';
import { page, pageOptions } from '../panels/page';
import { chosenDocument, savedInput } from '../text/documents';
import { readDebugValue, type Variable } from './debugValue';
import type { FromTensorView, ToTensorView } from './messages';
import { readNpy } from './npy';
import { cells, clampPlane, firstPlane, heat, planeLayout } from './plane';
import { histogramOf, statisticsOf } from './statistics';
import type { ArrayShape, Tensor } from './tensor';

const HISTOGRAM_BINS = 48;
// Of one answer; the view asks for less.
const LARGEST_WINDOW = 200;
const LARGEST_PICTURE = 512;
// More panels than anyone looks at.
const RESULTS_SHOWN = 8;

function describe(name: string, tensor: Tensor): ToTensorView {
  const statistics = statisticsOf(tensor);
  return {
    kind: 'tensor',
    tensor: {
      name,
      type: tensor.type,
      dimensions: [...tensor.dimensions],
      statistics,
      histogram: histogramOf(tensor, statistics, HISTOGRAM_BINS),
    },
    plane: firstPlane(tensor.dimensions.length),
  };
}

function answer(tensor: Tensor, message: Exclude<FromTensorView, { kind: 'ready' }>): ToTensorView {
  const plane = clampPlane(tensor, message.plane);
  if (message.kind === 'heat') {
    return { kind: 'heat', plane, heat: heat(tensor, plane, Math.min(message.limit, LARGEST_PICTURE)) };
  }
  const { row, column } = message.window;
  const window = {
    row: Math.max(0, row),
    column: Math.max(0, column),
    rows: Math.min(message.window.rows, LARGEST_WINDOW),
    columns: Math.min(message.window.columns, LARGEST_WINDOW),
  };
  const { rows, columns } = planeLayout(tensor, plane);
  return { kind: 'cells', plane, window, rows, columns, cells: cells(tensor, plane, window) };
}

interface DebugContext {
  sessionId?: string;
  variable?: Variable;
}

export class TensorViews implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  constructor(
    private readonly extension: vscode.Uri,
    private readonly runner: Runner,
  ) {}

  dispose(): void {
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  show(name: string, tensor: Tensor): void {
    this.panels.get(name)?.dispose();
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false };
    const title = `${name}: ${tensor.type}[${tensor.dimensions.join(',')}]`;
    const panel = vscode.window.createWebviewPanel('hloscope.tensor', title, column, pageOptions(this.extension));
    this.panels.set(name, panel);
    panel.onDidDispose(() => {
      if (this.panels.get(name) === panel) this.panels.delete(name);
    });
    panel.webview.onDidReceiveMessage((message: FromTensorView) => {
      void panel.webview.postMessage(message.kind === 'ready' ? describe(name, tensor) : answer(tensor, message));
    });
    panel.webview.html = page(panel.webview, this.extension, 'tensor', 'Tensor');
  }

  /** `chosen` is what the context menu of the variables hands over; without it, the user is asked for an expression. */
  async viewVariable(chosen?: unknown): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    if (session === undefined) {
      void vscode.window.showInformationMessage('Start debugging first: the view shows values of a run.');
      return;
    }
    const variable = (chosen as DebugContext | undefined)?.variable ?? (await this.askForExpression(session));
    if (variable === undefined) return;
    try {
      this.showOrTell(variable.name, await readDebugValue(session, variable));
    } catch (error) {
      this.showOrTell(variable.name, (error as Error).message);
    }
  }

  async viewFile(chosen?: unknown): Promise<void> {
    const picked = chosen instanceof vscode.Uri
      ? [chosen]
      : await vscode.window.showOpenDialog({ title: 'View an array', filters: { 'NumPy arrays': ['npy'] } });
    for (const uri of picked ?? []) {
      this.showOrTell(path.basename(uri.path), readNpy(await vscode.workspace.fs.readFile(uri)));
    }
  }

  async viewResults(uri?: unknown): Promise<void> {
    const document = await chosenDocument(uri);
    if (document === undefined) return;
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'hloscope-'));
    try {
      const outcome = await this.runner.evaluate(document, await savedInput(document), [`--out=${folder}`]);
      if (outcome === undefined) return;
      const files = (await fs.readdir(folder)).filter((file) => file.endsWith('.npy'));
      files.sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
      const shapes = await this.runner.resultShapes(document);
      for (const file of files.slice(0, RESULTS_SHOWN)) {
        const leaf = /^result(\d+)\b/.exec(file)?.[1];
        const known: ArrayShape | undefined = leaf === undefined ? undefined : shapes[Number(leaf)];
        this.showOrTell(path.basename(file, '.npy'), readNpy(await fs.readFile(path.join(folder, file)), known));
      }
      if (files.length > RESULTS_SHOWN) {
        void vscode.window.showInformationMessage(`The first ${RESULTS_SHOWN} of ${files.length} results are shown.`);
      }
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }

  private showOrTell(name: string, result: Tensor | string): void {
    if (typeof result === 'string') void vscode.window.showErrorMessage(`${name}: ${result}`);
    else this.show(name, result);
  }

  private async askForExpression(session: vscode.DebugSession): Promise<Variable | undefined> {
    const editor = vscode.window.activeTextEditor;
    const range = editor?.document.getWordRangeAtPosition(editor.selection.active);
    const expression = await vscode.window.showInputBox({
      prompt: 'The value to view: a name, or an expression such as dot.3[0:8]',
      value: range === undefined ? '' : editor?.document.getText(range),
    });
    if (expression === undefined || expression.trim() === '') return undefined;
    const frameId = vscode.debug.activeStackItem instanceof vscode.DebugStackFrame ? vscode.debug.activeStackItem.frameId : undefined;
    try {
      const result = (await session.customRequest('evaluate', { expression, frameId, context: 'watch' })) as
        Omit<Variable, 'name' | 'value'> & { result: string };
      return { ...result, name: expression, value: result.result };
    } catch (error) {
      void vscode.window.showErrorMessage(`${expression}: ${(error as Error).message}`);
      return undefined;
    }
  }
}

