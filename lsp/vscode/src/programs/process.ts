// SPDX-License-Identifier: Apache-2.0
// Runs a program to its end, or to that of the editor.
import { spawn } from 'node:child_process';
import { endGuarded, guard, GUARDED } from './guard';

export interface Outcome {
  /** null: ended by a signal. */
  status: number | null;
  output: Buffer;
  errors: string;
  /** Set if it could not be started, was stopped, or wrote too much. */
  failure?: string;
}

export interface RunOptions {
  input?: string;
  folder?: string;
  environment?: NodeJS.ProcessEnv;
  /** Milliseconds; none: as long as it takes. */
  timeLimit?: number;
  /** Bytes of output kept; more ends the program. */
  outputLimit?: number;
  signal?: AbortSignal;
  /** Called with each piece of either stream. */
  onText?: (text: string) => void;
}

const DEFAULT_OUTPUT_LIMIT = 64 * 1024 * 1024;
const ERRORS_KEPT = 1024 * 1024;

export function run(file: string, programArguments: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(file, programArguments, {
      cwd: options.folder,
      env: options.environment ?? process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      ...GUARDED,
    });
    const endGuard = guard(child);
    const limit = options.outputLimit ?? DEFAULT_OUTPUT_LIMIT;
    const pieces: Buffer[] = [];
    let size = 0;
    let errors = '';
    let failure: string | undefined;

    const stop = (reason: string): void => {
      failure ??= reason;
      endGuarded(child);
    };
    const timer =
      options.timeLimit === undefined
        ? undefined
        : setTimeout(() => stop(`no answer within ${Math.round(options.timeLimit! / 100) / 10} s`), options.timeLimit);
    const abort = (): void => stop('cancelled');
    if (options.signal?.aborted) abort();
    options.signal?.addEventListener('abort', abort, { once: true });

    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > limit) return stop(`more than ${limit} bytes of output`);
      pieces.push(piece);
      options.onText?.(piece.toString('utf8'));
    });
    child.stderr.on('data', (piece: Buffer) => {
      const text = piece.toString('utf8');
      if (errors.length < ERRORS_KEPT) errors += text;
      options.onText?.(text);
    });
    // A program that does not read its input to the end closes the pipe: not worth a word.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');

    const finish = (status: number | null): void => {
      clearTimeout(timer);
      endGuard();
      options.signal?.removeEventListener('abort', abort);
      resolve({ status, output: Buffer.concat(pieces), errors, failure });
    };
    child.on('error', (error) => {
      failure ??= error.message;
      finish(null);
    });
    child.on('close', (status) => finish(status));
  });
}

/** Why it did not succeed, in one line; undefined if it did. */
export function failureOf(outcome: Outcome): string | undefined {
  if (outcome.failure !== undefined) return outcome.failure;
  if (outcome.status === 0) return undefined;
  const firstLine = outcome.errors.split('\n').find((line) => line.trim() !== '');
  if (firstLine !== undefined) return firstLine.trim();
  return outcome.status === null ? 'it was ended by a signal' : `it ended with status ${outcome.status}`;
}
