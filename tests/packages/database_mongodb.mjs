// mongodb without its server, which Debian does not have: refused, or answered by something else, it fails soon and politely.
import { once } from 'node:events';
import net from 'node:net';
import { BSON, MongoClient, ObjectId } from 'mongodb';

const document = { _id: new ObjectId('0123456789abcdef01234567'), date: new Date(0), bytes: Buffer.from('abc'), large: 12345678901234n, list: [1.5, null, 'x'] };
const bytes = BSON.serialize(document);
console.log(Buffer.from(bytes).toString('hex'));
console.log(BSON.deserialize(bytes, { useBigInt64: true }));

async function ask(port) {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/test`, { serverSelectionTimeoutMS: 300, connectTimeoutMS: 200 });
  try {
    await client.db().collection('item').findOne({ a: 1 });
    console.log('an answer?');
  } catch (error) {
    console.log(error.name, error.message.replaceAll(port, 'PORT'), error.cause?.constructor.name);
  } finally {
    await client.close();
  }
}

const server = net.createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();
const sockets = [];
server.on('connection', (socket) => socket.resume().end());
await ask(port);
server.removeAllListeners('connection').on('connection', (socket) => sockets.push(socket.on('error', () => {}).resume()));
await ask(port);
for (const socket of sockets) socket.destroy();
server.close();
await once(server, 'close');
await ask(port);
