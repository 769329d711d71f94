console.log(process.allowedNodeEnvironmentFlags.has('--no-warnings'), process.allowedNodeEnvironmentFlags instanceof Set, process.execPath.length > 0, process.exitCode);
