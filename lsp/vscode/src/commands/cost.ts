// SPDX-License-Identifier: Apache-2.0
// What a module costs, as `hloscope cost` says it, from the language server if it knows.
import * as vscode from 'vscode';
import type { Programs } from '../programs/programs';
import { failureOf, run } from '../programs/process';
import type { Server } from '../server/client';
import { chosenDocument } from '../text/documents';
import type { Pages } from './explain';

const TIME_LIMIT = 60_000;
const ROWS = 40;

export async function showCost(server: Server, programs: Programs, pages: Pages, uri?: unknown): Promise<void> {
  const document = await chosenDocument(uri);
  if (document === undefined) return;
  const title = `${document.uri.path.split('/').pop()} cost`;
  try {
    const textDocument = { uri: document.uri.toString() };
    const answer = await server.ask<{ text?: string } | null>('hloscope/cost', { textDocument, format: 'text', rows: ROWS });
    if (typeof answer?.text === 'string') return await pages.show(title, answer.text);
  } catch (error) {
    void vscode.window.showErrorMessage(`The cost cannot be computed: ${(error as Error).message}`);
    return;
  }
  const program = await programs.require('hloscope');
  if (program === undefined) return;
  const outcome = await run(program, ['cost', '-', '--color=never'], { input: document.getText(), timeLimit: TIME_LIMIT });
  const problem = failureOf(outcome);
  if (problem === undefined) await pages.show(title, outcome.output.toString('utf8'));
  else void vscode.window.showErrorMessage(`The cost cannot be computed: ${problem}`);
}
