setTimeout(() => console.log('timer'), 0);
let p = Promise.resolve();
let n = 0;
for (let i = 0; i < 1000; i++) p = p.then(() => n++);
p.then(() => console.log('chain of', n));
