// SPDX-License-Identifier: Apache-2.0
// Programs that end with the editor, however it ends.
import { spawn, type ChildProcess } from 'node:child_process';

/** Groups of processes, which make it possible to end what a program has started, are not there on Windows. */
const HAS_GROUPS = process.platform !== 'win32';

/** What `spawn` needs for a program that is to be guarded. */
export const GUARDED = { detached: HAS_GROUPS } as const;

// It gets the end of its input when nobody holds the pipe any more, and no signal of the terminal before that.
const WATCH = 'trap "" HUP INT TERM; read -r line; kill -s KILL -- "-$1"';

/**
 * Ends a program, which was started with GUARDED, and what it has started, when this process is gone, killed included.
 * The function that it returns ends the guard.
 */
export function guard(child: ChildProcess): () => void {
  if (!HAS_GROUPS || child.pid === undefined) return () => undefined;
  const watch = spawn('/bin/sh', ['-c', WATCH, 'sh', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell there is no guard, and the program runs all the same.
  watch.on('error', () => undefined);
  watch.stdin?.on('error', () => undefined);
  watch.unref();
  return () => void watch.kill('SIGKILL');
}

/** Asks the program, and what it has started, to end. */
export function endGuarded(child: ChildProcess): void {
  if (HAS_GROUPS && child.pid !== undefined) {
    try {
      process.kill(-child.pid, 'SIGTERM');
      return;
    } catch {
      // It has ended by itself.
    }
  }
  child.kill();
}
