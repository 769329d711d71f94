try { process.exit(1); } finally { console.log('never'); }
