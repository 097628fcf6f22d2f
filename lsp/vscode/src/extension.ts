// SPDX-License-Identifier: Apache-2.0
// What VS Code calls: puts the parts together.
import * as vscode from 'vscode';
import { openInApp } from './commands/app';
import { compareRuns } from './commands/compareRuns';
import { showCost } from './commands/cost';
import { Pages } from './commands/explain';
import { MemoryView } from './commands/memory';
import { copyMarkdown } from './commands/markdown';
import { savePicture } from './commands/picture';
import { convertStyle, format } from './commands/format';
import { registerLenses } from './commands/lenses';
import { showReferences } from './commands/references';
import { Runner } from './commands/run';
import { showValue } from './commands/value';
import { debug, registerDebugging } from './debug/debugging';
import { HistoryView } from './debug/historyView';
import { TimeView } from './debug/timeView';
import { Drawings } from './drawing/views';
import { GraphPreview } from './graph/preview';
import { DumpFolders } from './modules/dumps';
import { registerModuleTexts } from './modules/moduleText';
import { Passes } from './modules/passes';
import { Translations } from './modules/programHlo';
import { Profiles } from './profile/profiles';
import { Programs } from './programs/programs';
import { PythonLines } from './python/pythonLines';
import { Server } from './server/client';
import { Status } from './server/status';
import { TensorViews } from './tensor/views';
import { detectDumps } from './text/documents';
import { explainLargeFiles } from './text/largeFiles';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('HLOscope', { log: true });
  const programs = new Programs(context.extensionUri.fsPath, log);
  const status = new Status();
  const started = new Server(programs, status, log);
  server = started;
  const runner = new Runner(programs);
  const pages = new Pages(programs);
  const memory = new MemoryView(programs);
  const profiles = new Profiles(programs);
  const graph = new GraphPreview(context.extensionUri, started, programs, profiles);
  const tensors = new TensorViews(context.extensionUri, runner);
  const drawings = new Drawings(context.extensionUri, started);
  const python = new PythonLines(started, runner);
  const times = new TimeView(context.extensionUri);
  const histories = new HistoryView(times);
  const dumps = new DumpFolders(programs, context.workspaceState);

  const command = (name: string, run: (...given: never[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`hloscope.${name}`, run);
  context.subscriptions.push(
    log, programs, status, started, runner, pages, memory, profiles, graph, tensors, drawings, python, times, histories,
    profiles.onDidChangeProfile((answer) => python.showTimes(answer)),
    detectDumps(),
    registerModuleTexts(programs),
    new Translations(started),
    dumps,
    new Passes(programs, () => dumps.shownFolder),
    explainLargeFiles(),
    registerLenses(started),
    registerDebugging(programs),
    command('run', (uri?: unknown, module?: unknown) => runner.run(uri, module)),
    command('viewResults', (uri?: unknown) => tensors.viewResults(uri)),
    command('debug', (uri?: unknown) => debug(programs, uri)),
    command('format', () => format(started)),
    command('chooseStyle', () => convertStyle(started)),
    command('showGraph', (uri?: unknown, computation?: unknown) => graph.show(uri, computation)),
    command('showCost', (uri?: unknown) => showCost(started, programs, pages, uri)),
    command('showMemory', (uri?: unknown) => memory.show(uri)),
    command('askMemory', () => memory.ask()),
    command('compareRuns', (uri?: unknown) => compareRuns(programs, uri)),
    command('showValue', () => showValue(started, pages, tensors)),
    command('showLayout', () => drawings.showLayout()),
    command('showBroadcast', () => drawings.showBroadcast()),
    command('copyMarkdown', () => copyMarkdown(started)),
    command('savePicture', () => savePicture(started, programs)),
    command('openInApp', (uri?: unknown) => openInApp(programs, uri)),
    command('explain', (subject?: unknown) => pages.explain(subject)),
    command('viewTensor', (chosen?: unknown) => tensors.viewVariable(chosen)),
    command('showHistory', (chosen?: unknown) => histories.add(chosen)),
    command('forgetHistory', (node?: unknown) => histories.remove(node as Parameters<HistoryView['remove']>[0])),
    command('viewArrayFile', (uri?: unknown) => tensors.viewFile(uri)),
    command('restartServer', () => started.restart()),
    command('showOutput', () => log.show()),
    command('showReferences', showReferences),
  );

  // A text file is not worth a server; the first module is.
  const startFor = (document: vscode.TextDocument): boolean => ['hlo', 'stablehlo'].includes(document.languageId);
  if (vscode.workspace.textDocuments.some(startFor)) {
    await started.restart();
    return;
  }
  const waiting = vscode.workspace.onDidOpenTextDocument((document) => {
    if (!startFor(document)) return;
    waiting.dispose();
    void started.restart();
  });
  context.subscriptions.push(waiting);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
