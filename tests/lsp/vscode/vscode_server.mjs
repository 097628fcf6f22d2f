// SPDX-License-Identifier: Apache-2.0
// VS Code behind a web server on this machine, with one extension and settings of its own.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

const SETTINGS = {
  'workbench.colorTheme': 'Default Light Modern',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.restoreWindows': 'none',
  'window.commandCenter': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'editor.minimap.enabled': false,
  'editor.accessibilitySupport': 'off',
  'editor.hover.delay': 100,
  'files.autoSave': 'off',
  'files.hotExit': 'off',
  'debug.toolBarLocation': 'docked',
  'chat.commandCenter.enabled': false,
};

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function answers(url, process) {
  for (let attempt = 0; attempt < 300; ++attempt) {
    if (process.exitCode !== null) throw new Error(`the server of VS Code ended with status ${process.exitCode}`);
    try {
      if ((await fetch(`${url}/healthz`)).ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the server of VS Code does not answer');
}

/** Installs `extension` (a .vsix) into a fresh profile below `folder` and serves it. Returns the address and a way to stop. */
export async function startVsCode({ program, extension, folder, programs }) {
  const home = path.join(folder, 'home');
  fs.rmSync(home, { recursive: true, force: true });
  fs.mkdirSync(path.join(home, 'data/User'), { recursive: true });
  fs.writeFileSync(path.join(home, 'data/User/settings.json'), JSON.stringify(SETTINGS, null, 2));
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  // Programs of the package only, as on the machine of someone who installed nothing else.
  env.PATH = env.PATH.split(':').filter((entry) => !entry.startsWith(programs)).join(':');
  const log = fs.openSync(path.join(folder, 'server.log'), 'w');
  const profile = ['--user-data-dir', path.join(home, 'data'), '--extensions-dir', path.join(home, 'extensions')];
  execFileSync(program, [...profile, '--install-extension', extension], { env, stdio: ['ignore', log, log] });
  const port = await freePort();
  const server = spawn(program, [
    ...profile, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check',
    '--disable-workspace-trust', '--disable-getting-started-override', '--disable-file-downloads',
  ], { env, stdio: ['ignore', log, log], detached: true });
  const url = `http://127.0.0.1:${port}`;
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const signal = (name) => {
    try {
      // The group: extension hosts and language servers too.
      process.kill(-server.pid, name);
    } catch {
      // It is gone already.
    }
  };
  const stop = async () => {
    signal('SIGTERM');
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 4000))]);
    signal('SIGKILL');
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await answers(url, server);
  } catch (error) {
    await stop();
    throw error;
  }
  /** Kills the running language servers of this VS Code, as a crash would; returns how many there were. */
  const killLanguageServers = () => {
    const running = fs.readdirSync('/proc').filter((entry) => {
      try {
        // The loader of the package runs the server: it is among the arguments.
        const executable = fs.readlinkSync(`/proc/${entry}/exe`);
        const words = fs.readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0');
        return executable.startsWith(fs.realpathSync(home)) && words.some((word) => path.basename(word) === 'hloscope-lsp');
      } catch {
        return false;  // no process, or one that has ended
      }
    });
    for (const id of running) process.kill(Number(id), 'SIGKILL');
    return running.length;
  };
  return { url, stop, killLanguageServers };
}
