const e = new Event('name', { bubbles: true, cancelable: true, composed: true });
console.log(e.type, e.bubbles, e.cancelable, e.composed, e.defaultPrevented, e.isTrusted, e.target, typeof e.timeStamp, e.composedPath());
const c = new CustomEvent('custom', { detail: { a: 1 } });
console.log(c.detail, c instanceof Event, Object.prototype.toString.call(c));
for (const f of [() => new Event(), () => new EventTarget().dispatchEvent({}), () => Event('x')]) {
  try {
    f();
  } catch (error) {
    console.log(error.name, error.code, error.message.split('\n')[0]);
  }
}
