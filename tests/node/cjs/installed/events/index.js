module.exports = 'the package events';
