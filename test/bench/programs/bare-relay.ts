import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * Program: a relay of the TON Connect protocol in memory and with nothing else, not even an end of what it keeps: the floor of
 * the bridge.
 */
const HEARTBEAT_MS = Number(process.argv[2]) * 1_000;
const OK = '{"message":"OK","statusCode":200}';
const streams = new Map<string, Set<ServerResponse>>();
const missed = new Map<string, string[]>();
let lastId = Date.now() * 2048;

function open(ids: readonly string[], response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  response.write('\n');
  for (const id of ids) {
    streams.set(id, (streams.get(id) ?? new Set()).add(response));
    for (const frame of missed.get(id) ?? []) response.write(frame);
    missed.delete(id);
  }
  response.on('close', () =>
    ids.forEach(id => streams.get(id)?.delete(response) && streams.get(id)!.size === 0 && streams.delete(id)),
  );
}

function relay(from: string, to: string, message: string): void {
  const frame = `event: message\nid: ${++lastId}\ndata: ${JSON.stringify({ from, message })}\n\n`;
  const open = streams.get(to);
  if (open) for (const response of open) response.write(frame);
  else missed.set(to, [...(missed.get(to) ?? []), frame]);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
  if (pathname.endsWith('/events')) return open(searchParams.get('client_id')!.split(','), response);
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    relay(searchParams.get('client_id')!, searchParams.get('to')!, body);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': OK.length }).end(OK);
  });
});
server.keepAliveTimeout = 65_000;
setInterval(
  () => streams.forEach(open => open.forEach(response => response.write('event: heartbeat\n\n'))),
  HEARTBEAT_MS,
);
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('message', question =>
  process.send!(question === 'cpu' ? process.cpuUsage() : process.memoryUsage.rss()),
);
