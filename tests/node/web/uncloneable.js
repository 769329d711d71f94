// What structuredClone() refuses, also where the class is a subclass, and what only looks like it.
const refused = { url: new URL('http://example.org'), params: new URLSearchParams('a=b'), pattern: new URLPattern('http://x/*'),
  derived: new (class extends URL {})('http://example.org'), inside: { deep: [new URL('http://x')] } };
for (const [name, value] of Object.entries(refused)) {
  try {
    console.log(name, structuredClone(value));
  } catch (error) {
    console.log(name, error.name, error.code, error.message, error instanceof DOMException);
  }
}
console.log(structuredClone(Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } })));
console.log(structuredClone(Object.create(null)), structuredClone({ __proto__: Object.create(null), a: 1 }));
console.log(structuredClone(Object.create(new Map())), structuredClone([1, { a: [2] }]));
try { structuredClone(new Proxy({}, {})); } catch (error) { console.log(error.name, error.message); }
console.log(structuredClone(Object.create(new Proxy({}, { getPrototypeOf() { throw new Error('asked'); } }), { a: { value: 1, enumerable: true } })));
