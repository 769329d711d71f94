const timer = setTimeout(() => ran.push('timer'), 1);
console.log(timer.hasRef(), timer.unref().hasRef(), timer.ref().hasRef());
const immediate = setImmediate(() => ran.push('immediate'));
console.log(immediate.hasRef(), immediate.unref().hasRef(), immediate.ref().hasRef());
const ran = [];
process.on('exit', () => console.log(ran.sort()));
// LIFE-6
