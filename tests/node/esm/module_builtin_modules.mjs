import { builtinModules, isBuiltin } from 'module';
console.log(['fs', 'events', 'timers/promises', 'util/types', 'assert/strict'].map((m) => builtinModules.includes(m)), builtinModules.includes('node:fs'), isBuiltin('node:test'));
