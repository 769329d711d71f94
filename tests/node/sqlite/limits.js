// Limits of a connection.
const { DatabaseSync } = require('node:sqlite');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const db = new DatabaseSync(':memory:', { limits: { sqlLength: 100, column: 10 } });
console.log(Object.keys(db.limits), db.limits === db.limits, Object.getOwnPropertyDescriptor(db.limits, 'column'));
console.log(db.limits.sqlLength, db.limits.column, db.limits.attach, db.limits.variableNumber, db.limits.none, 'attach' in db.limits);
try { db.prepare(`select '${'x'.repeat(200)}'`); } catch (error) { console.log(error.code, error.errcode); }
attempt('columns', () => db.prepare('select 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11').get());
db.limits.column = 11;
attempt('columns', () => db.prepare('select 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11', { returnArrays: true }).get());
db.limits.attach = Infinity;
console.log(db.limits.attach);
for (const value of [-1, 1.5, 'x', NaN, null]) attempt(String(value), () => { db.limits.attach = value; });
db.limits.other = 1;
console.log(db.limits.other, delete db.limits.attach, db.limits.attach);
db.close();
attempt('closed', () => db.limits.attach);
attempt('closed', () => { db.limits.attach = 1; });
