console.log('log %s %d', 'a', 1, 'extra');
console.info('info');
console.debug('debug');
console.error('error %j', { a: 1 });
console.warn('warn');
console.log();
console.log('%%', '%s');
console.log({ a: 1 }, [1], null, undefined, 'text');
