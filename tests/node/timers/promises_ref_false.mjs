import { setTimeout } from 'timers/promises';
setTimeout(100000, null, { ref: false }).then(() => console.log('never'));
console.log('ends at once');
