import { EventEmitter, once } from 'node:events';
import { createServer, get, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createTestApp } from '../../test/app';
import { bind } from './binding';
import type { Call } from './call';

const page = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/page',
  summary: 'Answers on demand',
  response: z.object({}),
});

const events = new EventEmitter();
const app = createTestApp([
  bind(page, async call => {
    events.emit('call', call);
    await once(events, 'answer');
    return {};
  }),
]);

let server: Server;
let client: ClientRequest;
let call: Call<unknown, unknown, unknown>;
let socket: Socket;

beforeEach(async () => {
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const called = once(events, 'call');
  client = get({ port: (server.address() as AddressInfo).port, path: '/page', agent: false });
  client.on('error', () => undefined);
  [call] = (await called) as [typeof call];
  [socket] = (await connected) as [Socket];
});
afterEach(() => new Promise(resolve => server.close(resolve)));

it('aborts the signal of a waiting handler when the client disconnects', async () => {
  const aborted = once(call.signal, 'abort');
  client.destroy();
  await aborted;
});

it('gives an aborted signal to a handler that looks afterwards', async () => {
  const closed = once(socket, 'close');
  client.destroy();
  await closed;
  expect(call.signal.aborted).toBe(true);
});

it('does not abort at the end of an answered call', async () => {
  const { signal } = call;
  const closed = once(socket, 'close');
  const answered = once(client, 'response');
  events.emit('answer');
  ((await answered) as [IncomingMessage])[0].resume();
  await closed;
  expect(signal.aborted).toBe(false);
});
