const { addAbortListener } = require('events');
const ac = new AbortController();
const disposable = addAbortListener(ac.signal, () => console.log('aborted'));
const other = addAbortListener(ac.signal, () => console.log('never'));
other[Symbol.dispose]();
ac.abort();
console.log(typeof disposable[Symbol.dispose]);
