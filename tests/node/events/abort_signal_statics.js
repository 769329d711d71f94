const a = AbortSignal.abort('why');
console.log(a.aborted, a.reason, a);
const one = new AbortController();
const any = AbortSignal.any([one.signal, new AbortController().signal]);
any.addEventListener('abort', () => console.log('any', any.reason));
one.abort('first');
console.log(AbortSignal.any([a]).reason);
AbortSignal.timeout(5).addEventListener('abort', function() { console.log(this.reason.name, this.reason.message, this.reason.code); });
setTimeout(() => {}, 100);
