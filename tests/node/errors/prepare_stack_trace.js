Error.prepareStackTrace = (error, sites) => `${error.message}: ${sites[0].getFunctionName()} ${sites[0].getLineNumber()}:${sites[0].getColumnNumber()}`;
function f() { return new Error('prepared'); }
console.log(f().stack);
