// Formatting: the language server's answer if it formats, else what `hloscope fmt` prints.
import * as vscode from 'vscode';
import type { Programs } from '../programs/programs';
import { failureOf, run } from '../programs/process';
import type { Server } from '../server/client';
import { chosenDocument } from '../text/documents';

const TIME_LIMIT = 60_000;

/** The style to print in: `keep` is that of the text, as far as the names tell. */
function styleOf(document: vscode.TextDocument): string {
  const style = vscode.workspace.getConfiguration('hloscope', document).get<string>('formatStyle', 'keep');
  if (style !== 'keep') return style;
  return /^\s*(?:ROOT\s+)?%/m.test(document.getText()) ? 'dump' : 'short';
}

async function formatWithProgram(document: vscode.TextDocument, programs: Programs): Promise<void> {
  const program = await programs.require('hloscope');
  if (program === undefined) return;
  const version = document.version;
  const outcome = await run(program, ['fmt', `--style=${styleOf(document)}`, '--keep-comments', '-'], {
    input: document.getText(),
    timeLimit: TIME_LIMIT,
  });
  const problem = failureOf(outcome);
  if (problem !== undefined) {
    void vscode.window.showErrorMessage(`The module cannot be formatted: ${problem}`);
    return;
  }
  // Typed in the meantime: the answer is about another text.
  if (document.version !== version) return;
  const text = outcome.output.toString('utf8');
  if (text === document.getText()) return;
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, whole, text);
  await vscode.workspace.applyEdit(edit);
}

export async function format(server: Server, programs: Programs): Promise<void> {
  const document = await chosenDocument();
  if (document === undefined) return;
  if (server.capabilities?.documentFormattingProvider) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('editor.action.formatDocument');
  } else {
    await formatWithProgram(document, programs);
  }
}
