// SPDX-License-Identifier: Apache-2.0
// Run and Debug above the entry computation, unless the language server has lenses of its own.
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { linesOfDocument } from '../text/documents';
import { entryLine } from '../text/locate';

export function registerLenses(server: Server): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider({ language: 'hlo' }, {
    provideCodeLenses(document) {
      if (!vscode.workspace.getConfiguration('hloscope', document).get<boolean>('codeLenses', true)) return [];
      if (server.capabilities?.codeLensProvider !== undefined) return [];
      const line = entryLine(linesOfDocument(document));
      if (line === undefined) return [];
      const range = new vscode.Range(line, 0, line, 0);
      return [
        new vscode.CodeLens(range, { title: '$(play) Run', command: 'hloscope.run', arguments: [document.uri] }),
        new vscode.CodeLens(range, { title: '$(debug-alt) Debug', command: 'hloscope.debug', arguments: [document.uri] }),
        new vscode.CodeLens(range, { title: '$(type-hierarchy) Graph', command: 'hloscope.showGraph', arguments: [document.uri] }),
      ];
    },
  });
}
