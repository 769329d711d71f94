'use strict';
// node:readline/promises.

const EventEmitter = require('events');
const { AbortError } = require('internal/errors');
const { Interface: InterfaceBase } = require('internal/readline/interface');
const { Readline } = require('internal/readline/actions');
const { kQuestion, kQuestionCancel, kQuestionReject, kShowCompletions } = require('internal/readline/symbols');
const { validateAbortSignal } = require('internal/validators');

class Interface extends InterfaceBase {
  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      const signal = options?.signal;
      let answered = resolve;
      if (signal) {
        validateAbortSignal(signal, 'options.signal');
        if (signal.aborted) {
          reject(new AbortError(undefined, { cause: signal.reason }));
          return;
        }
        const onAbort = () => {
          this[kQuestionCancel]();
          reject(new AbortError(undefined, { cause: signal.reason }));
        };
        const listener = EventEmitter.addAbortListener(signal, onAbort);
        answered = (answer) => {
          listener[Symbol.dispose]();
          resolve(answer);
        };
      }
      this[kQuestion](query, answered);
      this[kQuestionReject] = reject;
    });
  }
}

Object.defineProperty(Interface.prototype, '_tabComplete', {
  configurable: true,
  writable: true,
  value: async function _tabComplete(lastKeypressWasTab) {
    this.pause();
    let value;
    try {
      value = await this.completer(this.line.slice(0, this.cursor));
    } catch (error) {
      const { inspect } = require('internal/util/inspect');
      this._writeToOutput(`Tab completion error: ${inspect(error)}`);
      return;
    } finally {
      this.resume();
    }
    this[kShowCompletions](lastKeypressWasTab, value);
  },
});

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = { Interface, Readline, createInterface };
