// SPDX-License-Identifier: Apache-2.0
// The view with the history of values: what an expression was worth each time one of its values was computed.
import * as vscode from 'vscode';
import type { Variable } from '../tensor/debugValue';
import type { TimeView } from './timeView';

const MOST_VALUES = 500;

interface PastValue extends Omit<Variable, 'name'> {
  path: string;
  device: number;
}
interface History {
  expression: string;
  values: PastValue[];
  /** How many there were. */
  count: number;
  problem?: string;
}
type Node = { history: History; value?: PastValue };

export class HistoryView implements vscode.Disposable, vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];
  private expressions: string[] = [];
  private histories: History[] = [];

  constructor(times: TimeView) {
    this.subscriptions = [
      this.changed,
      vscode.window.registerTreeDataProvider('hloscope.history', this),
      times.onDidStop((session) => void this.refresh(session)),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  getTreeItem({ history, value }: Node): vscode.TreeItem {
    if (value === undefined) {
      const item = new vscode.TreeItem(history.expression, vscode.TreeItemCollapsibleState.Expanded);
      const shown = history.values.length < history.count ? `, the first ${history.values.length}` : '';
      item.description = history.problem ?? `${history.count} ${history.count === 1 ? 'value' : 'values'}${shown}`;
      item.contextValue = 'history';
      item.iconPath = new vscode.ThemeIcon('history');
      return item;
    }
    const item = new vscode.TreeItem(value.value);
    item.description = value.path;
    item.tooltip = `${history.expression} = ${value.value}\n${value.path}`;
    const variable = { ...value, name: `${history.expression} at ${value.path}` };
    item.command = { command: 'hloscope.viewTensor', title: 'View Tensor', arguments: [{ variable }] };
    return item;
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return this.histories.map((history) => ({ history }));
    return node.value === undefined ? node.history.values.map((value) => ({ history: node.history, value })) : [];
  }

  /** `chosen` is what the menu of the variables hands over; without it the user is asked. */
  async add(chosen?: unknown): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== 'hlo') return void vscode.window.showInformationMessage('Start debugging an HLO module first.');
    const variable = (chosen as { variable?: Variable } | undefined)?.variable;
    const expression = variable?.evaluateName ?? (await vscode.window.showInputBox({
      prompt: 'The value whose history is shown: a name, or an expression such as max(x)',
    }));
    if (expression === undefined || expression.trim() === '') return;
    this.expressions = [expression, ...this.expressions.filter((other) => other !== expression)];
    await vscode.commands.executeCommand('hloscope.history.focus');
    await this.refresh(session);
  }

  remove(node?: Node): void {
    this.expressions = node === undefined ? [] : this.expressions.filter((other) => other !== node.history.expression);
    this.histories = this.histories.filter(({ expression }) => this.expressions.includes(expression));
    this.changed.fire();
  }

  private async refresh(session: vscode.DebugSession): Promise<void> {
    const histories: History[] = [];
    for (const expression of this.expressions) {
      try {
        const answer = (await session.customRequest('hloscope/history', { expression, limit: MOST_VALUES })) as Omit<History, 'expression'>;
        histories.push({ ...answer, expression });
      } catch (error) {
        histories.push({ expression, values: [], count: 0, problem: (error as Error).message.split('\n')[0] });
      }
    }
    this.histories = histories;
    this.changed.fire();
  }
}
