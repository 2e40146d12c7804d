import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient, type HttpClient } from './http-client';

type Respond = (path: string) => { status?: number; body?: unknown; hang?: boolean };

const servers: Server[] = [];
const clients: HttpClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
  for (const server of servers.splice(0)) server.closeAllConnections();
});

async function serve(respond: Respond): Promise<string> {
  const server = createServer((request, response) => {
    const { status = 200, body = {}, hang = false } = respond(request.url!);
    if (!hang) response.writeHead(status).end(JSON.stringify(body));
  });
  servers.push(server.unref());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const open = (...endpoints: string[]): HttpClient => {
  const client = createHttpClient({ endpoints, retryMs: 1 });
  clients.push(client);
  return client;
};
const { signal } = new AbortController();
const any = (json: unknown): unknown => json;

it('any number of reads may be in flight for one signal, without a warning of a leak', async () => {
  const http = open(await serve(path => ({ body: { path } })));
  const { signal: shared } = new AbortController();
  const warnings: Error[] = [];
  const listener = (warning: Error): void => void warnings.push(warning);
  process.on('warning', listener);
  await Promise.all(Array.from({ length: 20 }, (_, i) => http.get(`/${i}`, any, shared)));
  process.off('warning', listener);
  expect(warnings).toEqual([]);
});

describe('reading over several endpoints', () => {
  it('uses the next endpoint when one fails, and stays there', async () => {
    let requests = 0;
    const failing = await serve(() => ((requests += 1), { status: 500 }));
    const healthy = await serve(path => ({ body: { path } }));
    const http = open(failing, healthy);
    expect(await http.get('/a', any, signal)).toEqual({ path: '/a' });
    expect(await http.get('/b', any, signal)).toEqual({ path: '/b' });
    expect(requests).toBe(1);
  });

  it('retries after a response that does not parse', async () => {
    let requests = 0;
    const http = open(await serve(() => ({ body: { seqno: (requests += 1) } })));
    const read = (json: unknown): number => {
      const { seqno } = json as { seqno: number };
      if (seqno < 3) throw new Error('too early');
      return seqno;
    };
    expect(await http.get('/', read, signal)).toBe(3);
  });

  it('gives up after its attempts, naming the path and the reason', async () => {
    const http = open(await serve(() => ({ status: 404 })));
    await expect(http.get('/block/7', any, signal)).rejects.toThrow('/block/7: HTTP 404 (after 4 attempts)');
  });

  it('stops waiting when the signal fires', async () => {
    const http = open(await serve(() => ({ hang: true })));
    const stop = new AbortController();
    const response = http.get('/', any, stop.signal);
    setTimeout(() => stop.abort(), 20);
    await expect(response).rejects.toThrow(/abort/i);
  });
});
