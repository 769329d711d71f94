module.exports = 'the first usable of an array';
