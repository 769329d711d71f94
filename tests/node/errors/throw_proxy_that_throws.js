// An object that throws whatever it is asked is shown by its place alone.
'use strict';
throw new Proxy({}, { get() { throw new Error('asked'); } });
