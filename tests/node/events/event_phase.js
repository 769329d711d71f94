const target = new EventTarget();
const event = new Event('x');
target.addEventListener('x', (e) => console.log('inside', e.eventPhase, e.currentTarget === target, e.composedPath().length, e.returnValue, e.cancelBubble), { once: true });
console.log('before', event.eventPhase, event.currentTarget);
target.dispatchEvent(event);
console.log('after', event.eventPhase, event.currentTarget === null, event.target === target, event.composedPath().length);
target.dispatchEvent(event);
console.log(Event.NONE, Event.AT_TARGET, event.AT_TARGET);
