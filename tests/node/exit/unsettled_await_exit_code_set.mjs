process.exitCode = 5;
await new Promise(() => {});
