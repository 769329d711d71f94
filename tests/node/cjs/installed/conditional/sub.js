module.exports = 'sub for node';
