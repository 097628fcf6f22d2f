// SPDX-License-Identifier: Apache-2.0
// The frame of every web view: a strict content policy, one script, one style sheet, nothing from outside.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export function pageOptions(extension: vscode.Uri): vscode.WebviewOptions & vscode.WebviewPanelOptions {
  return {
    enableScripts: true,
    retainContextWhenHidden: true,
    localResourceRoots: [vscode.Uri.joinPath(extension, 'dist'), vscode.Uri.joinPath(extension, 'media')],
  };
}

/** `name` is that of the script in dist and of the style sheet in media. */
export function page(webview: vscode.Webview, extension: vscode.Uri, name: string, title: string): string {
  const script = webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', `${name}View.js`));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(extension, 'media', `${name}.css`));
  const nonce = randomBytes(16).toString('hex');
  const policy = `default-src 'none'; style-src ${webview.cspSource} 'unsafe-inline'; script-src 'nonce-${nonce}'; img-src data:;`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${style}">
<title>${title}</title>
</head>
<body><main id="root"></main><script nonce="${nonce}" src="${script}"></script></body>
</html>`;
}
