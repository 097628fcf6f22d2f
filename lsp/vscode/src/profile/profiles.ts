// SPDX-License-Identifier: Apache-2.0
// A measured profile over the modules of the window: times at the ends of lines, heat in text and graph, and a view of
// where the time went.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { failureOf, run } from '../programs/process';
import type { Programs } from '../programs/programs';
import { openModules, ReportPage, revealInstruction } from '../reports/reportPage';
import { linesOfDocument } from '../text/documents';
import { instructionsOf } from '../text/locate';
import { HEAT_LEVELS, MeasuredModules, profileTree, summaryOf, type ProfileAnswer, type ProfileNode } from './measured';

const TIME_LIMIT = 5 * 60_000;
const OUTPUT_LIMIT = 512 * 1024 * 1024;
// After an edit.
const PAUSE_MILLISECONDS = 300;
const FILTERS = { 'Profiles': ['pb', 'gz', 'pbtxt', 'textproto', 'txtpb'], 'All files': ['*'] };

export class Profiles implements vscode.TreeDataProvider<ProfileNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly opened = new vscode.EventEmitter<ProfileAnswer | undefined>();
  /** Another profile, or none. */
  readonly onDidChangeProfile = this.opened.event;
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<ProfileNode>;
  private readonly page: ReportPage;
  private readonly heat: vscode.TextEditorDecorationType[];
  private readonly subscriptions: vscode.Disposable[];
  private measured: MeasuredModules | undefined;
  private file: string | undefined;
  private other: string | undefined;
  private pause: NodeJS.Timeout | undefined;

  constructor(private readonly programs: Programs) {
    this.view = vscode.window.createTreeView('hloscope.profile', { treeDataProvider: this });
    this.page = new ReportPage(programs, 'hloscope.profilePage');
    this.heat = Array.from({ length: HEAT_LEVELS }, (_, level) => {
      const colour = `rgba(255, 110, 40, ${0.05 + 0.07 * level})`;
      return vscode.window.createTextEditorDecorationType({
        isWholeLine: true, backgroundColor: colour, overviewRulerColor: `rgba(255, 110, 40, ${0.3 + 0.17 * level})`, overviewRulerLane: vscode.OverviewRulerLane.Right,
        after: { margin: '0 0 0 3em', color: new vscode.ThemeColor('editorCodeLens.foreground') },
      });
    });
    const command = (name: string, act: (...given: never[]) => unknown): vscode.Disposable => vscode.commands.registerCommand(`hloscope.${name}`, act);
    this.subscriptions = [
      this.changed, this.opened, this.view, this.page, ...this.heat,
      command('openProfile', (uri?: unknown) => this.open(uri)),
      command('compareProfile', () => this.compare()),
      command('closeProfile', () => this.close()),
      command('showTimeline', () => this.showTimeline()),
      command('revealMeasured', (node: ProfileNode) => this.reveal(node)),
      vscode.window.onDidChangeVisibleTextEditors(() => this.decorate()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.measured === undefined || document.languageId !== 'hlo') return;
        clearTimeout(this.pause);
        this.pause = setTimeout(() => this.decorate(), PAUSE_MILLISECONDS);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.pause);
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  getChildren(node?: ProfileNode): ProfileNode[] {
    if (node !== undefined) return node.children ?? [];
    return this.measured === undefined ? [] : profileTree(this.measured);
  }

  getTreeItem(node: ProfileNode): vscode.TreeItem {
    const state = node.children === undefined ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(node.label, state);
    item.description = node.description;
    item.tooltip = node.tooltip.includes('**') ? new vscode.MarkdownString(node.tooltip) : node.tooltip;
    item.iconPath = new vscode.ThemeIcon(node.icon);
    if ((node.instruction ?? node.source ?? node.program) !== undefined) item.command = { title: 'Show', command: 'hloscope.revealMeasured', arguments: [node] };
    return item;
  }

  /** How hot the instructions of a module are, by name; undefined without times for it. */
  heatOf(document: vscode.TextDocument): ReadonlyMap<string, { level: number; text: string }> | undefined {
    const { measured } = this;
    if (measured === undefined) return undefined;
    const found = new Map<string, { level: number; text: string }>();
    const lines = linesOfDocument(document);
    for (const { module, name } of instructionsOf(lines)) {
      const row = measured.find(module, name);
      if (row !== undefined) found.set(name, { level: measured.heat(row), text: measured.lineText(row) });
    }
    return found.size === 0 ? undefined : found;
  }

  private async choose(title: string): Promise<string | undefined> {
    return (await vscode.window.showOpenDialog({ title, filters: FILTERS }))?.[0]?.fsPath;
  }

  private async open(uri: unknown): Promise<void> {
    const file = uri instanceof vscode.Uri ? uri.fsPath : await this.choose('A profile of the program');
    if (file === undefined) return;
    await this.read(file, undefined);
  }

  private async compare(): Promise<void> {
    if (this.file === undefined) return void vscode.window.showInformationMessage('Show the times of a profile first.');
    const other = await this.choose('The profile from before');
    if (other !== undefined) await this.read(this.file, other);
  }

  private options(): string[] {
    const given = vscode.workspace.getConfiguration('hloscope').get<string[]>('profile.arguments', []);
    return [...given, ...(this.other === undefined ? [] : [`--compare=${this.other}`])];
  }

  private async read(file: string, other: string | undefined): Promise<void> {
    const program = await this.programs.require('hloscope');
    if (program === undefined) return;
    const before = this.other;
    this.other = other;
    const answer = await vscode.window.withProgress({ location: { viewId: 'hloscope.profile' }, title: 'Reading the profile', cancellable: true }, async (_, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const outcome = await run(program, ['profile', '--json', ...this.options(), '--', file], { timeLimit: TIME_LIMIT, outputLimit: OUTPUT_LIMIT, signal: abort.signal });
      const problem = failureOf(outcome);
      if (problem === undefined) return JSON.parse(outcome.output.toString('utf8')) as ProfileAnswer;
      void vscode.window.showErrorMessage(`${path.basename(file)}: ${problem}`);
      return undefined;
    });
    if (answer === undefined) {
      this.other = before;
      return;
    }
    this.file = file;
    this.use(answer);
    await vscode.commands.executeCommand('hloscope.profile.focus');
    if (answer.events === 0) void vscode.window.showInformationMessage('The profile has no events of a device.');
  }

  private use(answer: ProfileAnswer | undefined): void {
    this.measured = answer === undefined ? undefined : new MeasuredModules(answer);
    this.view.description = this.file === undefined ? undefined : path.basename(this.file);
    this.view.message = answer === undefined ? undefined : summaryOf(answer);
    void vscode.commands.executeCommand('setContext', 'hloscope.hasProfile', answer !== undefined);
    this.changed.fire(undefined);
    this.opened.fire(answer);
    this.decorate();
  }

  private close(): void {
    this.file = this.other = undefined;
    this.use(undefined);
  }

  private decorate(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.languageId === 'hlo') this.decorateEditor(editor);
    }
  }

  private decorateEditor(editor: vscode.TextEditor): void {
    const { measured } = this;
    const levels: vscode.DecorationOptions[][] = this.heat.map(() => []);
    const rows = measured?.lines(instructionsOf(linesOfDocument(editor.document))) ?? [];
    for (const { line, row } of rows) {
      levels[measured!.heat(row) - 1]!.push({
        range: editor.document.lineAt(line).range,
        hoverMessage: new vscode.MarkdownString(measured!.hoverText(row)),
        renderOptions: { after: { contentText: measured!.lineText(row) } },
      });
    }
    this.heat.forEach((type, level) => editor.setDecorations(type, levels[level]!));
  }

  private async showTimeline(): Promise<void> {
    if (this.file === undefined) return void vscode.window.showInformationMessage('Show the times of a profile first.');
    await this.page.show(path.basename(this.file), ['profile', ...this.options()], { argument: this.file });
  }

  /** Goes to the instruction in a module that is open, to the line of the program, or opens a module of the profile. */
  private async reveal(node: ProfileNode): Promise<void> {
    if (node.source !== undefined) return revealSource(node.source);
    if (node.program !== undefined) return this.openModule(node.program);
    if (node.instruction === undefined) return;
    for (const document of openModules([node.module ?? ''])) {
      if (await revealInstruction(document, node.instruction)) return;
    }
    const program = this.measured?.answer.programs.find(({ module, has_module: isThere }) => isThere && module === node.module);
    if (program === undefined) return void vscode.window.showInformationMessage(`Open the module ${node.module} to go to ${node.instruction}.`);
    await this.openModule(program.id);
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined) await revealInstruction(document, node.instruction);
  }

  private async openModule(program: number): Promise<void> {
    const hloscope = await this.programs.require('hloscope');
    if (hloscope === undefined || this.file === undefined) return;
    const outcome = await run(hloscope, ['profile', '--text', `--module=${program}`, '--', this.file], { timeLimit: TIME_LIMIT, outputLimit: OUTPUT_LIMIT });
    const problem = failureOf(outcome);
    if (problem !== undefined) return void vscode.window.showErrorMessage(problem);
    const document = await vscode.workspace.openTextDocument({ language: 'hlo', content: outcome.output.toString('utf8') });
    await vscode.window.showTextDocument(document, { preview: false });
  }
}

async function revealSource(place: string): Promise<void> {
  const [, file, line] = /^(.*):(\d+)$/.exec(place)!;
  const at = new vscode.Range(Number(line) - 1, 0, Number(line) - 1, 0);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file!), { selection: at });
  } catch {
    void vscode.window.showInformationMessage(`${file} is not on this machine.`);
  }
}
