// SPDX-License-Identifier: Apache-2.0
// The debug type `hlo`: configurations, and the adapter that runs them.
import * as vscode from 'vscode';
import { fileOfText } from '../modules/place';
import type { Programs } from '../programs/programs';
import { chosenDocument, isModule, savedInput } from '../text/documents';
import { largeModule } from '../text/largeFiles';
import { completeConfiguration, type Defaults } from './configuration';

async function defaultsFor(): Promise<Defaults> {
  const active = vscode.window.activeTextEditor?.document;
  const shown = active === undefined || !isModule(active) ? undefined : active.uri.scheme === 'file' ? active.uri.fsPath : fileOfText(active.uri);
  const program = shown ?? (await largeModule())?.fsPath;
  const settings = vscode.workspace.getConfiguration('hloscope', active);
  const textUri = (file: string): string | undefined =>
    vscode.workspace.textDocuments.find(({ uri }) => fileOfText(uri) === file)?.uri.toString();
  return { program, textUri, fill: settings.get<string>('run.fill', 'random'), shapes: settings.get<string[]>('shapes', []) };
}

export function registerDebugging(programs: Programs): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider('hlo', {
      async resolveDebugConfiguration(_folder, configuration) {
        const complete = completeConfiguration(configuration, await defaultsFor());
        if (typeof complete !== 'string') return complete as vscode.DebugConfiguration;
        void vscode.window.showErrorMessage(complete);
        return undefined;
      },
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory('hlo', {
      async createDebugAdapterDescriptor() {
        const program = await programs.require('hloscope-dap');
        // Without an adapter the session ends; the message with the way out is already there.
        return program === undefined ? null : new vscode.DebugAdapterExecutable(program, []);
      },
    }),
  );
}

async function debugFile(programs: Programs, file: string, uri: vscode.Uri): Promise<void> {
  if ((await programs.require('hloscope-dap')) === undefined) return;
  const configuration = { type: 'hlo', request: 'launch', name: 'Debug HLO module', program: file };
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), configuration);
}

export async function debug(programs: Programs, uri?: unknown): Promise<void> {
  const large = await largeModule(uri);
  if (large !== undefined) return debugFile(programs, large.fsPath, large);
  const document = await chosenDocument(uri);
  if (document === undefined) return;
  if (document.uri.scheme !== 'file' && fileOfText(document.uri) === undefined) {
    void vscode.window.showInformationMessage('Save the module first: the debugger opens files.');
    return;
  }
  await debugFile(programs, (await savedInput(document)).argument, document.uri);
}
