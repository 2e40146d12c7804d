import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { StreamRequest } from '../stream';

/** Program: a bare WebSocket server that sends one message to all its clients: the floor of the account stream. */
async function main(): Promise<void> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  server.on('connection', client => client.send('{"event":"connected"}'));
  process.on('message', (request: StreamRequest) => {
    if (request === 'memory') return void process.send!(process.memoryUsage.rss());
    const result = { context: { slot: request.slot }, value: { lamports: 1, owner: request.account } };
    const message = Buffer.from(JSON.stringify({ event: 'message', data: { result } }));
    process.send!(process.hrtime.bigint().toString());
    for (const client of server.clients) client.send(message, { binary: false });
  });
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

void main();
