// rondo-test: option=--permission option=--allow-fs-read=* option=--allow-fs-write=./allowed option=--no-warnings scratch
'use strict';
// fs.cp() below --permission: what is denied is what was asked for, before anything happens.
const fs = require('node:fs');
const path = require('node:path');
const target = path.join(process.cwd(), 'denied', 'a');
const show = (label, error) => console.log(label, error?.code, error?.permission, path.relative(process.cwd(), error?.resource ?? ''));
try {
  fs.cpSync(__filename, target);
} catch (error) {
  show('cpSync', error);
}
fs.cp(__filename, target, (error) => {
  show('cp', error);
  fs.promises.cp(__filename, target).catch((failure) => show('promises.cp', failure));
});
