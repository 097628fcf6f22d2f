// SPDX-License-Identifier: Apache-2.0
// A folder of dumps as a tree: modules, their stages, the files of each.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { failureOf, run } from '../programs/process';
import type { Programs } from '../programs/programs';
import { costText, dumpTree, STAGE_ICON, type CostReport, type DumpNode, type DumpListing } from './dumpTree';
import { openAsText } from './moduleText';

const FOLDER_KEY = 'hloscope.dumpFolder';
const PAUSE_MILLISECONDS = 500;

export class DumpFolders implements vscode.TreeDataProvider<DumpNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly disposables: vscode.Disposable[] = [this.changed];
  private watcher: vscode.FileSystemWatcher | undefined;
  private pause: NodeJS.Timeout | undefined;
  private folder: string | undefined;
  private readonly view: vscode.TreeView<DumpNode>;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly programs: Programs,
    private readonly memory: vscode.Memento,
  ) {
    this.view = vscode.window.createTreeView('hloscope.dumps', { treeDataProvider: this });
    this.disposables.push(
      this.view,
      vscode.commands.registerCommand('hloscope.openDumps', (uri?: unknown) => this.choose(uri)),
      vscode.commands.registerCommand('hloscope.openDumpFile', (file: string) => this.openFile(file)),
    );
    const last = memory.get<string>(FOLDER_KEY);
    if (last !== undefined) this.use(last);
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.watcher?.dispose();
    this.disposables.forEach((one) => one.dispose());
  }

  /** The folder that is shown. */
  get shownFolder(): string | undefined {
    return this.folder;
  }

  getTreeItem(node: DumpNode): vscode.TreeItem {
    const state = node.children === undefined ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(node.label, state);
    item.description = node.description;
    item.iconPath = new vscode.ThemeIcon(node.icon);
    if (node.module !== undefined) item.contextValue = 'stages';
    if (node.file !== undefined && this.folder !== undefined) {
      const file = path.join(this.folder, node.file);
      // Without one, resolveTreeItem is asked.
      if (node.icon !== STAGE_ICON) item.tooltip = file;
      item.command = { title: 'Open', command: 'hloscope.openDumpFile', arguments: [file] };
    }
    return item;
  }

  /** What a stage takes is found out when somebody points at it: its module is read then. */
  async resolveTreeItem(item: vscode.TreeItem, node: DumpNode, token: vscode.CancellationToken): Promise<vscode.TreeItem> {
    if (node.file === undefined || this.folder === undefined || node.icon !== STAGE_ICON) return item;
    const file = path.join(this.folder, node.file);
    item.tooltip = file;
    const program = await this.programs.find('hloscope');
    if (typeof program !== 'string' || token.isCancellationRequested) return item;
    const outcome = await run(program, ['cost', '--json', file], { timeLimit: 30_000 });
    const problem = failureOf(outcome);
    item.tooltip = `${file}\n${problem ?? costText(JSON.parse(outcome.output.toString('utf8')) as CostReport)}`;
    return item;
  }

  async getChildren(node?: DumpNode): Promise<DumpNode[]> {
    if (node !== undefined) return node.children ?? [];
    if (this.folder === undefined) return [];
    const program = await this.programs.find('hloscope');
    if (typeof program !== 'string') return [];
    const outcome = await run(program, ['open', '--json', this.folder], { timeLimit: 30_000 });
    const problem = failureOf(outcome);
    this.view.message = problem;
    if (problem !== undefined) return [];
    const tree = dumpTree(JSON.parse(outcome.output.toString('utf8')) as DumpListing);
    if (tree.length === 0) this.view.message = 'No file here is called as XLA calls its dumps.';
    return tree;
  }

  private async choose(uri: unknown): Promise<void> {
    let folder = uri instanceof vscode.Uri ? uri : undefined;
    if (folder === undefined) {
      const chosen = await vscode.window.showOpenDialog({ title: 'A folder that --xla_dump_to has filled', canSelectFolders: true, canSelectFiles: false });
      folder = chosen?.[0];
    }
    if (folder === undefined) return;
    this.use(folder.fsPath);
    await vscode.commands.executeCommand('hloscope.dumps.focus');
  }

  /** New files appear by themselves, while a program writes them. */
  private use(folder: string): void {
    this.folder = folder;
    this.view.description = path.basename(folder);
    void this.memory.update(FOLDER_KEY, folder);
    this.watcher?.dispose();
    this.watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), '*'), false, true, false);
    const later = (): void => {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.changed.fire(undefined), PAUSE_MILLISECONDS);
    };
    this.watcher.onDidCreate(later);
    this.watcher.onDidDelete(later);
    this.changed.fire(undefined);
  }

  private async openFile(file: string): Promise<void> {
    const uri = vscode.Uri.file(file);
    if (/\.pb(\.gz)?$|\.pbtxt$|\.txtpb$/.test(file)) await openAsText(uri);
    else await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }
}
