// A free port of 127.0.0.1 for a program that takes no 0, below the ports that the kernel gives out: no other test gets it by
// accident before the program listens, or while it restarts.
import { once } from 'node:events';
import net from 'node:net';

export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = net.createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if (error.code === 'EADDRINUSE') continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
