// body-parser, multer, helmet, compression, passport and graphql-http in express.
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import http from 'node:http';
import bodyParser from 'body-parser';
import compression from 'compression';
import express from 'express';
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/express';
import helmet from 'helmet';
import multer from 'multer';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';

passport.use(new BasicStrategy((user, password, done) => done(null, password === 'secret' ? { user } : false)));
const query = new GraphQLObjectType({
  name: 'Query',
  fields: {
    sum: {
      type: GraphQLInt,
      args: { a: { type: GraphQLInt }, b: { type: GraphQLInt } },
      resolve: async (root, { a, b }) => a + b,
    },
    fails: {
      type: GraphQLString,
      resolve() {
        throw new Error('on purpose');
      },
    },
  },
});

const app = express();
app.use(helmet());
app.use(compression({ threshold: 100 }));
app.get('/long', (request, response) => response.type('text').send('abc'.repeat(5000)));
app.post('/form', bodyParser.urlencoded({ extended: true }), (request, response) => response.json(request.body));
app.post('/raw', bodyParser.raw({ type: '*/*', limit: '1mb' }), (request, response) =>
  response.send(createHash('sha256').update(request.body).digest('hex')));
app.post('/upload', multer({ storage: multer.memoryStorage(), limits: { fileSize: 300_000 } }).array('files'), (request, response) =>
  response.json({ body: request.body, files: request.files.map(({ originalname, mimetype, size }) => [originalname, mimetype, size]) }));
app.get('/private', passport.authenticate('basic', { session: false }), (request, response) => response.json(request.user));
app.all('/graphql', createHandler({ schema: new GraphQLSchema({ query }) }));
app.use((error, request, response, next) => response.status(400).send(error.code ?? error.message));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();
const base = `http://127.0.0.1:${port}`;

const first = await fetch(`${base}/long`);
console.log([...first.headers.keys()].sort().join(), (await first.text()).length);
for (const coding of ['gzip', 'br', 'deflate', 'identity']) {
  await new Promise((resolve) => http.get({ port, host: '127.0.0.1', path: '/long', headers: { 'Accept-Encoding': coding } }, (response) => {
    let length = 0;
    response.on('data', (chunk) => {
      length += chunk.length;
    });
    response.on('end', () => {
      console.log(coding, response.headers['content-encoding'], length < 1000);
      resolve();
    });
  }));
}
const post = async (path, options) => {
  const response = await fetch(base + path, { method: 'POST', ...options });
  console.log(path, response.status, await response.text());
};
await post('/form', { body: new URLSearchParams('a=1&b[]=2&b[]=3&c[d]=%E2%82%AC') });
const raw = { 'content-type': 'application/octet-stream' };
await post('/raw', { headers: raw, body: Buffer.alloc(500_000, 'x') });
await post('/raw', { headers: raw, body: Buffer.alloc(2_000_000, 'x') });
const form = new FormData();
form.append('name', 'value');
form.append('files', new File(['x'.repeat(200_000)], 'a.txt', { type: 'text/plain' }));
form.append('files', new Blob([new Uint8Array(10)]), 'b.bin');
await post('/upload', { body: form });
form.append('files', new Blob([new Uint8Array(400_000)]), 'c.bin');
await post('/upload', { body: form });
for (const credentials of ['ada:secret', 'ada:wrong']) {
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const response = await fetch(`${base}/private`, { headers });
  console.log(response.status, response.headers.get('www-authenticate'), await response.text());
}
for (const text of ['{ sum(a: 20, b: 22) }', '{ fails }', '{ nothing }']) {
  await post('/graphql', {
    headers: { 'content-type': 'application/json', 'accept': 'application/json' }, body: JSON.stringify({ query: text }),
  });
}
process.exit();
