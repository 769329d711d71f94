// rondo-test: option=--experimental-vm-modules option=--no-warnings
'use strict';
// A program links modules itself, without promises, and asks what they import and await.
const { SourceTextModule, SyntheticModule } = require('vm');

const foo = new SourceTextModule(`
  import bar from 'bar';
  import source from 'source' with { type: 'json' };
  export default bar + 1;`, { identifier: 'foo' });
console.log(foo.moduleRequests, foo.dependencySpecifiers);
console.log(Object.isFrozen(foo.moduleRequests), Object.isFrozen(foo.moduleRequests[1]),
  Object.isFrozen(foo.moduleRequests[1].attributes), foo.hasTopLevelAwait());

function attempt(what) {
  try {
    console.log(what());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

attempt(() => foo.instantiate());
attempt(() => foo.hasAsyncGraph());
attempt(() => foo.linkRequests(undefined));
attempt(() => foo.linkRequests([]));
attempt(() => foo.linkRequests([{}, {}]));
attempt(() => Reflect.apply(foo.instantiate, {}, []));

const bar = new SyntheticModule(['default'], () => bar.setExport('default', 41));
console.log(bar.status, bar.link(() => {}));
const json = new SyntheticModule(['default'], () => json.setExport('default', {}));
foo.linkRequests([bar, json]);
console.log(foo.status);
attempt(() => foo.linkRequests([bar, json]));
foo.instantiate();
console.log(foo.status, foo.hasAsyncGraph());
attempt(() => foo.instantiate());
const promise = foo.evaluate();
console.log(promise, foo.status, foo.namespace.default);
console.log(bar.evaluate(), foo, require('util').inspect(foo, { depth: -1 }));

const twice = new SourceTextModule("import a from 'a'; import source b from 'a';");
attempt(() => twice.linkRequests([bar, json]));
const unlinked = new SourceTextModule("import 'x'", { identifier: 'unlinked' });
const top = new SourceTextModule("import 'unlinked'; await 1;", { identifier: 'top' });
console.log(top.hasTopLevelAwait());
top.linkRequests([unlinked]);
attempt(() => top.instantiate());

const throws = new SyntheticModule([], () => { throw new Error('no'); });
throws.evaluate().catch((error) => console.log(error.message, throws.status));
new SourceTextModule('').evaluate().catch((error) => console.log(error.code, error.message));
