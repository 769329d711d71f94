module.exports = '@scope/pkg';
