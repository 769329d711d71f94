// rondo-test: scratch
// run({ watch: true }) runs a file again when it, or a module of it, changes, and a new file at once.
const fs = require('fs');
const { run } = require('node:test');
const { setTimeout: wait } = require('timers/promises');

fs.writeFileSync('dep.js', 'module.exports = 1;');
for (const name of ['a', 'b']) {
  fs.writeFileSync(`${name}.test.js`, `require('node:test')('${name} ' + require('./dep'), () => {});`);
}
fs.writeFileSync('c.test.js', "require('node:test')('alone', () => {});");

async function follow(options, changes) {
  const controller = new AbortController();
  const events = [];
  const stream = run({ ...options, watch: true, cwd: process.cwd(), signal: controller.signal });
  let drained = Promise.withResolvers();
  stream.on('test:pass', ({ name }) => events.push(`pass ${name}`)).on('test:fail', ({ name }) => events.push(`fail ${name}`));
  stream.on('test:watch:restarted', () => events.push('restarted'));
  stream.on('test:summary', ({ counts, file }) => { if (file === undefined) events.push(`summary ${counts.tests}`); });
  stream.on('test:watch:drained', () => drained.resolve());
  for (const change of [...changes, undefined]) {
    await drained.promise;
    await wait(50);
    console.log(events.splice(0).sort());
    drained = Promise.withResolvers();
    await wait(100);
    change?.();
  }
  controller.abort();
  await new Promise((resolve) => stream.on('end', resolve).resume());
  console.log('end');
}

(async () => {
  await follow({ files: [fs.realpathSync('a.test.js'), fs.realpathSync('b.test.js')] }, [
    () => fs.writeFileSync('dep.js', 'module.exports = 2;'),
    () => fs.writeFileSync('b.test.js', "require('node:test')('other', () => { throw 1; });"),
  ]);
  await follow({ globPatterns: ['*.test.js'] }, [
    () => fs.writeFileSync('c.test.js', "require('node:test')('changed', () => {});"),
    () => fs.writeFileSync('d.test.js', "require('node:test')('new', () => {});"),
  ]);
})();
