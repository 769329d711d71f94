setTimeout(function named() { throw new Error('in timer'); }, 1);
