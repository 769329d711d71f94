const m = await import('data:text/javascript,export default 6 * 7; export const url = import.meta.url;');
console.log(m.default, m.url);
await import('data:text/javascript,throw new Error("in data")').catch((e) => console.log(e.message));
await import('data:text/plain,x').catch((e) => console.log(e.code, e.message));
