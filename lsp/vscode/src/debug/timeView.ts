// SPDX-License-Identifier: Apache-2.0
// The view with the time slider: where the run is, and a way to anywhere it has been.
import * as vscode from 'vscode';
import { page, pageOptions } from '../panels/page';
import type { FromTimeView, RunTime, ToTimeView } from './timeMessages';

/** Also tells others that a run has stopped somewhere else. */
export class TimeView implements vscode.Disposable, vscode.WebviewViewProvider {
  private readonly stopped = new vscode.EventEmitter<vscode.DebugSession>();
  readonly onDidStop = this.stopped.event;
  private readonly subscriptions: vscode.Disposable[];
  private view: vscode.WebviewView | undefined;

  constructor(private readonly extension: vscode.Uri) {
    this.subscriptions = [
      this.stopped,
      vscode.window.registerWebviewViewProvider('hloscope.time', this, { webviewOptions: { retainContextWhenHidden: true } }),
      vscode.debug.registerDebugAdapterTrackerFactory('hlo', {
        createDebugAdapterTracker: (session) => ({
          onDidSendMessage: (message: { type?: string; event?: string }) => {
            if (message.type !== 'event') return;
            if (message.event === 'stopped') void this.refresh(session);
            if (message.event === 'continued') this.tell({ kind: 'running' });
          },
        }),
      }),
      vscode.debug.onDidChangeActiveDebugSession(() => void this.refresh()),
      vscode.debug.onDidTerminateDebugSession(() => void this.refresh()),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = pageOptions(this.extension);
    view.webview.onDidReceiveMessage((message: FromTimeView) => {
      if (message.kind === 'ready') void this.refresh();
      else void this.go(message.position);
    });
    view.onDidDispose(() => {
      this.view = undefined;
    });
    view.webview.html = page(view.webview, this.extension, 'time', 'Time');
  }

  private async go(position: number): Promise<void> {
    const session = this.session();
    if (session === undefined) return;
    try {
      await session.customRequest('hloscope/goToTime', { threadId: 1, position });
    } catch (error) {
      void vscode.window.showErrorMessage(`The run cannot go there: ${(error as Error).message}`);
      void this.refresh();
    }
  }

  private session(): vscode.DebugSession | undefined {
    const session = vscode.debug.activeDebugSession;
    return session?.type === 'hlo' ? session : undefined;
  }

  private async refresh(stoppedSession?: vscode.DebugSession): Promise<void> {
    if (stoppedSession !== undefined) this.stopped.fire(stoppedSession);
    const session = this.session();
    if (session === undefined) return this.tell({ kind: 'none' });
    try {
      this.tell({ kind: 'time', time: (await session.customRequest('hloscope/time', {})) as RunTime });
    } catch {
      // Before the launch, or after the end.
      this.tell({ kind: 'none' });
    }
  }

  private tell(message: ToTimeView): void {
    void this.view?.webview.postMessage(message);
  }
}
