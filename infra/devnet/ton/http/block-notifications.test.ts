import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '../../../../test/until';
import type { Chain } from '../chain/chain';
import { watchBlocks } from './block-notifications';

/** A double: no block is ever produced. */
const chain = { onBlock: () => () => undefined } as unknown as Chain;

it('refuses an upgrade on another path, and keeps no descriptor of a client that leaves its side open', async () => {
  const server = createServer();
  const unwatch = watchBlocks(server, chain, Date.now);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  client.write('GET /other HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  try {
    expect(await text(client)).toMatch(/^HTTP\/1\.1 404 /);
    const open = () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)));
    await until(open, count => count === 0, 60_000);
  } finally {
    client.destroy();
    unwatch();
    server.close();
  }
});
