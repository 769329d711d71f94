'use strict';
// --watch: runs the program in a child, and again each time a file changes.

const path = require('path');
const { signalNumber } = require('internal/child_process');
const { getOptionValue } = require('internal/options');
const colors = require('internal/util/colors');
const { FilesWatcher } = require('internal/watch_mode/files_watcher');

const kGrace = 500; // ms, until it is said that the child takes its time to end

// The options that the child gets.
function optionsOfChild(execArgv) {
  const result = [];
  for (let i = 0; i < execArgv.length; i++) {
    const option = execArgv[i];
    if (option === '--watch' || option.startsWith('--watch=') || option === '--watch-preserve-output') continue;
    if (option === '--watch-path' || option === '--watch-kill-signal') i++;
    else if (!option.startsWith('--watch-path=') && !option.startsWith('--watch-kill-signal=')) result.push(option);
  }
  return result;
}

class Runner {
  #signal = signalNumber(getOptionValue('--watch-kill-signal') ?? 'SIGTERM');
  #paths = (getOptionValue('--watch-path') ?? []).map((folder) => path.resolve(folder));
  #keepsOutput = getOptionValue('--watch-preserve-output') === true;
  #command = process.argv.slice(1);
  #name = require('internal/util/inspect').inspect(process.argv.slice(1).join(' '));
  #watcher;
  #child;
  #exited; // a promise for the code of the child
  #isStopping = false;
  #isRestarting = false;
  #isEnding = false;

  start() {
    colors.refresh();
    this.#watcher = new FilesWatcher();
    for (const folder of this.#paths) this.#watcher.watchPath(folder);
    this.#watcher.on('changed', ({ trigger }) => this.#restart(trigger));
    this.#run();
    for (const signal of ['SIGTERM', 'SIGINT']) {
      process.on(signal, async () => {
        this.#isEnding = true; // a child that is started now would be left behind
        this.#watcher.clear();
        process.exit(await this.#stop(signal) ?? 0);
      });
    }
  }

  #say(color, text) {
    process.stdout.write(`${colors[color]}${text}${colors.white}\n`);
  }

  #run() {
    const { spawn } = require('child_process');
    const isReporting = this.#paths.length === 0;
    const child = spawn(process.execPath, [...optionsOfChild(process.execArgv), ...this.#command], {
      stdio: isReporting ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
      env: { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' },
    });
    this.#child = child;
    this.#isStopping = false;
    this.#watcher.watchModulesOf(child);
    for (const file of getOptionValue('--env-file') ?? []) this.#watcher.filterFile(path.resolve(file));
    for (const file of getOptionValue('--env-file-if-exists') ?? []) {
      this.#watcher.filterFile(path.resolve(file));
    }
    if (process.send) this.#passMessages(child);
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code) => {
        if (!this.#isStopping) this.#reportEnd(code);
        resolve(code);
      });
    });
  }

  #passMessages(child) {
    const down = (message) => child.send(message);
    process.on('message', down);
    child.on('message', (message) => process.send(message));
    child.once('exit', () => process.off('message', down));
  }

  #reportEnd(code) {
    const waiting = 'Waiting for file changes before restarting...';
    if (code === 0) this.#say('blue', `Completed running ${this.#name}. ${waiting}`);
    else this.#say('red', `Failed running ${this.#name}. ${waiting}`);
  }

  async #stop(signal) {
    this.#isStopping = true;
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) this.#child.kill(signal);
    return this.#exited;
  }

  async #restart(trigger) {
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    if (!this.#keepsOutput) process.stdout.write(colors.clear);
    this.#say('blue', `Change detected in ${require('internal/util/inspect').inspect(trigger)}`);
    this.#say('green', `Restarting ${this.#name}`);
    this.#watcher.clearFileFilters();
    let isLate = false;
    const grace = setTimeout(() => {
      isLate = true;
      this.#say('blue', 'Waiting for graceful termination...');
    }, kGrace);
    await this.#stop(this.#signal);
    clearTimeout(grace);
    if (this.#isEnding) return;
    if (isLate) {
      if (!this.#keepsOutput) process.stdout.write(colors.clear);
      this.#say('green', `Gracefully restarted ${this.#name}`);
    }
    this.#run();
    this.#isRestarting = false;
  }
}

module.exports = () => new Runner().start();
