// SPDX-License-Identifier: Apache-2.0
// The settings that the language server knows, as it wants them.

/** Reads a setting below `hloscope`. */
export type Read = (key: string) => unknown;

const SERVER_SETTINGS = [
  'layoutSensitive',
  'allowMixedPrecision',
  'evaluation.memoryLimit',
  'evaluation.timeLimit',
  'codeLenses',
  'userLenses',
  'inlayHints.inferredShapes',
  'inlayHints.operandNames',
  'inlayHints.operandShapes',
  'inlayHints.bytes',
  'shapes',
  'sourceRoots',
  'workspaceDiagnostics',
];

/** An object with the dotted keys unfolded; settings that are not set are left out. */
export function serverSettings(read: Read): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of SERVER_SETTINGS) {
    const value = read(key);
    if (value === undefined) continue;
    const parts = key.split('.');
    const last = parts.pop()!;
    let target = result;
    for (const part of parts) target = (target[part] ??= {}) as Record<string, unknown>;
    target[last] = value;
  }
  return result;
}
