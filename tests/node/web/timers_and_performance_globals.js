console.log(typeof performance.now(), performance.timeOrigin > 1.6e12, structuredClone.length, queueMicrotask.length, typeof globalThis.setTimeout, global === globalThis);
