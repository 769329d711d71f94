import def, { renamed, ns, Klass, star, default as again } from './fixtures/export_forms.mjs';
console.log(def.name, renamed, Object.keys(ns), Klass.name, star, again === def);
