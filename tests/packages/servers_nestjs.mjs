// @nestjs/core without TypeScript: the decorators are called by hand. Injection, pipes, guards, filters, interceptors, life cycle.
import 'reflect-metadata';
import * as common from '@nestjs/common';
import * as core from '@nestjs/core';
import { map } from 'rxjs';

const { BadRequestException, Body, Catch, Controller, Get, HttpCode, HttpException, Inject, Injectable, Module, Param, ParseIntPipe, Post, Query, UseGuards } = common;

function method(controller, name, decorators, parameters = []) {
  const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, name);
  parameters.forEach((decorator, i) => decorator(controller.prototype, name, i));
  for (const decorator of decorators) decorator(controller.prototype, name, descriptor);
}

class Items {
  #items = new Map([[1, 'one']]);
  get(id) {
    if (!this.#items.has(id)) throw new HttpException({ missing: id }, 404);
    return { id, name: this.#items.get(id) };
  }

  async add({ name }) {
    if (typeof name !== 'string') throw new BadRequestException('name');
    await null;
    this.#items.set(this.#items.size + 1, name);
    return this.get(this.#items.size);
  }

  onModuleInit() {
    console.log('module init');
  }

  onApplicationShutdown(signal) {
    console.log('shutdown', signal);
  }
}
Injectable()(Items);

class Guard {
  canActivate(context) {
    return context.switchToHttp().getRequest().headers.authorization === 'yes';
  }
}
Injectable()(Guard);

class ItemsController {
  constructor(items) {
    this.items = items;
  }

  get(id, verbose) {
    return { ...this.items.get(id), verbose };
  }

  add(body) {
    return this.items.add(body);
  }

  secret() {
    return 'secret';
  }

  fails() {
    throw new RangeError('on purpose');
  }
}
Inject(Items)(ItemsController, undefined, 0);
method(ItemsController, 'get', [Get(':id')], [Param('id', ParseIntPipe), Query('verbose')]);
method(ItemsController, 'add', [Post(), HttpCode(202)], [Body()]);
method(ItemsController, 'secret', [Get('hidden/secret'), UseGuards(Guard)]);
method(ItemsController, 'fails', [Get('hidden/fails')]);
Controller('items')(ItemsController);

class RangeFilter {
  catch(error, host) {
    host.switchToHttp().getResponse().status(418).json({ caught: error.message });
  }
}
Catch(RangeError)(RangeFilter);

class Wrapper {
  intercept(context, next) {
    return next.handle().pipe(map((data) => ({ by: context.getHandler().name, data })));
  }
}
Injectable()(Wrapper);

class Application {}
Module({
  controllers: [ItemsController],
  providers: [Items, Guard, { provide: core.APP_INTERCEPTOR, useClass: Wrapper }, { provide: core.APP_FILTER, useClass: RangeFilter }],
})(Application);

const application = await core.NestFactory.create(Application, { logger: false });
application.enableShutdownHooks();
await application.listen(0, '127.0.0.1');
const address = `http://127.0.0.1:${application.getHttpServer().address().port}`;

async function ask(path, options) {
  const response = await fetch(address + path, options);
  console.log(path, response.status, await response.text());
}
const json = (body) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
await ask('/items/1?verbose=yes');
await ask('/items/7');
await ask('/items/x');
await ask('/items', json('{"name":"two"}'));
await ask('/items', json('{"name":2}'));
await ask('/items', json('{"name"'));
await ask('/items/2');
await ask('/items/hidden/secret');
await ask('/items/hidden/secret', { headers: { authorization: 'yes' } });
await ask('/items/hidden/fails');
await ask('/nothing');
await application.close();
console.log('done');
