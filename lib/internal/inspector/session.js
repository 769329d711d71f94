'use strict';
// A session with V8's inspector of this thread: requests out, answers and notifications in, all of them JSON.

const EventEmitter = require('events');
const {
  ERR_INSPECTOR_ALREADY_CONNECTED, ERR_INSPECTOR_CLOSED, ERR_INSPECTOR_COMMAND,
  ERR_INSPECTOR_NOT_CONNECTED, ERR_INSPECTOR_NOT_WORKER,
} = require('internal/errors').codes;
const permission = require('internal/process/permission');
const { prepare } = require('internal/inspector/server');
const { validateFunction, validateObject, validateString } = require('internal/validators');
const { Connection, MainThreadConnection } = binding('inspector');

class Session extends EventEmitter {
  #connection = null;
  #nextId = 1;
  #callbacks = new Map();

  connect() {
    if (this.#connection !== null) throw new ERR_INSPECTOR_ALREADY_CONNECTED('The inspector session');
    permission.check('inspector', 'Connect');
    prepare();
    this.#connection = new Connection((message) => this.#receive(message), true);
  }

  // The answers of another thread come in the middle of JavaScript: they are taken as microtasks.
  connectToMainThread() {
    if (require('worker_threads').isMainThread) throw new ERR_INSPECTOR_NOT_WORKER();
    if (this.#connection !== null) throw new ERR_INSPECTOR_ALREADY_CONNECTED('The inspector session');
    permission.check('inspector', 'ConnectToMainThread');
    this.#connection = new MainThreadConnection((message) => queueMicrotask(() => this.#receive(message)));
  }

  // Called by C++ with frames of V8 below: what listeners and callbacks throw becomes a warning.
  #receive(message) {
    try {
      const parsed = JSON.parse(message);
      if (parsed.id === undefined) {
        this.emit(parsed.method, parsed);
        this.emit('inspectorNotification', parsed);
        return;
      }
      const callback = this.#callbacks.get(parsed.id);
      this.#callbacks.delete(parsed.id);
      if (callback === undefined) return;
      const { error, result } = parsed;
      if (error === undefined) callback(null, result);
      else callback(new ERR_INSPECTOR_COMMAND(error.code, error.message));
    } catch (error) {
      process.emitWarning(error);
    }
  }

  post(method, params, callback) {
    validateString(method, 'method');
    if (callback === undefined && typeof params === 'function') {
      callback = params;
      params = null;
    }
    if (params) validateObject(params, 'params');
    if (callback !== undefined && callback !== null) validateFunction(callback, 'callback');
    if (this.#connection === null) throw new ERR_INSPECTOR_NOT_CONNECTED();
    const id = this.#nextId++;
    const message = { id, method };
    if (params) message.params = params;
    if (callback) this.#callbacks.set(id, callback);
    this.#connection.dispatch(JSON.stringify(message));
  }

  disconnect() {
    if (this.#connection === null) return;
    this.#connection.disconnect();
    this.#connection = null;
    for (const callback of this.#callbacks.values()) process.nextTick(callback, new ERR_INSPECTOR_CLOSED());
    this.#callbacks.clear();
    this.#nextId = 1;
  }
}

module.exports = { Session };
