// rondo-test: scratch
// How long each require() takes: the category node.module_timer, and NODE_DEBUG=module_timer.
const { spawnSync } = require('child_process');
const fs = require('fs');
fs.writeFileSync('a.js', 'require("./b.js"); try { require("nothing"); } catch {} require("fs");');
fs.writeFileSync('b.js', 'exports.b = 1;');
fs.writeFileSync('dynamic.js', `
  const tracing = require('trace_events').createTracing({ categories: ['node.module_timer'] });
  require('./b.js');
  tracing.enable();
  require('./a.js');
  tracing.disable();
  require('path');`);

const shown = (text) => text.replaceAll(process.cwd(), '<folder>');
function run(args, env) {
  const result = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  console.log(args.join(' '), result.status);
  console.log(shown(result.stderr).replace(/(MODULE_TIMER) \d+/g, '$1').replace(/[\d.]+m?s$/gm, '<time>'));
  if (!fs.existsSync('node_trace.1.log')) return;
  for (const { ph, cat, name, id } of JSON.parse(fs.readFileSync('node_trace.1.log', 'utf8')).traceEvents) {
    if (cat.includes('module_timer')) console.log(ph, cat, shown(name), id);
  }
  fs.unlinkSync('node_trace.1.log');
}

run(['--trace-event-categories', 'node.module_timer', 'a.js']);
run(['dynamic.js']);
run(['a.js'], { NODE_DEBUG: 'module_timer' });
run(['b.js'], { NODE_DEBUG: 'module_*' });
run(['-r', './b.js', 'b.js'], { NODE_DEBUG: 'module_timer' });
