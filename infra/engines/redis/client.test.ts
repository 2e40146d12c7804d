import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { createClient } from './client';

/** A double of Redis that answers what a client says of itself, and the first subscription: then it ends the connection. */
function subscribingOnce(): Server {
  let subscriptions = 0;
  return createServer(socket => {
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (text: string) => {
      for (const [, command] of text.matchAll(/\$\d+\r\n(hello|info|client|subscribe)\r\n/gi)) {
        if (/hello/i.test(command!)) socket.write("-ERR unknown command 'HELLO'\r\n");
        else if (/info/i.test(command!)) socket.write('$9\r\nloading:0\r\n');
        else if (/client/i.test(command!)) socket.write('+OK\r\n');
        else if (subscriptions++ === 0)
          socket.write('*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n', () =>
            setImmediate(() => socket.destroy()),
          );
      }
    });
  });
}

test('a client that is closed while it subscribes again, after a reconnect, leaves no rejection unhandled', async () => {
  const server = subscribingOnce().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const rejections: unknown[] = [];
  const onRejection = (error: unknown): void => void rejections.push(error);
  process.on('unhandledRejection', onRejection);
  const client = createClient(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`, 'persistent');
  try {
    await client.subscribe('a');
    await once(client, 'close');
    await once(client, 'ready');
    client.disconnect();
    await once(client, 'end');
    await new Promise(setImmediate);
  } finally {
    process.off('unhandledRejection', onRejection);
    server.close();
  }
  expect(rejections).toEqual([]);
});
