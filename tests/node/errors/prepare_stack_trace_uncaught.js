Error.prepareStackTrace = (error, sites) => `<<${error.message}>>`;
throw new Error('prepared');
