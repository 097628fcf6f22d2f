// SPDX-License-Identifier: Apache-2.0
// Texts that the editor does not give to extensions: says so, and what else can be done with them.
import * as vscode from 'vscode';

// VS Code keeps texts beyond this from extensions.
export const LARGEST_TEXT = 50 * 1024 * 1024;

/** Tells the user once for each file that is opened. */
export function explainLargeFiles(openInApp: (uri: vscode.Uri) => unknown): vscode.Disposable {
  const told = new Set<string>();
  const look = async (tab: vscode.Tab): Promise<void> => {
    if (!(tab.input instanceof vscode.TabInputText)) return;
    const uri = tab.input.uri;
    if (uri.scheme !== 'file' || !/\.hlo(\.txt)?$/.test(uri.path) || told.has(uri.toString())) return;
    const size = (await vscode.workspace.fs.stat(uri)).size;
    if (size <= LARGEST_TEXT) return;
    told.add(uri.toString());
    const app = 'Open in the App';
    const chosen = await vscode.window.showInformationMessage(
      `This module is ${Math.round(size / 1024 / 1024)} MB. The editor shows it, but gives no extension texts above 50 MB: there are no diagnostics, colours or outline. The HLOscope app and the command line have no such limit.`, app);
    if (chosen === app) await openInApp(uri);
  };
  vscode.window.tabGroups.all.forEach((group) => group.tabs.forEach((tab) => void look(tab)));
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => opened.forEach((tab) => void look(tab)));
}
