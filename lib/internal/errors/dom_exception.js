'use strict';
// DOMException, as in Web IDL. The module is the class itself.

// Legacy codes in order, the first being 1: [constant, name of the error, if one has this code].
const kCodes = [
  ['INDEX_SIZE_ERR', 'IndexSizeError'],
  ['DOMSTRING_SIZE_ERR'],
  ['HIERARCHY_REQUEST_ERR', 'HierarchyRequestError'],
  ['WRONG_DOCUMENT_ERR', 'WrongDocumentError'],
  ['INVALID_CHARACTER_ERR', 'InvalidCharacterError'],
  ['NO_DATA_ALLOWED_ERR'],
  ['NO_MODIFICATION_ALLOWED_ERR', 'NoModificationAllowedError'],
  ['NOT_FOUND_ERR', 'NotFoundError'],
  ['NOT_SUPPORTED_ERR', 'NotSupportedError'],
  ['INUSE_ATTRIBUTE_ERR', 'InUseAttributeError'],
  ['INVALID_STATE_ERR', 'InvalidStateError'],
  ['SYNTAX_ERR', 'SyntaxError'],
  ['INVALID_MODIFICATION_ERR', 'InvalidModificationError'],
  ['NAMESPACE_ERR', 'NamespaceError'],
  ['INVALID_ACCESS_ERR', 'InvalidAccessError'],
  ['VALIDATION_ERR'],
  ['TYPE_MISMATCH_ERR', 'TypeMismatchError'],
  ['SECURITY_ERR', 'SecurityError'],
  ['NETWORK_ERR', 'NetworkError'],
  ['ABORT_ERR', 'AbortError'],
  ['URL_MISMATCH_ERR', 'URLMismatchError'],
  ['QUOTA_EXCEEDED_ERR', 'QuotaExceededError'],
  ['TIMEOUT_ERR', 'TimeoutError'],
  ['INVALID_NODE_TYPE_ERR', 'InvalidNodeTypeError'],
  ['DATA_CLONE_ERR', 'DataCloneError'],
];

const { kClone, kDeserialize, markCloneable } = require('internal/messaging/transferable');
const { SafeWeakMap } = require('internal/util/safe');

const codeByName = new Map();

function fieldsOf(exception) {
  const own = fields.get(exception);
  if (own !== undefined) return own;
  const error = new TypeError('Value of "this" must be of DOMException');
  error.code = 'ERR_INVALID_THIS';
  throw error;
}

// By Web IDL the class inherits from Function.prototype and its instances from Error.prototype, which
// `extends Error` cannot express. So the constructor returns an error that it was not given by super().
const fields = new SafeWeakMap(); // exception -> { name, message }

class DOMException {
  constructor(message = '', options = 'Error') {
    const self = new Error();
    Object.setPrototypeOf(self, new.target.prototype);
    const own = { message: `${message}`, name: undefined };
    fields.set(self, own);
    markCloneable(self);
    if (options !== null && typeof options === 'object') {
      own.name = `${options.name}`;
      if ('cause' in options) {
        Object.defineProperty(self, 'cause', {
          __proto__: null,
          value: options.cause,
          enumerable: false,
          writable: true,
          configurable: true,
        });
      }
    } else {
      own.name = `${options}`;
    }
    return self;
  }

  [kClone]() {
    return { data: { ...fields.get(this), stack: this.stack }, deserializeInfo: 'internal/errors/dom_exception' };
  }

  [kDeserialize]({ name, message, stack }) {
    fields.set(this, { name, message });
    this.stack = stack;
  }

  get name() {
    return fieldsOf(this).name;
  }

  get message() {
    return fieldsOf(this).message;
  }

  get code() {
    return codeByName.get(fieldsOf(this).name) ?? 0;
  }
}

Object.setPrototypeOf(DOMException.prototype, Error.prototype);

Object.defineProperties(DOMException.prototype, {
  [Symbol.toStringTag]: { __proto__: null, value: 'DOMException', configurable: true },
  name: { __proto__: null, enumerable: true },
  message: { __proto__: null, enumerable: true },
  code: { __proto__: null, enumerable: true },
});

kCodes.forEach(([constant, name], index) => {
  const value = index + 1;
  const descriptor = { __proto__: null, value, enumerable: true };
  Object.defineProperty(DOMException, constant, descriptor);
  Object.defineProperty(DOMException.prototype, constant, descriptor);
  if (name !== undefined) codeByName.set(name, value);
});

module.exports = DOMException;
