import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createTestApp } from '../../test/app';
import { countLooks } from '../../test/count-looks';
import { until } from '../../test/until';
import type { AppOptions } from './app';
import { bind } from './binding';
import { Reply } from './call';
import { EventFeed, Frame, type EventStream } from './event-feed';
import { createAppServer } from './server';
import { createUnsentBytes, unsentBytesOf } from './unsent';

describe('what waits for clients', () => {
  const MB = 1_000_000;
  const opened = (limits: { perCaller: number; total: number }) => {
    const closed: string[] = [];
    let counted = 0;
    const unsent = createUnsentBytes({ ...limits, drainMs: 60_000 }, () => (counted += 1));
    return {
      unsent,
      closed,
      counted: () => counted,
      of: (name: string, caller = name[0]!) => unsent.of(caller, () => closed.push(name)),
    };
  };

  test('of one address is bounded: the connection that waits longest is closed, of no other address', () => {
    const { of, unsent, closed, counted } = opened({ perCaller: 3 * MB, total: 100 * MB });
    const [a1, a2, b] = [of('a1'), of('a2'), of('b')];
    a1.update(MB);
    b.update(2 * MB);
    a2.update(MB);
    a1.update(2 * MB);
    expect(closed).toEqual([]);
    of('a3').update(MB);
    expect(closed).toEqual(['a1']);
    expect(unsent.total).toBe(4 * MB);
    expect(counted()).toBe(1);
  });

  test('is forgotten once it is sent', () => {
    const { of, unsent, closed } = opened({ perCaller: 3 * MB, total: 100 * MB });
    for (let n = 0; n < 10; n += 1) {
      const backlog = of('a');
      backlog.update(2 * MB);
      backlog.update(0);
      backlog.update(0);
    }
    expect([unsent.total, closed]).toEqual([0, []]);
  });

  test('may be more for the only connection of an address: the largest answer is not refused', () => {
    const { of, closed } = opened({ perCaller: MB, total: 100 * MB });
    of('a').update(5 * MB);
    expect(closed).toEqual([]);
    of('a other').update(1);
    expect(closed).toEqual(['a']);
  });

  test('in all is bounded, at the cost of who has most', () => {
    const { of, closed, unsent } = opened({ perCaller: 4 * MB, total: 10 * MB });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2', 'd1', 'd2']) of(name).update(MB);
    of('b2').update(MB);
    of('a4').update(MB);
    expect(closed).toEqual([]);
    of('e').update(MB);
    expect(closed).toEqual(['a1']);
    expect(unsent.total).toBe(10 * MB);
  });

  test('in all is bounded without a look at all who wait', () => {
    const { of, closed } = opened({ perCaller: 4 * MB, total: 2_000 * 10_000 });
    for (let n = 0; n < 1_000; n += 1) of(`${n}`, `caller ${n}`).update(20_000);
    const looks = countLooks(() => {
      for (let n = 0; n < 20; n += 1) of(`new ${n}`, `another ${n}`).update(10_000);
    });
    expect(closed).toHaveLength(10);
    expect(closed.some(name => name.startsWith('new'))).toBe(false);
    expect(looks).toBeLessThan(1_000);
  });

  test('is waited for as long as a slow client needs, and no longer', () => {
    jest.useFakeTimers();
    try {
      const closed: string[] = [];
      const unsent = createUnsentBytes({ perCaller: MB, total: MB, drainMs: 10_000 });
      unsent.of('a', () => closed.push('small')).update(4_096);
      unsent.of('b', () => closed.push('large')).update(40 * 4_096);
      jest.advanceTimersByTime(10_500);
      expect(closed).toEqual([]);
      jest.advanceTimersByTime(1_500);
      expect(closed).toEqual(['small']);
      jest.advanceTimersByTime(37_000);
      expect(closed).toEqual(['small']);
      jest.advanceTimersByTime(3_000);
      expect(closed).toEqual(['small', 'large']);
      expect(unsent.total).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('unless it is set otherwise, what waits', () => {
  const MIB = 2 ** 20;

  test('is 16 MiB of an address, and 128 MiB in all', () => {
    let closed = 0;
    const unsent = createUnsentBytes(undefined, () => (closed += 1));
    const hold = (caller: string): void => unsent.of(caller, () => undefined).update(MIB);
    for (let n = 0; n < 18; n += 1) hold('a');
    expect([unsent.total, closed]).toEqual([16 * MIB, 2]);
    for (let n = 0; n < 250; n += 1) hold(`b${n}`);
    expect([unsent.total, closed]).toEqual([128 * MIB, 140]);
  });

  test('is waited for half a minute', () => {
    jest.useFakeTimers();
    try {
      const unsent = createUnsentBytes();
      unsent.of('a', () => undefined).update(1);
      jest.advanceTimersByTime(29_500);
      expect(unsent.total).toBe(1);
      jest.advanceTimersByTime(2_500);
      expect(unsent.total).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('connections whose clients do not read', () => {
  /** More than the buffers of the system hold. */
  const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x');
  const toy = { group: 'Toy', method: 'GET', summary: 'Toy' } as const;
  const large = endpoint({ ...toy, path: '/large', kind: 'raw', response: z.string() });
  const streamed = endpoint({ ...toy, path: '/streamed', kind: 'raw', response: z.string() });
  const json = endpoint({ ...toy, path: '/json', response: z.object({ text: z.string() }) });
  const small = endpoint({ ...toy, path: '/small', response: z.object({ ok: z.literal(true) }) });
  const feed = endpoint({ ...toy, path: '/feed', kind: 'sse', response: z.string() });
  const held = endpoint({ ...toy, path: '/held', kind: 'raw', response: z.string() });
  const ticks = endpoint({ ...toy, path: '/ticks', kind: 'websocket', response: z.string() });

  let server: Server;
  let feeds: EventStream[];
  let drained: EventStream[];
  let closed: number;
  let unsent: ReturnType<typeof unsentBytesOf>;
  const sockets: Socket[] = [];
  const clients: WebSocket[] = [];

  async function serve(options: Partial<AppOptions> = {}): Promise<number> {
    feeds = [];
    drained = [];
    closed = 0;
    const app = createTestApp(
      [
        bind(large, async () => new Reply(LARGE)),
        bind(streamed, async () =>
          (async function* () {
            for (let at = 0; at < LARGE.length; at += 2 ** 20) yield LARGE.subarray(at, at + 2 ** 20);
          })(),
        ),
        bind(held, async call =>
          (async function* () {
            yield LARGE;
            await once(call.signal, 'abort').catch(() => undefined);
          })(),
        ),
        bind(json, async () => ({ text: LARGE.toString() })),
        bind(small, async () => ({ ok: true }) as const),
        bind(
          feed,
          async () =>
            new EventFeed(stream => {
              feeds.push(stream);
              return { drained: () => drained.push(stream), closed: () => undefined };
            }, new Frame(': heartbeat\n\n')),
        ),
        bind(ticks, async (call, socket) => {
          while (!call.signal.aborted) {
            await socket.send('x'.repeat(2 ** 20));
            await nextTurn();
          }
        }),
      ],
      {
        trustedProxies: 1,
        checkResponses: false,
        unsentLimits: { perCaller: 20 * 1024 * 1024, total: 100 * 1024 * 1024, drainMs: 3_600_000 },
        onUnreadClosed: () => (closed += 1),
        ...options,
      },
    );
    unsent = unsentBytesOf(app);
    server = createAppServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const client of clients.splice(0)) client.terminate();
    await new Promise(resolve => server.close(resolve));
  });

  /** Sends a request, and reads nothing. */
  const ask = async (port: number, path: string, ip = '1.1.1.1', times = 1): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: toy\r\nX-Forwarded-For: ${ip}\r\n\r\n`.repeat(times));
    return socket;
  };
  /** Opens a WebSocket, and reads nothing. */
  const openSocket = async (port: number, ip: string): Promise<void> => {
    const client = new WebSocket(`ws://127.0.0.1:${port}/ticks`, { headers: { 'X-Forwarded-For': ip } });
    client.on('error', () => undefined);
    clients.push(client);
    await once(client, 'open');
    client.pause();
  };
  const isServed = async (port: number): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/large`, {
      headers: { 'X-Forwarded-For': '2.2.2.2' },
    });
    expect((await response.arrayBuffer()).byteLength).toBe(LARGE.length);
  };

  test.each(['/large', '/streamed', '/json'])(
    '%s: one address holds a bounded part of the memory',
    async path => {
      const port = await serve();
      for (let n = 0; n < 12; n += 1) await ask(port, path);
      if (path === '/streamed') {
        // A part of each waits, the rest was not read from its source.
        await until(() => unsent.total >= 12 * 2 ** 19);
        expect(unsent.total).toBeLessThanOrEqual(20 * 2 ** 20);
      } else {
        await until(() => closed >= 9);
        expect(unsent.total).toBeLessThanOrEqual(20 * 2 ** 20);
      }
      await isServed(port);
    },
  );

  test('a feed that does not drain is closed, and one that is read is not', async () => {
    const port = await serve();
    for (let n = 0; n < 8; n += 1) await ask(port, '/feed');
    const reader = await ask(port, '/feed');
    let received = 0;
    reader.on('data', bytes => (received += bytes.length)).resume();
    await until(() => feeds.length === 9);
    const frame = new Frame(`data: ${'x'.repeat(4 * 2 ** 20)}\n\n`);
    for (let n = 0; n < 3; n += 1) for (const stream of feeds) stream.write([frame]);
    await until(() => closed >= 4 && received >= 3 * frame.bytes.length);
    expect(unsent.total).toBeLessThanOrEqual(20 * 2 ** 20);
    expect(reader.destroyed).toBe(false);
  });

  test('a feed says that it has no room, gets no heartbeats then, and says when its client has read all', async () => {
    const port = await serve({ heartbeatMs: 20 });
    const stalled = await ask(port, '/feed', '1.1.1.1');
    const reader = await ask(port, '/feed', '2.2.2.2');
    let text = '';
    reader.on('data', (bytes: Buffer) => (text += bytes.toString())).resume();
    await until(() => feeds.length === 2);
    const large = new Frame(`data: ${LARGE.toString()}\n\n`);
    expect(feeds[0]!.write([large])).toBe(false);
    const waiting = unsent.total;
    expect(waiting).toBeGreaterThan(0);
    await until(() => text.split(': heartbeat').length > 10);
    expect([unsent.total, drained]).toEqual([waiting, []]);
    stalled.resume();
    await until(() => drained.length > 0);
    expect([unsent.total, drained]).toEqual([0, [feeds[0]]]);
    expect(feeds[0]!.write([new Frame('data: small\n\n')])).toBe(true);
  });

  test.each([
    ['/large', 20],
    ['/feed', 20],
    ['/ticks', 2],
  ])('%s: what one address does not read closes no connection of another', async (path, mebibytes) => {
    const perCaller = mebibytes * 2 ** 20;
    const port = await serve({ unsentLimits: { perCaller, total: 1e9, drainMs: 3_600_000 } });
    for (const ip of ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'])
      if (path === '/ticks') await openSocket(port, ip);
      else await ask(port, path, ip);
    if (path === '/feed') {
      await until(() => feeds.length === 4);
      for (const stream of feeds) stream.write([new Frame(`data: ${LARGE.toString()}\n\n`)]);
    }
    await until(() => closed > 0 || unsent.total > perCaller);
    expect(closed).toBe(0);
  });

  test('what its client has read at last waits no longer, although the answer goes on', async () => {
    const port = await serve();
    const client = await ask(port, '/held');
    await until(() => unsent.total > 0);
    client.resume();
    await until(() => unsent.total === 0);
    expect(closed).toBe(0);
  });

  test('a stalled connection is closed after a bounded time', async () => {
    const port = await serve({ unsentLimits: { perCaller: 1e9, total: 1e9, drainMs: -1e9 } });
    await ask(port, '/large');
    await ask(port, '/feed');
    await until(() => feeds.length === 1);
    feeds[0]!.write([new Frame('x'.repeat(2 ** 24))]);
    await until(() => closed === 2);
    expect(unsent.total).toBe(0);
  });

  test('a WebSocket that is not read is closed with those of its address', async () => {
    const port = await serve({ unsentLimits: { perCaller: 3 * 2 ** 20, total: 1e9, drainMs: 3_600_000 } });
    for (let n = 0; n < 6; n += 1) await openSocket(port, '1.1.1.1');
    await until(() => closed >= 3);
    expect(unsent.total).toBeLessThanOrEqual(3 * 2 ** 20 + 100);
  });

  test('a WebSocket whose client sends pings and reads no answers is closed', async () => {
    const port = await serve();
    const client = new WebSocket(`ws://127.0.0.1:${port}/ticks`);
    let isClosed = false;
    client.on('error', () => undefined).once('close', () => (isClosed = true));
    await once(client, 'open');
    client.pause();
    const flood = setInterval(() => {
      for (let n = 0; n < 5_000 && client.readyState === client.OPEN; n += 1) client.ping(Buffer.alloc(125));
    }, 5);
    await until(() => isClosed || client.readyState !== client.OPEN);
    clearInterval(flood);
    client.terminate();
  });

  test('a connection on which more requests wait than any client sends is closed', async () => {
    const port = await serve();
    const many = await ask(port, '/large', '1.1.1.1', 65);
    await until(() => unsent.total === 0 && many.destroyed === false);
    many.resume();
    await once(many, 'close');
    const atOnce = await ask(port, '/small', '1.1.1.1', 65);
    let answers = '';
    atOnce.on('data', (bytes: Buffer) => (answers += bytes.toString())).resume();
    await until(() => atOnce.destroyed || answers.split('{"ok":true}').length === 66);
    expect(atOnce.destroyed).toBe(true);
    const few = await ask(port, '/small', '1.1.1.1', 60);
    let text = '';
    few.on('data', (bytes: Buffer) => (text += bytes.toString())).resume();
    await until(() => text.split('{"ok":true}').length === 61);
  });
});
