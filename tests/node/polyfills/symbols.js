console.log(typeof Symbol.dispose, typeof Symbol.asyncDispose, Symbol.dispose.description, Symbol.asyncDispose.toString());
console.log(Object.getOwnPropertyDescriptor(Symbol, 'dispose'));
