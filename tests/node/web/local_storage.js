// rondo-test: scratch
// localStorage is kept in a file, which several programs may use; what is wrong with the file is said when it is used.
const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');

function run(file, code) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [`--localstorage-file=${file}`, '-e', code], { encoding: 'utf8' });
  console.log(status, stdout, stderr.split('\n').filter((line) => /^\w*Error/.test(line)).join('\n'));
}

run('a.db', 'localStorage');
console.log(fs.readdirSync('.'));
run('a.db', `
  localStorage.foo = 'bar';
  localStorage.setItem('b\\u0000\\ud800', 7);
  localStorage['z'] = null;
  const { get, ...rest } = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  console.log(localStorage, localStorage.length, rest, Object.keys(globalThis).includes('localStorage'));
`);
run('a.db', `
  console.log(JSON.stringify(localStorage.key(0)), Object.keys(localStorage), localStorage.foo, localStorage.getItem('none'), 'z' in localStorage);
  delete localStorage.z;
  localStorage.foo = 'other';
  console.log(localStorage instanceof Storage, localStorage === globalThis.localStorage, sessionStorage.length);
  for (const [key, value] of [['a'.repeat(5242880), 'b'], ['foo', 'a'.repeat(5242881)]]) {
    try {
      localStorage.setItem(key, value);
    } catch (error) {
      console.log(error.name, error.message, error.code, error instanceof DOMException);
    }
  }
  console.log(Object.entries(localStorage));
  localStorage.setItem('a'.repeat(5242880 - 20), '');
  localStorage.clear();
  localStorage.setItem('a'.repeat(5242880), '');
  console.log(localStorage.length);
  localStorage.clear();
  localStorage.again = 1;
`);
run('a.db', 'console.log(localStorage); localStorage = 3; console.log(localStorage)');
console.log(execFileSync(process.execPath, ['-e', `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync('a.db');
  console.log(database.prepare('SELECT * FROM nodejs_webstorage_state').all(), database.prepare('SELECT * FROM nodejs_webstorage').all());
  console.log(database.prepare('SELECT name, type FROM sqlite_schema ORDER BY name').all().map(({ name, type }) => name + ' ' + type).filter((name) => !name.includes('stat1')));
  database.exec('UPDATE nodejs_webstorage_state SET schema_version = 99');
`], { encoding: 'utf8' }));
run('a.db', 'localStorage.x');
fs.mkdirSync('folder');
fs.writeFileSync('garbage.db', 'this is no database, but a text that is long enough\n'.repeat(99));
for (const file of ['folder', 'garbage.db', 'none/a.db']) {
  run(file, `
    for (const use of [(s) => s.a, (s) => s.setItem('a', 'b'), (s) => { s.a = 1; }, (s) => 'a' in s, Object.keys,
      (s) => s.length, (s) => s.clear(), (s) => delete s.a, (s) => s.key(0)]) {
      try {
        console.log(use(localStorage));
      } catch (error) {
        console.log(error.name, error.code, error.message);
      }
    }
  `);
}
run('a.db --no-webstorage', '');
for (const name of ['Storage', 'localStorage', 'sessionStorage']) {
  const { status, stderr } = spawnSync(process.execPath, ['--no-webstorage', '--localstorage-file=b.db', '-e', name], { encoding: 'utf8' });
  console.log(status, stderr.split('\n').find((line) => line.includes('Error:')));
}
