const handler = () => console.log('never');
process.on('uncaughtException', handler);
process.off('uncaughtException', handler);
throw new Error('x');
