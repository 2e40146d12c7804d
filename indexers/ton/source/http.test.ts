import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttp, type Http } from './http';

type Answer = (path: string) => { status?: number; body?: unknown; hang?: boolean };

const servers: Server[] = [];
const clients: Http[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
  for (const server of servers.splice(0)) server.closeAllConnections();
});

async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    const { status = 200, body = {}, hang = false } = answer(request.url!);
    if (!hang) response.writeHead(status).end(JSON.stringify(body));
  });
  servers.push(server.unref());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const open = (...endpoints: string[]): Http => {
  const client = createHttp({ endpoints, backoff: 1 });
  clients.push(client);
  return client;
};
const { signal } = new AbortController();
const any = (json: unknown): unknown => json;

describe('reading over several endpoints', () => {
  it('goes on to the next endpoint when one fails, and stays there', async () => {
    let asked = 0;
    const broken = await serve(() => ((asked += 1), { status: 500 }));
    const sound = await serve(path => ({ body: { path } }));
    const http = open(broken, sound);
    expect(await http.get('/a', any, signal)).toEqual({ path: '/a' });
    expect(await http.get('/b', any, signal)).toEqual({ path: '/b' });
    expect(asked).toBe(1);
  });

  it('tries again after an answer that makes no sense', async () => {
    let asked = 0;
    const http = open(await serve(() => ({ body: { seqno: (asked += 1) } })));
    const read = (json: unknown): number => {
      const { seqno } = json as { seqno: number };
      if (seqno < 3) throw new Error('too early');
      return seqno;
    };
    expect(await http.get('/', read, signal)).toBe(3);
  });

  it('gives up after its tries, saying what was asked and why it failed', async () => {
    const http = open(await serve(() => ({ status: 404 })));
    await expect(http.get('/block/7', any, signal)).rejects.toThrow('/block/7: HTTP 404 (after 4 tries)');
  });

  it('stops waiting when it is told to', async () => {
    const http = open(await serve(() => ({ hang: true })));
    const stop = new AbortController();
    const answer = http.get('/', any, stop.signal);
    setTimeout(() => stop.abort(), 20);
    await expect(answer).rejects.toThrow(/abort/i);
  });
});
