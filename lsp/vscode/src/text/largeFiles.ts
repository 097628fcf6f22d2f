// SPDX-License-Identifier: Apache-2.0
// Texts that the editor does not give to extensions: says so, and what else can be done with them.
import * as vscode from 'vscode';

// VS Code keeps texts beyond this from extensions.
export const LARGEST_TEXT = 50 * 1024 * 1024;

const megabytes = (size: number): number => Math.round(size / 1024 / 1024);

function uriOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  return tab?.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
}

/** Its size if it is a module that the editor keeps for itself. */
async function largeSize(uri: vscode.Uri | undefined): Promise<number | undefined> {
  if (uri?.scheme !== 'file' || !/\.(hlo(\.txt)?|mlir)$/.test(uri.path)) return undefined;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > LARGEST_TEXT ? size : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The file that a command is about, given or in front, if the editor gives its text to no extension: programs can still
 * read it.
 */
export async function largeModule(given?: unknown): Promise<vscode.Uri | undefined> {
  const asked = typeof given === 'string' ? vscode.Uri.parse(given) : given;
  const uri = asked instanceof vscode.Uri ? asked : uriOfTab(vscode.window.tabGroups.activeTabGroup.activeTab);
  return (await largeSize(uri)) === undefined ? undefined : uri;
}

async function offerApp(message: string, uri: vscode.Uri): Promise<void> {
  const app = 'Open in the App';
  if ((await vscode.window.showInformationMessage(message, app)) === app) await vscode.commands.executeCommand('hloscope.openInApp', uri);
}

/** For commands that need the text. */
export function refuseLargeModule(uri: vscode.Uri): void {
  const name = uri.path.split('/').pop();
  void offerApp(`${name} has more than 50 MB, and the editor gives such texts to no extension. Here it can be run, debugged and opened in the app, which does everything else.`, uri);
}

/** Tells the user when such a file is opened. */
export function explainLargeFiles(): vscode.Disposable {
  const look = async (tab: vscode.Tab): Promise<void> => {
    const uri = uriOfTab(tab);
    const size = await largeSize(uri);
    if (uri === undefined || size === undefined) return;
    await offerApp(`This module is ${megabytes(size)} MB. The editor shows it, but gives no extension texts above 50 MB: there are no diagnostics, colours or outline. It can be run and debugged, and the HLOscope app and the command line have no such limit.`, uri);
  };
  vscode.window.tabGroups.all.forEach((group) => group.tabs.forEach((tab) => void look(tab)));
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => opened.forEach((tab) => void look(tab)));
}
