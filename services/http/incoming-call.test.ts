import { EventEmitter, once } from 'node:events';
import { createServer, get, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pino } from 'pino';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createApp } from './app';
import { bind, type Call } from './binding';

const page = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/page',
  summary: 'Answers when it is told to',
  response: z.object({}),
});

const told = new EventEmitter();
const app = createApp(
  [
    bind(page, async call => {
      told.emit('call', call);
      await once(told, 'answer');
      return {};
    }),
  ],
  {
    logger: pino({ level: 'silent' }),
    trustedProxies: 0,
    checkResponses: true,
    authenticate: jest.fn(),
  },
);

let server: Server;
let client: ClientRequest;
let call: Call<unknown, unknown, unknown>;
let socket: Socket;

beforeEach(async () => {
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const called = once(told, 'call');
  client = get({ port: (server.address() as AddressInfo).port, path: '/page', agent: false });
  client.on('error', () => undefined);
  [call] = (await called) as [typeof call];
  [socket] = (await connected) as [Socket];
});
afterEach(() => new Promise(resolve => server.close(resolve)));

it('tells a handler that waits when the client has gone', async () => {
  const aborted = once(call.signal, 'abort');
  client.destroy();
  await aborted;
});

it('tells a handler that asks only afterwards', async () => {
  const closed = once(socket, 'close');
  client.destroy();
  await closed;
  expect(call.signal.aborted).toBe(true);
});

it('does not take the end of an answered call for one that was given up', async () => {
  const { signal } = call;
  const closed = once(socket, 'close');
  const answered = once(client, 'response');
  told.emit('answer');
  ((await answered) as [IncomingMessage])[0].resume();
  await closed;
  expect(signal.aborted).toBe(false);
});
