module.exports = 'deep/y';
