const target = new EventTarget();
target.addEventListener('x', () => { throw new Error('in an EventTarget listener'); });
target.dispatchEvent(new Event('x'));
console.log('dispatch returned');
