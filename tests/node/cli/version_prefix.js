console.log(process.version.startsWith('v20.'), /^20\.\d+\.\d+$/.test(process.versions.node));
