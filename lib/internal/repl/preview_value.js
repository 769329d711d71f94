'use strict';
// The value of what is being typed, as long as evaluating it has no effect: V8 stops at the first one.

const { inspect } = require('internal/util/inspect');

const { Connection, idOf } = binding('inspector');

const kTimeLimit = 333; // ms
const kGroup = 'preview';
const kShortly = { colors: false, depth: 1, showHidden: false };

class PreviewEvaluator {
  #server;
  #context = undefined; // for which the session is
  #connection;
  #contextId;
  #answer; // to the last request, which comes before dispatch() returns

  constructor(server) {
    this.#server = server;
  }

  #ask(expression) {
    const { context, useGlobal } = this.#server;
    this.#connection ??= new Connection((message) => { this.#answer = message; });
    if (this.#context !== context) {
      const id = idOf(useGlobal ? undefined : context);
      if (id === undefined) return undefined;
      this.#contextId = id;
      this.#context = context;
    }
    const message = JSON.stringify({
      id: 1,
      method: 'Runtime.evaluate',
      params: {
        expression, throwOnSideEffect: true, timeout: kTimeLimit, contextId: this.#contextId, objectGroup: kGroup,
      },
    });
    this.#connection.dispatch(message);
    return JSON.parse(this.#answer).result;
  }

  // A text, number or the like; undefined for all else.
  primitive(expression) {
    const answer = this.#ask(expression);
    if (answer === undefined) return undefined;
    if (answer.result.objectId !== undefined) this.#connection.releaseGroup(kGroup);
    return answer.exceptionDetails === undefined ? answer.result.value : undefined;
  }

  // A text to show, or null. Of errors only those that say something of the program: `isName(error's class)`.
  describe(expression, isWanted) {
    const answer = this.#ask(expression);
    if (answer === undefined) return null;
    const { exceptionDetails, result } = answer;
    if (result.value !== undefined) return inspect(result.value, kShortly);
    if (exceptionDetails !== undefined && !isWanted(result.className)) return null;
    if (result.objectId === undefined) return result.unserializableValue || result.type;
    try {
      const value = this.#connection.object(result.objectId);
      return inspect(value, {
        ...this.#server.writer.options, colors: false, depth: 1, compact: true, breakLength: Infinity,
      });
    } catch {
      return null;
    } finally {
      this.#connection.releaseGroup(kGroup);
    }
  }
}

const evaluators = new WeakMap();

function evaluatorOf(server) {
  let evaluator = evaluators.get(server);
  if (evaluator === undefined) {
    evaluator = new PreviewEvaluator(server);
    evaluators.set(server, evaluator);
  }
  return evaluator;
}

module.exports = { evaluatorOf };
