// nodemailer to a small SMTP server, pino and winston to files and through a worker, piscina.
import assert from 'node:assert';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import pino from 'pino';
import { Piscina } from 'piscina';
import winston from 'winston';

const smtp = net.createServer((socket) => {
  const say = (line) => socket.write(`${line}\r\n`);
  let buffered = '';
  let message;
  say('220 test');
  socket.on('data', (chunk) => {
    buffered += chunk;
    for (let end; (end = buffered.indexOf('\r\n')) >= 0;) {
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      if (message !== undefined && line !== '.') {
        message.push(line);
        continue;
      }
      if (line === '.') {
        console.log(message.filter((each) => /^(From|To|Subject|Content-Type: text)/.test(each)), message.at(-1));
        message = undefined;
        say('250 queued');
      } else if (/^EHLO/.test(line)) {
        say('250-test');
        say('250 SIZE 100000');
      } else if (line === 'DATA') {
        message = [];
        say('354 go on');
      } else if (line === 'QUIT') {
        say('221 bye');
        socket.end();
      } else {
        say(/refused/.test(line) ? '550 no such user' : '250 ok');
      }
    }
  });
});
smtp.listen(0, '127.0.0.1');
await once(smtp, 'listening');
const mailer = nodemailer.createTransport({ host: '127.0.0.1', port: smtp.address().port, ignoreTLS: true });
const mail = { from: 'a@example.com', to: 'b@example.com', subject: 'Gr\u00fc\u00dfe', text: 'the text' };
console.log((await mailer.sendMail(mail)).accepted);
await mailer.sendMail({ ...mail, to: 'refused@example.com' }).catch((error) => console.log(error.code, error.responseCode));
smtp.close();

const lines = (file) => readFileSync(file, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));
const log = pino({ base: { service: 'test' }, timestamp: false, redact: ['password'] }, pino.destination({ dest: 'pino.log', sync: true }));
log.child({ request: 1 }).info({ password: 'p', error: new RangeError('too far').message }, 'hello %s', 'world');
log.debug('not shown');
console.log(lines('pino.log'));
const transport = pino.transport({ target: 'pino/file', options: { destination: 'worker.log' } });
const logger = pino({ base: null, timestamp: false }, transport);
for (let i = 0; i < 3; i++) logger.warn({ i }, 'through a worker');
transport.end();
// The worker does not keep the program alive.
while (!existsSync('worker.log') || lines('worker.log').length < 3) await setTimeout(10);
console.log(lines('worker.log'));

const winstonLogger = winston.createLogger({
  level: 'verbose',
  format: winston.format.combine(winston.format.errors({ stack: false }), winston.format.json()),
  transports: [new winston.transports.File({ filename: 'winston.log' })],
});
winstonLogger.info('one', { a: 1 });
winstonLogger.log('verbose', 'two');
winstonLogger.debug('not shown');
winstonLogger.end();
await once(winstonLogger.transports[0], 'finish');
await setTimeout(100);
console.log(lines('winston.log'));

const task = join(process.cwd(), 'task.cjs');
writeFileSync(task, 'module.exports = ({ a, b }) => { if (a < 0) throw new Error("negative"); return a + b; };\n');
const pool = new Piscina({ filename: task, minThreads: 1, maxThreads: 2 });
console.log(await Promise.all([1, 2, 3, 4].map((a) => pool.run({ a, b: 10 }))));
await assert.rejects(pool.run({ a: -1, b: 0 }), /negative/);
await pool.destroy();
console.log('done');
process.exit();
