// SPDX-License-Identifier: Apache-2.0
// Where graphs come from: the language server if it draws, else `hloscope graph`.
import * as vscode from 'vscode';
import type { Programs } from '../programs/programs';
import { failureOf, run } from '../programs/process';
import type { Server } from '../server/client';
import { graphArguments, serverParameters, type GraphRequest } from './request';
import { innerSvg } from './svg';

const TIME_LIMIT = 120_000;

export type Drawing = { svg: string } | { problem: string } | undefined;

/** undefined: cancelled, or a program is missing and the user knows. */
export async function draw(
  document: vscode.TextDocument,
  request: GraphRequest,
  server: Server,
  programs: Programs,
  token: vscode.CancellationToken,
): Promise<Drawing> {
  const answer = await server.ask<{ svg?: string } | null>('hloscope/graph', serverParameters(document.uri.toString(), request), token);
  const drawn = innerSvg(answer?.svg ?? '');
  if (drawn !== undefined) return { svg: drawn };

  const program = await programs.require('hloscope');
  if (program === undefined || token.isCancellationRequested) return undefined;
  const abort = new AbortController();
  const subscription = token.onCancellationRequested(() => abort.abort());
  const outcome = await run(program, graphArguments(request), {
    input: document.getText(),
    timeLimit: TIME_LIMIT,
    signal: abort.signal,
  });
  subscription.dispose();
  if (token.isCancellationRequested) return undefined;
  const svg = innerSvg(outcome.output.toString('utf8'));
  // Diagnostics elsewhere in the text do not keep the graph from being drawn.
  if (svg !== undefined && outcome.failure === undefined) return { svg };
  return { problem: failureOf(outcome) ?? 'the program wrote no picture' };
}
