// SPDX-License-Identifier: Apache-2.0
// What needs memory when, as `hloscope memory` explains it, and what would change the peak.
import * as vscode from 'vscode';
import type { Programs } from '../programs/programs';
import { ReportPage } from '../reports/reportPage';
import { chosenDocument, savedInput } from '../text/documents';
import { linesOfDocument } from '../text/documents';
import { placeAt } from '../text/locate';

/** Questions of --what-if that can be asked without more words, for the instruction at the cursor. */
export function questionsAbout(instruction: string | undefined): string[] {
  const orders = ['text', 'post-order', 'largest', 'list'].map((order) => `schedule:${order}`);
  return instruction === undefined ? orders : [`recompute:${instruction}`, `type:${instruction}=bf16`, ...orders];
}

export class MemoryView implements vscode.Disposable {
  private readonly page: ReportPage;
  private readonly questions = new Map<string, string[]>();
  private shown: vscode.TextDocument | undefined;

  constructor(programs: Programs) {
    this.page = new ReportPage(programs, 'hloscope.memory');
  }

  dispose(): void {
    this.page.dispose();
  }

  async show(uri?: unknown): Promise<void> {
    const document = await chosenDocument(uri);
    if (document !== undefined) await this.explain(document, []);
  }

  /** Asks one more question about the module that is shown. */
  async ask(): Promise<void> {
    const document = this.shown !== undefined && !this.shown.isClosed ? this.shown : await chosenDocument();
    if (document === undefined) return;
    const editor = vscode.window.visibleTextEditors.find((visible) => visible.document === document);
    const at = editor === undefined ? undefined : placeAt(linesOfDocument(document), editor.selection.active.line).instruction;
    const question = await chooseQuestion(questionsAbout(at));
    if (question !== undefined) await this.explain(document, [...(this.questions.get(document.uri.toString()) ?? []), question]);
  }

  private async explain(document: vscode.TextDocument, questions: string[]): Promise<void> {
    const given = ['memory', ...questions.map((question) => `--what-if=${question}`)];
    const title = `${document.uri.path.split('/').pop()} memory`;
    if (!(await this.page.show(title, given, await savedInput(document), document))) return;
    this.shown = document;
    this.questions.set(document.uri.toString(), questions);
  }
}

/** One of the list, or what is typed. */
function chooseQuestion(list: readonly string[]): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick();
  pick.title = 'What would the peak be with ...';
  pick.placeholder = 'recompute:NAME, donate:N, donate:N{I,J}, schedule:ORDER or type:NAME=TYPE';
  const items = list.map((label) => ({ label }));
  pick.items = items;
  pick.onDidChangeValue((value) => {
    pick.items = value === '' || list.includes(value) ? items : [{ label: value }, ...items];
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.label ?? (pick.value === '' ? undefined : pick.value));
      pick.dispose();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
