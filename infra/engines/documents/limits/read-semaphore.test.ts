import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { z } from 'zod';
import { asCaller } from '../../../../contracts/current-caller';
import { endpoint } from '../../../../contracts/http/endpoint';
import { bind } from '../../../../services/http/binding';
import { createAppServer } from '../../../../services/http/server';
import { createTestApp } from '../../../../test/app';
import { until } from '../../../../test/until';
import { createReadSemaphore, MAX_WAITING_READS } from './read-semaphore';

const read = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/read/{name}',
  summary: 'Reads from a database',
  params: z.object({ name: z.string() }),
  response: z.string(),
});

let close = (): void => undefined;
afterEach(() => close());

/** A server that reads from a slow database, each read until the test ends it, and what its clients have been answered with. */
async function serveSlowReads(maxConnections = 100) {
  const semaphore = createReadSemaphore(maxConnections);
  const [asked, begun]: [string[], string[]] = [[], []];
  const ends = new Map<string, () => void>();
  const query = async (name: string): Promise<string> => {
    begun.push(name);
    await new Promise<void>(resolve => ends.set(name, resolve));
    return name;
  };
  const app = createTestApp(
    [
      bind(read, async ({ params: { name } }) => {
        asked.push(name);
        return semaphore(
          () => query(name),
          run => run(),
        );
      }),
    ],
    { trustedProxies: 1 },
  );
  const server = createAppServer(app, { namesCallers: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<ReturnType<typeof connect>>();
  const answers: string[] = [];
  const ask = async (from: string, name: string): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    let answer = '';
    socket.on('data', part => (answer += part.toString()));
    socket.on('close', () => answers.push(`${name} ${answer.split(' ', 2)[1]}`));
    socket.write(
      `GET /read/${name} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: ${from}\r\n\r\n`,
    );
  };
  close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { asked, begun, answers, ask, end: (name: string) => ends.get(name)!() };
}

test('a caller with hundreds of slow reads leaves connections to others, whose reads are answered meanwhile', async () => {
  const { begun, answers, ask, end } = await serveSlowReads();
  for (let n = 0; n < 200; n += 1) await ask('203.0.113.1', `stranger-${n}`);
  await until(() => begun.length === 60);
  await ask('192.0.2.1', 'honest');
  await until(() => begun.includes('honest'));
  end('honest');
  await until(() => answers.includes('honest 200'));
  expect(begun).toHaveLength(61);
});

test('callers that have taken all take semaphore, and each is served', async () => {
  const { asked, begun, ask, end } = await serveSlowReads(10);
  for (const caller of [1, 2, 3, 4])
    for (let n = 0; n < 20; n += 1) await ask(`203.0.113.${caller}`, `stranger-${caller}-${n}`);
  await until(() => asked.length === 80);
  await ask('192.0.2.1', 'honest');
  await until(() => asked.includes('honest'));
  expect(begun).toHaveLength(8);
  for (let n = 0; !begun.includes('honest'); n += 1) {
    await until(() => begun.length > n);
    end(begun[n]!);
    expect(n).toBeLessThan(40);
  }
});

test('of too many that wait the newest of the caller with most are refused, and may be sent again', async () => {
  const { begun, answers, ask } = await serveSlowReads(10);
  for (let n = 0; n < MAX_WAITING_READS + 10; n += 1) await ask('203.0.113.1', `stranger-${n}`);
  // A connection for each of its reads, and one each that is left to others.
  await until(() => begun.length === 6 && answers.length === 4);
  await ask('192.0.2.1', 'honest');
  await until(() => begun.includes('honest'));
  expect(answers.every(answer => answer.endsWith('503'))).toBe(true);
});

test('a place is free once the query has ended, however early its result was given up', async () => {
  const semaphore = createReadSemaphore(1);
  let end = (): void => undefined;
  const hung = new Promise<void>(resolve => (end = resolve));
  const late = () =>
    semaphore(
      () => hung,
      read => Promise.race([read(), Promise.reject(new Error('took too long'))]),
    );
  await expect(asCaller('stranger', late)).rejects.toThrow('took too long');
  let isRead = false;
  const inTime = <Result>(read: () => Promise<Result>) => read();
  const next = asCaller('honest', () => semaphore(async () => void (isRead = true), inTime));
  await semaphore(async () => 'of the process itself', inTime);
  expect(isRead).toBe(false);
  end();
  await next;
});
