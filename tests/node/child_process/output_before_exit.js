'use strict';
// What a child has written before its end arrives before 'exit', however quick it is and however busy the parent.
const { spawn } = require('node:child_process');

let late = 0;
function run(left) {
  if (left === 0) {
    console.log('late:', late);
    return;
  }
  const child = spawn('/bin/sh', ['-c', 'echo out; echo err >&2; exit 3']);
  let text = '';
  child.stdout.on('data', (chunk) => { text += chunk; });
  child.stderr.on('data', (chunk) => { text += chunk; });
  child.on('exit', () => { if (text.length !== 8) late++; });
  child.on('close', () => run(left - 1));
  // Both the output and the end are there when the loop looks.
  if (left % 4 === 0) for (const end = Date.now() + 20; Date.now() < end;);
}
run(40);
