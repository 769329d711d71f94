// clearInterval clears a timeout, and the other way round.
clearInterval(setTimeout(() => console.log('never'), 1));
clearTimeout(setInterval(() => console.log('never'), 1));
const immediate = setImmediate(() => console.log('immediate is another kind'));
clearTimeout(immediate);
