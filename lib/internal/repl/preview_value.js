'use strict';
// The value of what is being typed, as long as evaluating it has no effect: V8 stops at the first one.

const { inspect } = require('internal/util/inspect');

const native = binding('side_effect_free');

const kTimeLimit = 333; // ms
const kGroup = 'preview';
const kShortly = { colors: false, depth: 1, showHidden: false };

class PreviewEvaluator {
  #server;
  #context = undefined; // for which the session is
  #session;
  #contextId;

  constructor(server) {
    this.#server = server;
  }

  #ask(expression) {
    const { context, useGlobal } = this.#server;
    if (this.#session === undefined || this.#context !== context) {
      const opened = native.open(useGlobal ? undefined : context);
      if (opened === undefined) return undefined;
      this.#session = opened[0];
      this.#contextId = opened[1];
      this.#context = context;
    }
    const message = JSON.stringify({
      id: 1,
      method: 'Runtime.evaluate',
      params: {
        expression, throwOnSideEffect: true, timeout: kTimeLimit, contextId: this.#contextId, objectGroup: kGroup,
      },
    });
    return JSON.parse(native.send(this.#session, message)).result;
  }

  // A text, number or the like; undefined for all else.
  primitive(expression) {
    const answer = this.#ask(expression);
    if (answer === undefined) return undefined;
    if (answer.result.objectId !== undefined) native.release(this.#session, kGroup);
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
      const value = native.unwrap(this.#session, result.objectId);
      return inspect(value, {
        ...this.#server.writer.options, colors: false, depth: 1, compact: true, breakLength: Infinity,
      });
    } catch {
      return null;
    } finally {
      native.release(this.#session, kGroup);
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
