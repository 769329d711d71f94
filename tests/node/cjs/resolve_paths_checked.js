// The option `paths` of require.resolve() holds texts.
for (const v of [[1],['a',null],[undefined]]) for (const r of ['.', 'x', '/x', 'fs']) try { console.log(require.resolve(r, {paths: v})) } catch (e) { console.log(r, e.code, e.message.split('\n')[0]) }
