module.exports = 'special';
