// SPDX-License-Identifier: Apache-2.0
// The item in the status bar: how the language server is doing; a click offers the commands.
import * as vscode from 'vscode';

export type ServerState = 'starting' | 'running' | 'stopped' | 'missing';

const TEXTS: Record<ServerState, { text: string; tooltip: string }> = {
  starting: { text: '$(loading~spin) HLO', tooltip: 'HLOscope: the language server is starting' },
  running: { text: '$(check) HLO', tooltip: 'HLOscope: the language server is running' },
  stopped: { text: '$(warning) HLO', tooltip: 'HLOscope: the language server has stopped; restart it from the menu' },
  missing: { text: '$(error) HLO', tooltip: 'HLOscope: the language server was not found' },
};

interface Entry extends vscode.QuickPickItem {
  command: string;
}

const ENTRIES: Entry[] = [
  { label: '$(play) Run Module', command: 'hloscope.run' },
  { label: '$(table) Run Module and View Results', command: 'hloscope.viewResults' },
  { label: '$(debug-alt) Debug Module', command: 'hloscope.debug' },
  { label: '$(type-hierarchy) Show Graph to the Side', command: 'hloscope.showGraph' },
  { label: '$(dashboard) Show Cost', command: 'hloscope.showCost' },
  { label: '$(link-external) Open in the HLOscope App', command: 'hloscope.openInApp' },
  { label: '$(question) Explain the Diagnostic or Operation at the Cursor', command: 'hloscope.explain' },
  { label: '$(list-flat) Format Module', command: 'hloscope.format' },
  { label: '$(refresh) Restart Language Server', command: 'hloscope.restartServer' },
  { label: '$(output) Show Output', command: 'hloscope.showOutput' },
  { label: '$(gear) Settings', command: 'hloscope.openSettings' },
];

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('hloscope.status', vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: vscode.Disposable[] = [this.item];

  constructor() {
    this.item.name = 'HLOscope';
    this.item.command = 'hloscope.showMenu';
    this.show('starting');
    this.subscriptions.push(
      vscode.window.onDidChangeVisibleTextEditors(() => this.place()),
      vscode.workspace.onDidOpenTextDocument(() => this.place()),
      vscode.commands.registerCommand('hloscope.showMenu', async () => {
        const picked = await vscode.window.showQuickPick(ENTRIES, { title: 'HLOscope' });
        if (picked !== undefined) await vscode.commands.executeCommand(picked.command);
      }),
      vscode.commands.registerCommand('hloscope.openSettings', () =>
        vscode.commands.executeCommand('workbench.action.openSettings', '@ext:hloscope.hloscope')),
    );
    this.place();
  }

  show(state: ServerState, detail?: string): void {
    const { text, tooltip } = TEXTS[state];
    this.item.text = text;
    this.item.tooltip = detail === undefined ? tooltip : `${tooltip}\n${detail}`;
    this.item.accessibilityInformation = { label: tooltip, role: 'button' };
    this.item.backgroundColor =
      state === 'missing' || state === 'stopped' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private place(): void {
    // Also while a preview beside the text has the focus.
    if (vscode.window.visibleTextEditors.some((editor) => editor.document.languageId === 'hlo')) this.item.show();
    else this.item.hide();
  }
}
