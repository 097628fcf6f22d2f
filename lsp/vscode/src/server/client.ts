// SPDX-License-Identifier: Apache-2.0
// The language client: starts, restarts and stops the server, and passes requests of HLOscope's own.
import * as vscode from 'vscode';
import {
  CloseAction, ErrorAction, LanguageClient, State, TransportKind, WorkDoneProgress, type Executable,
} from 'vscode-languageclient/node';
import { MODULE_SCHEME } from '../modules/place';
import type { Programs } from '../programs/programs';
import { Crashes } from './crashes';
import { serverSettings } from './settings';
import type { Status } from './status';

const METHOD_NOT_FOUND = -32601;

/** Of longer texts the server gives only the tokens that are on the screen. In characters here, in bytes there. */
const WHOLE_TEXT_LIMIT = 1_000_000;

function isLong(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > WHOLE_TEXT_LIMIT;
}

/** Resolves to null once nobody waits for the answer any more. */
function noAnswer(token: vscode.CancellationToken): Promise<null> {
  return new Promise((resolve) => {
    if (token.isCancellationRequested) resolve(null);
    else token.onCancellationRequested(() => resolve(null));
  });
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private changing: Promise<void> = Promise.resolve();
  private lastToken = 0;
  private readonly unknownMethods = new Set<string>();
  private readonly crashes = new Crashes();
  private recovery: NodeJS.Timeout | undefined;
  private readonly trace = vscode.window.createOutputChannel('HLOscope trace');
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly programs: Programs,
    private readonly status: Status,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('hloscope.server')) void this.restart();
      else if (change.affectsConfiguration('hloscope')) void this.sendSettings();
    });
  }

  get capabilities() {
    return this.client?.initializeResult?.capabilities;
  }

  /** Starts the server, or starts it again. Calls one after the other do not overlap. */
  restart(): Promise<void> {
    this.changing = this.changing.then(() => this.startNow()).catch((error) => this.log.error(String(error)));
    return this.changing;
  }

  /** As `ask`, with what the server says in the meantime. */
  async askWithProgress<Answer>(method: string, params: object, token: vscode.CancellationToken, report: (message: string) => void): Promise<Answer | undefined> {
    const workDoneToken = `hloscope-${++this.lastToken}`;
    const listening = this.client?.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind === 'report' && value.message !== undefined) report(value.message);
    });
    try {
      return await this.ask<Answer>(method, { ...params, workDoneToken }, token);
    } finally {
      listening?.dispose();
    }
  }

  /** The answer to a request that not every server knows; undefined if this one does not, or is not there. */
  async ask<Answer>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<Answer | undefined> {
    if (this.client?.state !== State.Running || this.unknownMethods.has(method)) return undefined;
    try {
      // An undefined token would count as a second parameter.
      if (token === undefined) return await this.client.sendRequest<Answer>(method, params);
      return await this.client.sendRequest<Answer>(method, params, token);
    } catch (error) {
      if ((error as { code?: number }).code !== METHOD_NOT_FOUND) throw error;
      this.unknownMethods.add(method);
      return undefined;
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.recovery);
    const client = this.client;
    this.client = undefined;
    if (client === undefined) return;
    try {
      await client.dispose(2000);
    } catch (error) {
      this.log.warn(`stopping the language server: ${String(error)}`);
    }
  }

  dispose(): void {
    this.subscription.dispose();
    this.trace.dispose();
    void this.stop();
  }

  private async startNow(): Promise<void> {
    await this.stop();
    this.unknownMethods.clear();
    this.status.show('starting');
    const found = await this.programs.find('hloscope-lsp');
    if (typeof found !== 'string') {
      this.status.show('missing', found.problem);
      void this.programs.help('hloscope-lsp', found);
      return;
    }
    const programArguments = vscode.workspace.getConfiguration('hloscope').get<string[]>('server.arguments', []);
    const executable: Executable = { command: found, args: programArguments, transport: TransportKind.stdio };
    const client = new LanguageClient('hloscope', 'HLOscope', executable, {
      documentSelector: [
        { language: 'hlo', scheme: 'file' },
        { language: 'hlo', scheme: 'untitled' },
        { language: 'hlo', scheme: MODULE_SCHEME },
        { language: 'stablehlo', scheme: 'file' },
        { language: 'stablehlo', scheme: 'untitled' },
      ],
      initializationOptions: this.settings(),
      outputChannel: this.log,
      traceOutputChannel: this.trace,
      markdown: { supportHtml: false },
      middleware: {
        // VS Code asks for the tokens of a whole text after each pause in typing, unless such a request is still open. Where
        // the answer is that there are none, it drops those on the screen and reads all brackets of the text again (0.1 s
        // for 4 MB).
        provideDocumentSemanticTokens: (document, token, next) => (isLong(document) ? noAnswer(token) : next(document, token)),
      },
      // The library would start the server again within the same client, which then does not know the open documents.
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.hlo') },
    });
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client) return;
      if (newState === State.Running) this.status.show('running', found);
      if (newState === State.Starting) this.status.show('starting', found);
      if (newState === State.Stopped) this.recover(found);
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(`the language server ${found} did not start: ${String(error)}`);
      if (client === this.client) this.recover(found);
    }
  }

  /** The server ended although nobody stopped it: starts a fresh one, which is sent all open documents. */
  private recover(program: string): void {
    clearTimeout(this.recovery);
    const { delay, isFirstRepeated } = this.crashes.add(Date.now());
    this.status.show('stopped', `${program} ended unexpectedly; it starts again ${delay > 0 ? `in ${delay / 1000} s` : 'now'}`);
    this.log.warn(`${program} ended unexpectedly; starting it again ${delay > 0 ? `in ${delay / 1000} s` : 'now'}`);
    this.recovery = setTimeout(() => void this.restart(), delay);
    if (!isFirstRepeated) return;
    const restart = 'Restart Now', output = 'Show Output';
    void vscode.window
      .showWarningMessage('The HLOscope language server keeps crashing. Nothing of your text is lost.', restart, output)
      .then((chosen) => {
        if (chosen === restart) void this.restart();
        if (chosen === output) this.log.show();
      });
  }

  private settings(): Record<string, unknown> {
    const configuration = vscode.workspace.getConfiguration('hloscope');
    return { ...serverSettings((key) => configuration.get(key)), semanticTokens: { wholeTextLimit: WHOLE_TEXT_LIMIT }, moduleScheme: MODULE_SCHEME };
  }

  private async sendSettings(): Promise<void> {
    if (this.client?.state !== State.Running) return;
    await this.client.sendNotification('workspace/didChangeConfiguration', { settings: { hloscope: this.settings() } });
  }
}
