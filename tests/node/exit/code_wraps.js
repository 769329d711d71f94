process.exit(256 + 5);
