// navigator.locks across threads: where Node 26 loses locks of Workers that end, and does not
// survive a lock that one thread steals from another. So no output of Node's is compared.
#include <string>

#include <gtest/gtest.h>

#include "e2e/program.h"

namespace rondo::test {
namespace {

constexpr const char* kPrelude = R"(
const { locks, Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { once } = require('events');
const forever = () => new Promise(() => setInterval(() => {}, 1000));
const start = (how) => new Worker(__filename, { workerData: how });
)";

std::string run(const std::string& script) {
  const Folder folder;
  Program program({folder.file("script.js", kPrelude + script)});
  EXPECT_EQ(program.wait(), 0) << program.errors();
  return program.output();
}

TEST(Locks, OneThreadAtATimeHasALock) {
  EXPECT_EQ(run(R"(
async function increment() {
  const figures = new Int32Array(workerData);
  const alive = setInterval(() => {}, 1000);  // a request that waits does not do that
  for (let i = 0; i < 200; i++) {
    await locks.request('figure', async () => {
      const value = figures[0];
      if (i % 10 === 0) await null;
      figures[0] = value + 1;
    });
  }
  clearInterval(alive);
}
async function main() {
  const memory = new SharedArrayBuffer(4);
  await Promise.all(Array.from({ length: 4 }, () => once(start(memory), 'exit')));
  console.log(new Int32Array(memory)[0]);
}
if (isMainThread) main(); else increment();
)"),
            "800\n");
}

TEST(Locks, WhatAWorkerHoldsIsFreeWhenItEnds) {
  EXPECT_EQ(run(R"(
async function hold() {
  if (workerData === 'exits') setTimeout(() => process.exit(), 20);
  await locks.request('kept', { mode: 'shared' }, () => {
    parentPort.postMessage('held');
    return workerData === 'returns' ? once(parentPort, 'message') : forever();
  });
}
async function main() {
  for (const how of ['returns', 'exits', 'terminated']) {
    const worker = start(how);
    await once(worker, 'message');
    console.log(how, await locks.request('kept', { ifAvailable: true }, (lock) => lock),
      await locks.request('kept', { mode: 'shared', ifAvailable: true }, (lock) => lock.mode));
    const next = locks.request('kept', (lock) => lock.name);
    if (how === 'returns') worker.postMessage('go on');
    if (how === 'terminated') worker.terminate();
    console.log(await next);
  }
}
if (isMainThread) main(); else hold();
)"),
            "returns null shared\nkept\nexits null shared\nkept\nterminated null shared\nkept\n");
}

TEST(Locks, AThreadCanStealFromAnother) {
  EXPECT_EQ(run(R"(
async function steal() {
  await locks.request('stolen', { steal: true }, () => { parentPort.postMessage('has it'); return forever(); });
}
async function main() {
  const held = locks.request('stolen', forever).catch((error) => error.name);
  const worker = start();
  console.log(...await once(worker, 'message'), await held);
  const next = locks.request('stolen', () => 'next');
  worker.terminate();
  console.log(await next);
  process.exit();
}
if (isMainThread) main(); else steal();
)"),
            "has it AbortError\nnext\n");
}

TEST(Locks, ACallbackThatThrowsReleasesItsLock) {
  EXPECT_EQ(run(R"(
locks.request('a', () => { throw new Error('on purpose'); }).catch((error) => console.log(error.message));
locks.request('a', () => console.log('next'));
)"),
            "next\non purpose\n");
}

TEST(Locks, ARequestThatWaitsKeepsNoProgramAlive) {
  EXPECT_EQ(run(R"(
async function main() {
  const worker = start();
  await once(worker, 'message');
  worker.unref();
  locks.request('kept', () => console.log('never'));
}
if (isMainThread) main();
else locks.request('kept', () => { parentPort.postMessage('held'); return forever(); });
)"),
            "");
}

}  // namespace
}  // namespace rondo::test
