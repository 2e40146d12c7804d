import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { formatTonAddress } from '../../../../contracts/account/address';
import { clientOf, quietDevnet } from '../../../../test/devnet/ton';
import { until } from '../../../../test/until';
import type { Chain } from '../chain/chain';
import { watchBlocks } from './block-notifications';

it('notifies of every block with its time and the accounts that it changed, as the wallet reads it', async () => {
  const devnet = await quietDevnet();
  const socket = new WebSocket(`${devnet.url.replace('http', 'ws')}/block/watch/changed`);
  try {
    await once(socket, 'open');
    const frames: { seqno: number; lastUtime: number; changed: Record<string, object> }[] = [];
    socket.on('message', data => frames.push(JSON.parse(String(data)) as (typeof frames)[number]));
    const account = `0:${'5e'.repeat(32)}`;
    await devnet.faucet(account, 1n);
    await devnet.faucet(account, 1n);
    const { last, now } = await clientOf(devnet.url).getLastBlock();
    await until(() => frames.at(-1)?.seqno === last.seqno);
    expect(frames.at(-1)!.lastUtime).toBe(now);
    expect(frames.map(({ seqno }) => seqno)).toEqual(
      frames.map((_, i) => last.seqno - frames.length + 1 + i),
    );
    expect(frames.flatMap(({ changed }) => Object.keys(changed))).toContain(
      formatTonAddress(account, 'mainnet'),
    );
  } finally {
    socket.terminate();
    await devnet.close();
  }
});

/** A double: no block is ever produced. */
const chain = { onBlock: () => () => undefined } as unknown as Chain;

it('refuses an upgrade on another path, and keeps no descriptor of a client that leaves its side open', async () => {
  const server = createServer();
  const unwatch = watchBlocks(server, chain, Date.now, () => true);
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
