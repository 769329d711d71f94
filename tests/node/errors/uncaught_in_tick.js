process.nextTick(function named() { throw new Error('in tick'); });
