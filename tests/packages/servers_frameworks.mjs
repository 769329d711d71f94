// express, koa, fastify and hono: the same small service by each, asked by fetch() and by node:http.
import { once } from 'node:events';
import http from 'node:http';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';

// Each listens on a free port and resolves to [address, close].
const services = {
  async express() {
    const app = express();
    app.disable('x-powered-by');
    app.use(express.json({ limit: '1kb' }));
    app.get('/hello/:name', (request, response) => response.json({ hello: request.params.name, query: request.query }));
    app.post('/echo', (request, response) => response.status(201).send(request.body));
    app.get('/fails', () => {
      throw new Error('on purpose');
    });
    app.use((error, request, response, next) => response.status(error.status ?? 500).send(error.type ?? error.message));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return [server.address(), () => server.close()];
  },
  async koa() {
    const app = new Koa();
    app.silent = true;
    app.use(async (context, next) => {
      await next();
      context.set('X-Length', String(context.length));
    });
    app.use(async (context) => {
      if (context.path === '/fails') context.throw(500, 'on purpose');
      if (context.path.startsWith('/hello/')) {
        context.body = { hello: context.path.slice(7), query: { ...context.query } };
      } else if (context.path === '/echo') {
        const chunks = await context.req.toArray();
        context.status = 201;
        context.body = JSON.parse(Buffer.concat(chunks));
      }
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return [server.address(), () => server.close()];
  },
  async fastify() {
    const app = fastify({ bodyLimit: 1024 });
    const schema = { response: { 200: { type: 'object', properties: { hello: { type: 'string' }, query: {} } } } };
    app.get('/hello/:name', { schema }, async (request) => ({ hello: request.params.name, query: request.query }));
    app.post('/echo', async (request, reply) => reply.code(201).send(request.body));
    app.get('/fails', async () => {
      throw new Error('on purpose');
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return [app.server.address(), () => app.close()];
  },
  async hono() {
    const app = new Hono();
    app.get('/hello/:name', (context) => context.json({ hello: context.req.param('name'), query: context.req.query() }));
    app.post('/echo', async (context) => context.json(await context.req.json(), 201));
    app.get('/fails', () => {
      throw new Error('on purpose');
    });
    app.onError((error, context) => context.text(error.message, 500));
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await once(server, 'listening');
    return [server.address(), () => server.close()];
  },
};

async function show(what, response) {
  console.log(what, response.status, response.headers.get('content-type'), JSON.stringify(await response.text()));
}

function viaHttp(port, path) {
  return new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      const headers = Object.keys(response.headers).sort();
      response.resume();
      response.on('end', () => resolve([response.statusCode, headers.join()]));
    }).on('error', reject);
  });
}

for (const [name, begin] of Object.entries(services)) {
  const [{ port }, close] = await begin();
  const base = `http://127.0.0.1:${port}`;
  const json = (body) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await show(`${name} get`, await fetch(`${base}/hello/w%C3%B6rld?a=1&b=2`));
  await show(`${name} post`, await fetch(`${base}/echo`, json('{"a":[1,2,{"b":null}]}')));
  await show(`${name} bad`, await fetch(`${base}/fails`));
  await show(`${name} none`, await fetch(`${base}/nothing`));
  if (name === 'express' || name === 'fastify') {
    await show(`${name} large`, await fetch(`${base}/echo`, json(JSON.stringify('x'.repeat(2000)))));
    await show(`${name} broken`, await fetch(`${base}/echo`, json('{"a":')));
  }
  console.log(name, await viaHttp(port, '/hello/x'));
  const many = await Promise.all(Array.from({ length: 50 }, async (_, i) => (await fetch(`${base}/hello/${i}`)).json()));
  console.log(name, many.every(({ hello }, i) => hello === String(i)));
  close();
}
process.exit();
