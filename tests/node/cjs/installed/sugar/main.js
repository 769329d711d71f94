module.exports = 'exports beats main';
