import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { walletRequestStream } from '../../contracts/http/connect/wallet-requests';
import { backlog, bodies } from '../bridge/client/backlog';
import { clientId } from '../bridge/client/client-id';
import { post } from '../bridge/client/post';
import { randomAddress } from '../bridge/client/request';
import { BRIDGE_SETTINGS, bridgeOf } from '../bridge/program';
import { spawnTidemark } from '../e2e/tidemark';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';

/** Of each kind. */
const UNREAD = 30;
/** Of 256 KiB: together more than the buffers of both ends of a connection hold. */
const MESSAGES = 40;

const folder = temporaryFolder();
const settings = { ...BRIDGE_SETTINGS, DATA_DIR: folder };

/** Opens a stream of the bridge, and reads none of it. */
async function openEventsUnread(url: string, to: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const address = `X-Forwarded-For: ${randomAddress()}`;
  socket.write(`GET /tonconnect/events?client_id=${to} HTTP/1.1\r\nHost: bridge\r\n${address}\r\n\r\n`);
  return socket;
}

/** Opens a WebSocket, and reads nothing, its close included. */
async function openWebSocketUnread(url: string): Promise<WebSocket> {
  const { address, network } = walletRequestStream.examples![0]!.params as Record<string, string>;
  const path = walletRequestStream.path.replace('{address}', address!).replace('{network}', network!);
  const client = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
    headers: { 'X-Forwarded-For': randomAddress() },
  });
  client.on('error', () => undefined);
  await once(client, 'open');
  client.pause();
  return client;
}

/** Sends a message without its end. */
async function sendUnfinished(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST /tonconnect/message?client_id=${clientId()}&to=${clientId()}&ttl=60 HTTP/1.1\r\nHost: bridge\r\n` +
      `Content-Length: 100\r\n\r\nmess`,
  );
  return socket;
}

async function openStreams(operatorsUrl: string): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', operatorsUrl))).text();
  const counts = metrics.matchAll(/^tidemark_stream_connections\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test(`SIGINT ends the program, with its stores closed, however often it is sent, while ${2 * UNREAD} streams are not read and ${UNREAD} requests never end`, async () => {
  const program = await spawnTidemark(settings).ready();
  const to = clientId();
  const sent = Array.from({ length: MESSAGES }, (_, n) => `${n} `.padEnd(256 * 1024, 'x'));
  for (const body of sent) await post(bridgeOf(program), { from: clientId(), to, body });
  const unread = {
    events: await Promise.all(Array.from({ length: UNREAD }, () => openEventsUnread(program.url, to))),
    unfinished: await Promise.all(Array.from({ length: UNREAD }, () => sendUnfinished(program.url))),
    webSockets: await Promise.all(Array.from({ length: UNREAD }, () => openWebSocketUnread(program.url))),
  };
  await until(async () => (await openStreams(program.operatorsUrl)) === 2 * UNREAD);

  const ended = program.kill('SIGINT');
  await until(async () => program.output().includes('"msg":"stopping"'));
  // As npm does, which passes on what the terminal has sent to the program too.
  void program.kill('SIGINT');
  expect(await ended).toEqual({ code: 0, signal: null });
  for (const socket of [...unread.events, ...unread.unfinished]) socket.destroy();
  for (const client of unread.webSockets) client.terminate();
  expect(program.output()).toContain('"msg":"stopped"');
  // All of it is in the database once that is closed.
  const names = readdirSync(folder).filter(name => name.endsWith('.sqlite-wal'));
  expect(names.filter(name => statSync(join(folder, name)).size > 0)).toEqual([]);

  const again = await spawnTidemark(settings).ready();
  expect(bodies(await backlog(bridgeOf(again), to)).sort()).toEqual([...sent].sort());
  expect(await again.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
