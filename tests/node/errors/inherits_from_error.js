function Old(message) { this.message = message; }
Object.setPrototypeOf(Old.prototype, Error.prototype);
throw new Old('made without Error');
