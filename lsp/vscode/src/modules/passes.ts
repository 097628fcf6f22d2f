// SPDX-License-Identifier: Apache-2.0
// What each pass of a folder of dumps changed: a tree of stages, two of them in the editor for differences, and one
// instruction through all of them.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { moduleUri, selectionOf } from '../commands/compareRuns';
import { failureOf, run } from '../programs/process';
import type { Programs } from '../programs/programs';
import type { DumpNode } from './dumpTree';
import { passTree, stageBefore, traceChoices, type PassListing, type PassNode, type Trace } from './passTree';

// Hundreds of large stages are read.
const TIME_LIMIT = 10 * 60_000;
const OUTPUT_LIMIT = 256 * 1024 * 1024;

interface Dump { folder: string; module: string }

export class Passes implements vscode.TreeDataProvider<PassNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly disposables: vscode.Disposable[] = [this.changed];
  private readonly view: vscode.TreeView<PassNode>;
  private dump: Dump | undefined;
  private listing: PassListing | undefined;
  private all = false;
  private search = '';
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly programs: Programs,
    private readonly folderOfDumps: () => string | undefined,
  ) {
    this.view = vscode.window.createTreeView('hloscope.passes', { treeDataProvider: this });
    const command = (name: string, act: (...given: never[]) => unknown): vscode.Disposable => vscode.commands.registerCommand(`hloscope.${name}`, act);
    this.disposables.push(
      this.view,
      command('showPasses', (node?: DumpNode) => this.show(node)),
      command('searchPasses', () => this.choosePasses()),
      command('allPasses', () => this.showAll(true)),
      command('changingPasses', () => this.showAll(false)),
      command('comparePass', (node: PassNode) => this.compare(node)),
      command('followInstruction', (node?: PassNode) => this.follow(node)),
    );
  }

  dispose(): void {
    this.disposables.forEach((one) => one.dispose());
  }

  getChildren(node?: PassNode): PassNode[] {
    if (node !== undefined) return node.children ?? [];
    return this.listing === undefined ? [] : passTree(this.listing, { all: this.all, search: this.search });
  }

  getTreeItem(node: PassNode): vscode.TreeItem {
    const state = node.children === undefined ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(node.label, state);
    item.description = node.description;
    item.tooltip = node.tooltip;
    item.iconPath = new vscode.ThemeIcon(node.icon);
    item.contextValue = node.instruction === undefined ? 'stage' : 'change';
    item.command = { title: 'Compare with the Stage Before', command: 'hloscope.comparePass', arguments: [node] };
    return item;
  }

  private showAll(all: boolean): void {
    this.all = all;
    void vscode.commands.executeCommand('setContext', 'hloscope.allPasses', all);
    this.refresh();
  }

  private refresh(): void {
    this.view.description = this.listing === undefined ? undefined : `${this.listing.module}${this.search === '' ? '' : `, ${this.search}`}`;
    this.changed.fire(undefined);
  }

  private async choosePasses(): Promise<void> {
    const text = await vscode.window.showInputBox({ title: 'Passes, pipelines and changed instructions that contain', value: this.search, prompt: 'Empty: all stages that changed something' });
    if (text === undefined) return;
    this.search = text.trim();
    this.refresh();
  }

  /** Of a module in the tree of dumps, or of the folder that is shown there. */
  private async show(node?: DumpNode): Promise<void> {
    const folder = this.folderOfDumps();
    if (folder === undefined) {
      await vscode.commands.executeCommand('hloscope.openDumps');
      return;
    }
    this.dump = { folder, module: node?.module ?? '' };
    await vscode.commands.executeCommand('hloscope.passes.focus');
    await this.load();
  }

  private async load(): Promise<void> {
    if (this.dump === undefined) return;
    const listing = await this.ask<PassListing>('Reading stages', []);
    if (listing === undefined) return;
    this.listing = listing;
    this.search = '';
    const unread = listing.stages.filter((stage) => stage.problem !== undefined).length;
    this.view.message = unread === 0 ? undefined : `${unread} of ${listing.stages.length} stages cannot be read.`;
    this.refresh();
  }

  /** What `hloscope passes --json` answers; undefined after a message. Stages that cannot be read are no failure. */
  private async ask<Answer>(title: string, more: string[]): Promise<Answer | undefined> {
    const dump = this.dump;
    const program = await this.programs.require('hloscope');
    if (program === undefined || dump === undefined) return undefined;
    const given = ['passes', '--json', ...(dump.module === '' ? [] : [`--module=${dump.module}`]), ...more, '--', dump.folder];
    return vscode.window.withProgress({ location: { viewId: 'hloscope.passes' }, title, cancellable: true }, async (_, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const outcome = await run(program, given, { timeLimit: TIME_LIMIT, outputLimit: OUTPUT_LIMIT, signal: abort.signal });
      const text = outcome.output.toString('utf8');
      if (outcome.failure === undefined && text.startsWith('{')) return JSON.parse(text) as Answer;
      void vscode.window.showErrorMessage(failureOf(outcome) ?? 'hloscope passes gave no answer');
      return undefined;
    });
  }

  /** The stage and the one before it that can be read, side by side. */
  private async compare(node: PassNode): Promise<void> {
    const { dump, listing } = this;
    const stage = listing?.stages[node.stage];
    if (dump === undefined || listing === undefined || stage === undefined || stage.problem !== undefined) return;
    const right = moduleUri(path.join(dump.folder, stage.file));
    const before = stageBefore(listing, node.stage);
    if (before === node.stage) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(right));
      return;
    }
    const left = moduleUri(path.join(dump.folder, listing.stages[before]!.file));
    // The editor for differences goes to a place of the right side.
    const named = node.isRemoved === true ? undefined : node.instruction;
    const options: vscode.TextDocumentShowOptions = { preview: true };
    if (named !== undefined) options.selection = selectionOf(await vscode.workspace.openTextDocument(right), named);
    await vscode.commands.executeCommand('vscode.diff', left, right, `${listing.module}: ${stage.pass} (stage ${stage.order})`, options);
  }

  /** A change of the tree, or the instruction at the cursor. */
  private async follow(node?: PassNode): Promise<void> {
    if (this.dump === undefined || this.listing === undefined) {
      void vscode.window.showInformationMessage('Show the passes of a folder of dumps first (HLO Dumps).');
      return;
    }
    const editor = vscode.window.activeTextEditor;
    const word = editor?.document.getText(editor.document.getWordRangeAtPosition(editor.selection.active, /[\w.-]+/));
    const name = node?.instruction ?? (await vscode.window.showInputBox({ title: 'The instruction to follow', value: word?.replace(/^%/, '') }));
    if (name === undefined || name === '') return;
    const stage = node === undefined ? undefined : node.isRemoved === true ? stageBefore(this.listing, node.stage) : node.stage;
    const from = stage === undefined ? [] : [`--from=${this.listing.stages[stage]!.order}`];
    const trace = await this.ask<Trace>('Following', [`--follow=${name}`, ...from]);
    if (trace === undefined) return;
    const origin = [trace.source, trace.op_name].filter((part) => part !== '').join(' · ');
    const title = `${trace.instruction}${origin === '' ? '' : ` · ${origin}`} · ${Math.round(trace.sureness * 100)} % sure`;
    const chosen = await vscode.window.showQuickPick(traceChoices(trace), { title, matchOnDetail: true, placeHolder: 'A stage to open' });
    if (chosen === undefined) return;
    const number = this.listing.stages.findIndex((one) => one.order === chosen.order);
    await this.compare({ label: '', description: '', tooltip: '', icon: '', stage: number, ...(chosen.instruction === null ? {} : { instruction: chosen.instruction }) });
  }
}
