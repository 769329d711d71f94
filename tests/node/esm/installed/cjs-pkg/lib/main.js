exports.where = 'cjs-pkg/lib/main';
