// What the module, its classes and its objects look like.
const sqlite = require('node:sqlite');
console.log(sqlite, require('node:module').isBuiltin('sqlite'), require('node:module').isBuiltin('node:sqlite'));
const db = new sqlite.DatabaseSync(':memory:');
const statement = db.prepare('select 1');
const objects = [db, statement, db.createSession(), db.createTagStore(), statement.iterate()];
for (const object of objects) {
  console.log(Object.getOwnPropertyDescriptors(object));
  const prototype = Object.getPrototypeOf(object);
  console.log(prototype.constructor.name, prototype.constructor.length, Reflect.ownKeys(prototype));
  for (const key of Reflect.ownKeys(prototype)) {
    const { value, ...flags } = Object.getOwnPropertyDescriptor(prototype, key);
    console.log(key, typeof value, value.name, value.length, flags);
  }
  console.log(Object.prototype.toString.call(object));
}
console.log(Object.getOwnPropertyDescriptor(sqlite.constants, 'SQLITE_DENY'));
try { structuredClone(db); } catch (error) { console.log(error.name, error.message); }
class Derived extends sqlite.DatabaseSync {}
console.log(new Derived(':memory:') instanceof sqlite.DatabaseSync, new Derived(':memory:').constructor.name);
try { require('sqlite'); } catch (error) { console.log(error.code); }
