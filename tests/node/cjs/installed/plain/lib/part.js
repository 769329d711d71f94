module.exports = 'plain/lib/part';
