// SPDX-License-Identifier: Apache-2.0
// `hloscope.showReferences`: the editor's list of places, for lenses of the language server, which only speaks JSON.
import * as vscode from 'vscode';

interface JsonPosition {
  line: number;
  character: number;
}
interface JsonLocation {
  uri: string;
  range: { start: JsonPosition; end: JsonPosition };
}

const toPosition = (value: JsonPosition): vscode.Position => new vscode.Position(value.line, value.character);

export async function showReferences(uri: string, position: JsonPosition, places: JsonLocation[] = []): Promise<void> {
  const target = vscode.Uri.parse(uri);
  const locations = places.map((place) => new vscode.Location(
    vscode.Uri.parse(place.uri),
    new vscode.Range(toPosition(place.range.start), toPosition(place.range.end)),
  ));
  const found = locations.length > 0
    ? locations
    : await vscode.commands.executeCommand<vscode.Location[]>('vscode.executeReferenceProvider', target, toPosition(position));
  await vscode.commands.executeCommand('editor.action.showReferences', target, toPosition(position), found ?? []);
}
