// SPDX-License-Identifier: Apache-2.0
// Running a module: what `hloscope run` prints goes to an output channel.
import * as vscode from 'vscode';
import type { Programs } from '../programs/programs';
import { failureOf, run, type Outcome } from '../programs/process';
import { parseLeafShapes, type ArrayShape } from '../tensor/tensor';
import { chosenDocument, savedInput, type ProgramInput } from '../text/documents';
import { largeModule } from '../text/largeFiles';

/** What a run is of. */
export type RunText = Pick<vscode.TextDocument, 'uri' | 'version' | 'languageId'>;

/** The options of `hloscope run` that the settings ask for. */
export function runOptions(document: RunText): string[] {
  const settings = vscode.workspace.getConfiguration('hloscope', document);
  const shapes = document.languageId === 'stablehlo' ? settings.get<string[]>('shapes', []) : [];
  return [`--fill=${settings.get<string>('run.fill', 'random')}`, ...shapes.map((shape) => `--shape=${shape}`), ...settings.get<string[]>('run.arguments', [])];
}

/** A run that has ended well. */
export interface EndedRun {
  uri: vscode.Uri;
  version: number;
  /** Of `hloscope run`. */
  options: string[];
}

export class Runner implements vscode.Disposable {
  private readonly channel = vscode.window.createOutputChannel('HLOscope run');
  private readonly ended = new vscode.EventEmitter<EndedRun>();
  readonly onDidRun = this.ended.event;

  constructor(private readonly programs: Programs) {}

  dispose(): void {
    this.channel.dispose();
    this.ended.dispose();
  }

  /** Evaluates the module and shows the summary of its results. */
  async run(uri?: unknown, module?: unknown): Promise<void> {
    const large = await largeModule(uri);
    if (large !== undefined) {
      const languageId = large.path.endsWith('.mlir') ? 'stablehlo' : 'hlo';
      await this.evaluate({ uri: large, version: 0, languageId }, { argument: large.fsPath }, []);
      return;
    }
    const document = await chosenDocument(uri);
    if (document === undefined) return;
    // Of a text with several modules, which one.
    await this.evaluate(document, await savedInput(document), typeof module === 'number' ? [`--module=${module}`] : []);
  }

  /** Runs with more options; undefined if it failed, which the user has seen then. */
  async evaluate(document: RunText, input: ProgramInput, more: string[]): Promise<Outcome | undefined> {
    const program = await this.programs.require('hloscope');
    if (program === undefined) return undefined;
    const { uri, version } = document;
    const options = runOptions(document);
    const programArguments = ['run', input.argument, ...options, ...more];
    this.channel.clear();
    this.channel.appendLine(`> hloscope ${programArguments.join(' ')}`);
    this.channel.show(true);
    const title = `Running ${vscode.workspace.asRelativePath(document.uri)}`;
    const outcome = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        return run(program, programArguments, {
          input: input.input,
          folder: input.folder,
          signal: abort.signal,
          onText: (text) => this.channel.append(text),
        });
      },
    );
    const problem = failureOf(outcome);
    if (problem === undefined) {
      this.channel.appendLine('> done');
      this.ended.fire({ uri, version, options });
      return outcome;
    }
    this.channel.appendLine(`> ${problem}`);
    if (problem !== 'cancelled') void vscode.window.showErrorMessage(`The run failed: ${problem}`);
    return undefined;
  }

  /** The shapes of the leaves of the module's result; none if the graph cannot be read. */
  async resultShapes(document: vscode.TextDocument): Promise<ArrayShape[]> {
    const program = await this.programs.find('hloscope');
    if (typeof program !== 'string') return [];
    const outcome = await run(program, ['graph', '-', '--format=json'], { input: document.getText(), timeLimit: 30_000 });
    if (failureOf(outcome) !== undefined) return [];
    try {
      const graph = JSON.parse(outcome.output.toString('utf8')) as { nodes: { root: boolean; shape: string }[] };
      return parseLeafShapes(graph.nodes.find((node) => node.root)?.shape ?? '');
    } catch {
      return [];
    }
  }
}
