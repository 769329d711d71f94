'use strict';
process.on('uncaughtException', (e) => console.log('uncaught', e.message));
const log = (...a) => console.log(...a);
const ev = (o) => new Event('x', o);
{
  const t = new EventTarget();
  const st = (e) => [e.eventPhase, e.currentTarget === t, e.composedPath().length, e.target === t];
  t.addEventListener('x', (e) => log('1', ...st(e)));
  t.addEventListener(
    'x',
    (e) => {
      log('2', ...st(e));
      try {
        t.dispatchEvent(e);
      } catch (er) {
        log(er.code);
      }
    },
    { once: true },
  );
  t.addEventListener('x', (e) => {
    log('3', ...st(e));
  });
  const e = ev();
  t.dispatchEvent(e);
  log(...st(e));
}
{
  const t = new EventTarget();
  t.addEventListener('x', (e) => {
    throw new Error('boo');
  });
  t.addEventListener('x', (e) => log('after throw', e.eventPhase));
  t.dispatchEvent(ev());
}
{
  const t = new EventTarget();
  t.addEventListener('x', {
    handleEvent(e) {
      throw new Error('obj');
    },
  });
  t.addEventListener('x', {
    handleEvent(e) {
      log('this', Object.keys(this), e.eventPhase);
    },
  });
  t.dispatchEvent(ev());
  Promise.resolve().then(() => log('micro'));
  process.nextTick(() => log('tick'));
}
for (const o of [undefined, { passive: true }, { passive: false }, true, { passive: 1 }]) {
  const t = new EventTarget();
  t.addEventListener(
    'x',
    (e) => {
      e.preventDefault();
      log(e.defaultPrevented, e.returnValue);
      e.returnValue = false;
      log(e.defaultPrevented);
      e.returnValue = true;
      log(e.returnValue);
    },
    o,
  );
  log(t.dispatchEvent(ev({ cancelable: true })), t.dispatchEvent(ev()));
}
{
  const { MessageChannel } = require('worker_threads');
  const p = new MessageChannel().port1;
  p.once('foo', () => {});
  log(p.eventNames(), p.listenerCount('foo'));
  p.emit('foo', 1);
  log(p.eventNames(), p.listenerCount('foo'));
  p.on('foo', (v) => log('got', v));
  p.emit('foo', 3);
  log(p.eventNames(), p.listenerCount('foo'));
  p.close();
}
{
  const s = new AbortController().signal;
  for (const v of [1, 'a', {}, () => {}, null, undefined, Symbol(), class {}]) {
    s.onabort = v;
    log(typeof s.onabort, s.onabort === v);
  }
  s.onabort = () => log('fired');
  s.dispatchEvent(new Event('abort'));
}
{
  const e = ev();
  log(
    Object.getOwnPropertySymbols(e).map(String),
    Object.getOwnPropertyNames(e),
    Object.getOwnPropertyDescriptor(e, 'isTrusted'),
  );
  log(Reflect.ownKeys(Event.prototype).map(String).join());
  log(Object.keys(Event.prototype).join());
}
{
  const t = new EventTarget();
  class E2 extends Event {
    stopPropagation() {
      log('sp');
      super.stopPropagation();
    }
  }
  t.addEventListener('x', (e) => {
    e.stopImmediatePropagation();
    log(e.cancelBubble);
  });
  t.addEventListener('x', () => log('no'));
  t.dispatchEvent(new E2('x'));
}
{
  const t = new EventTarget();
  try {
    t.addEventListener(Symbol(), () => {});
  } catch (e) {
    log(e.name, e.code, e.message);
  }
  try {
    t.removeEventListener(Symbol(), () => {});
  } catch (e) {
    log(e.name, e.code, e.message);
  }
  try {
    t.addEventListener('a', 'b');
  } catch (e) {
    log(e.name, e.code, e.message);
  }
  try {
    t.addEventListener('a', 5);
  } catch (e) {
    log(e.name, e.code, e.message);
  }
  t.addEventListener(
    {
      toString() {
        return 'obj';
      },
    },
    () => log('strtype'),
  );
  t.dispatchEvent(new Event('obj'));
  for (const o of [1, 'x', Symbol(), null, () => {}, []])
    try {
      t.addEventListener('q', () => {}, o);
      log('ok');
    } catch (e) {
      log(e.code, e.message);
    }
  for (const o of [1, 'x', Symbol(), null, () => {}, []])
    try {
      t.removeEventListener('q', () => {}, o);
      log('ok');
    } catch (e) {
      log(e.code, e.message);
    }
  for (const o of [1, 'x', Symbol(), null, () => {}, []])
    try {
      new Event('q', o);
      log('ok');
    } catch (e) {
      log(e.code, e.message);
    }
  for (const o of [1, 'x', Symbol(), null, () => {}, []])
    try {
      t.dispatchEvent(o);
      log('ok');
    } catch (e) {
      log(e.code, e.message);
    }
  try {
    Event.prototype.type;
  } catch (e) {
    log(e.code, e.message);
  }
  try {
    EventTarget.prototype.addEventListener.call({}, 'a', () => {});
  } catch (e) {
    log(e.code, e.message);
  }
  try {
    new Event();
  } catch (e) {
    log(e.message);
  }
  try {
    t.dispatchEvent();
  } catch (e) {
    log(e.message);
  }
  log(require('util').inspect(t, { showHidden: true, depth: 0 }), require('util').inspect(ev(), { depth: -1 }));
}
{
  const t = new EventTarget();
  for (let i = 0; i < 12; i++) t.addEventListener('many', () => {});
  process.on('warning', (w) => log(w.name, w.message, w.type, w.count, w.target === t));
  t.addEventListener('a', null);
  t.addEventListener('a', undefined);
}
{
  const { getEventListeners, getMaxListeners, setMaxListeners, on, once, listenerCount } = require('events');
  const t = new EventTarget();
  const f = () => {};
  t.addEventListener('a', f, true);
  t.addEventListener('a', f);
  t.addEventListener('a', f);
  log(getEventListeners(t, 'a').length, getMaxListeners(t), listenerCount(t, 'a'));
  t.removeEventListener('a', f, true);
  log(getEventListeners(t, 'a').length);
  t.removeEventListener('a', f);
  log(getEventListeners(t, 'a').length, listenerCount(t, 'a'));
  try {
    log(listenerCount({}, 'a'));
  } catch (e) {
    log(e.code, e.message);
  }
  try {
    getMaxListeners({});
  } catch (e) {
    log(e.code, e.message);
  }
  try {
    setMaxListeners(-1);
  } catch (e) {
    log(e.code, e.message);
  }
  try {
    setMaxListeners(3, {});
  } catch (e) {
    log(e.code, e.message);
  }
}
