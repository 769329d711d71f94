const e = new DOMException('message', 'NotFoundError');
console.log(e.name, e.code, e.message, e instanceof Error, DOMException.ABORT_ERR, String(e), Object.prototype.toString.call(e));
console.log(new DOMException().name, new DOMException('x', { name: 'Custom', cause: 'c' }).cause);
