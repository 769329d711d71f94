'use strict';
// node:inspector/promises: the same, with a post() that returns a promise.

const inspector = require('inspector');
const { promisify } = require('internal/util');

const post = promisify(inspector.Session.prototype.post);

class Session extends inspector.Session {
  post(method, params) {
    return Reflect.apply(post, this, [method, params]);
  }
}

module.exports = { ...inspector, Session };
