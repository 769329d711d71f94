Error.prepareStackTrace = (_, sites) => sites;
class Foo { method() { return new Error('x').stack; } static make() { return new Error('y').stack; } }
const site = new Foo().method()[0];
console.log(site.getTypeName(), site.getMethodName(), site.getFunctionName(), site.isNative(), site.isToplevel(), site.isConstructor(), site.isEval(), site.isAsync());
console.log(require('path').basename(site.getFileName()), site.getLineNumber(), site.getColumnNumber());
console.log(String(Foo.make()[0]).replace(__filename, 'FILE'));
