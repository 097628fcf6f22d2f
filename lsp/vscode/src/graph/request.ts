// SPDX-License-Identifier: Apache-2.0
// Which graph to draw for a cursor: a whole computation if it is small, else what surrounds the instruction.
import type { Place } from '../text/locate';

export interface GraphRequest {
  computation: string;
  /** Missing: the whole computation. */
  around?: string;
  /** Where its name is. */
  line: number;
  column: number;
  depth: number;
}

export interface GraphSettings {
  wholeUpTo: number;
  depth: number;
}

/** undefined: there is nothing to draw at this place. */
export function requestFor(place: Place, settings: GraphSettings): GraphRequest | undefined {
  if (place.computation === undefined) return undefined;
  const whole = place.lines <= settings.wholeUpTo;
  // At the head of a large computation there is no instruction to draw around: the program says what is too large.
  return { computation: place.computation, around: whole ? undefined : place.instruction, line: place.line, column: place.column, depth: settings.depth };
}

/** Whether the graph drawn for `before` shows what `now` asks for, given the names of its instructions. */
export function isShown(before: GraphRequest | undefined, now: GraphRequest, names: ReadonlySet<string>): boolean {
  if (before === undefined || before.computation !== now.computation) return false;
  if (before.around === undefined) return now.around === undefined;
  return now.around !== undefined && names.has(now.around);
}

export function titleOf(request: GraphRequest): string {
  return request.around === undefined ? request.computation : `${request.around} in ${request.computation}`;
}

/** Parameters of the language server's request hloscope/graph. */
export function serverParameters(uri: string, request: GraphRequest): Record<string, unknown> {
  const { computation, depth } = request;
  const common = { textDocument: { uri }, computation, depth, format: 'svg' };
  if (request.around === undefined) return { ...common, whole: true };
  return { ...common, position: { line: request.line, character: request.column } };
}

/** Arguments of `hloscope` for a text on its input. */
export function graphArguments(request: GraphRequest): string[] {
  const result = ['graph', '-', '--format=svg', `--computation=${request.computation}`];
  if (request.around !== undefined) result.push(`--around=${request.around}`, `--depth=${request.depth}`);
  return result;
}
