// Ctrl+C and Ctrl+D while a question of node:readline/promises waits.
const readline = require('readline/promises');
const { PassThrough } = require('stream');

function start(name, prepare = () => {}, terminal = true) {
  const input = new PassThrough();
  const rl = readline.createInterface({ input, output: new PassThrough(), terminal });
  prepare(rl, input);
  rl.on('close', () => console.log(name, 'close'));
  rl.question('?').then((answer) => console.log(name, 'answer', answer),
    (error) => console.log(name, error.name, error.code, error.message));
  return { rl, input };
}
const control = (input, name) => input.emit('keypress', '.', { ctrl: true, name });
control(start('c').input, 'c');
control(start('d').input, 'd');
const listened = start('c with a listener', (rl) => rl.on('SIGINT', () => console.log('SIGINT')));
control(listened.input, 'c');
listened.rl.write('yes\n');
control(listened.input, 'd');
const begun = start('d in a line');
begun.rl.write('ab');
control(begun.input, 'd');
control(begun.input, 'c');
start('end').input.end();
