import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import type { Mailbox } from '../../contracts/ports/mailbox';
import { openRedisMailbox } from '../../infra/engines/mailbox/redis/redis-mailbox';
import { all, ascending, bodies, ids, mail, receiveAll } from '../contracts/mailbox/harness';
import { scaled } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { startFaultyProxy } from './faulty-proxy';
import { redis } from './redis';
import type { RunningServer } from './server';

const KILLS = Math.min(scaled(2), 4);

let server: RunningServer;
let admin: Redis;
let prefix: string;
let opened: { close(): Promise<void> }[] = [];

const open = async (url = server.url): Promise<Mailbox> => {
  const mailbox = await openRedisMailbox({ url, prefix });
  opened.push(mailbox);
  return mailbox;
};

const subscribe = (mailbox: Mailbox, to = ['bob']) => receiveAll(mailbox, { to });

beforeAll(async () => {
  server = await redis.start(temporaryFolder());
  admin = new Redis(server.url);
  admin.on('error', () => undefined);
});
beforeEach(() => {
  prefix = randomUUID();
});
afterEach(async () => {
  await Promise.all(opened.map(one => one.close()));
  opened = [];
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

test('a subscriber receives every acknowledged message once and in order although Redis is killed repeatedly', async () => {
  const [posting, subscribing] = [await open(), await open()];
  const to = ['x', 'y', 'z'];
  const { messages } = subscribe(subscribing, to);
  const late = subscribe(posting, to);
  const acknowledged: number[] = [];
  let refused = 0;
  let over = false;
  const post = async (lane: number): Promise<void> => {
    for (let n = 0; !over;) {
      const message = mail(`${lane}/${n}`, { to: to[n % 3]! });
      try {
        acknowledged.push((await posting.post(message)).id);
        n += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(EngineUnavailable);
        refused += 1;
      }
    }
  };
  const lanes = Promise.all([0, 1, 2, 3].map(post));
  for (let round = 1; round <= KILLS; round += 1) {
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 200);
    await server.kill();
    await server.restart();
  }
  await until(() => acknowledged.length > KILLS * 300);
  over = true;
  await lanes;
  const last = Math.max(...acknowledged);
  for (const one of [messages, late.messages]) {
    await until(() => one.at(-1)?.id === last);
    expect(ids(one)).toEqual(ascending(acknowledged));
    expect(new Set(bodies(one)).size).toBe(one.length);
  }
  process.stdout.write(
    `Redis killed ${KILLS} times: ${acknowledged.length} messages acknowledged, ${refused} refused, ` +
      `${messages.length} followed\n`,
  );
});

test('while Redis is down, calls fail in time, and a subscription can end', async () => {
  const mailbox = await open();
  const stopped = subscribe(mailbox, ['bob']);
  const closed = subscribe(mailbox, ['bob']);
  await mailbox.post(mail('a'));
  await until(() => stopped.messages.length + closed.messages.length === 2);
  await server.kill();
  try {
    const late = subscribe(mailbox, ['rob']);
    await expect(mailbox.post(mail('b'))).rejects.toThrow(EngineUnavailable);
    await expect(all(mailbox)).rejects.toThrow(EngineUnavailable);
    stopped.stop();
    await stopped.ended;
    await mailbox.close();
    await Promise.all([closed.ended, late.ended]);
  } finally {
    await server.restart();
  }
});

test('after Redis has lost all data, earlier cursors are still valid', async () => {
  const [near, far] = [await open(), await open()];
  const { messages } = subscribe(far);
  for (const body of ['a', 'b']) await near.post(mail(body));
  await until(() => messages.length === 2);
  await admin.flushall();
  expect(await all(near)).toEqual([]);
  await far.post(mail('c'));
  await near.post(mail('a'));
  await until(() => messages.length === 4);
  expect(bodies(messages)).toEqual(['a', 'b', 'c', 'a']);
  expect(ids(messages)).toEqual(ascending(ids(messages)));
});

test('a process assigns greater ids than before after Redis has lost all data and its clock was set back', async () => {
  let now = Date.now() + 3_600_000;
  const mailbox = await openRedisMailbox({ url: server.url, prefix, clock: () => now });
  opened.push(mailbox);
  const { id } = await mailbox.post(mail('a'));
  await admin.flushall();
  now -= 3_600_000;
  expect((await mailbox.post(mail('b'))).id).toBeGreaterThan(id);
});

test('the keys of a recipient expire with its last message', async () => {
  const mailbox = await open();
  await mailbox.post(mail('a', { ttlMs: 50 }));
  await mailbox.post(mail('b', { ttlMs: 20 }));
  await mailbox.post(mail('c', { to: 'rob' }));
  const ofAll = [`${prefix}:mailbox:expiry`, `${prefix}:mailbox:stored`];
  const expected = [
    `${prefix}:mailbox:last-id`,
    ...ofAll,
    ...['expiry', 'ids', 'messages'].map(key => `${prefix}:mailbox:${key}:rob`),
  ];
  const keys = (): Promise<string[]> => admin.keys(`${prefix}:mailbox:*`);
  await until(async () => (await keys()).length === expected.length);
  expect((await keys()).sort()).toEqual(expected.sort());
  for (const key of [...ofAll, ...expected.filter(key => key.endsWith('rob'))])
    expect(await admin.pttl(key)).toBeGreaterThan(200_000);
});

test('the channels of ended subscriptions are unsubscribed', async () => {
  const mailbox = await open();
  const channels = async (): Promise<unknown> => admin.pubsub('CHANNELS', `${prefix}:*`);
  const [first, second] = [subscribe(mailbox, ['bob', 'rob']), subscribe(mailbox, ['bob'])];
  await until(async () => ((await channels()) as string[]).length === 2);
  first.stop();
  await until(async () => ((await channels()) as string[]).length === 1);
  expect(await channels()).toEqual([`${prefix}:mailbox:posted:bob`]);
  await mailbox.post(mail('still there'));
  await until(() => second.messages.length === 1);
  second.stop();
  await until(async () => ((await channels()) as string[]).length === 0);
});

test('a Redis whose memory is full refuses posts and can be read', async () => {
  const mailbox = await open();
  await mailbox.post(mail('a'));
  await admin.config('SET', 'maxmemory', '1');
  try {
    const refused = mailbox.post(mail('b'));
    await expect(refused).rejects.toThrow(EngineUnavailable);
    await expect(refused).rejects.toThrow(/memory/);
    expect(bodies(await all(mailbox))).toEqual(['a']);
  } finally {
    await admin.config('SET', 'maxmemory', '0');
  }
  await mailbox.post(mail('b'));
  expect(bodies(await all(mailbox))).toEqual(['a', 'b']);
});

test('a subscriber misses nothing when its connection is reset or stalls', async () => {
  const proxy = await startFaultyProxy({ port: Number(new URL(server.url).port) });
  const far = await open();
  const near = await open(`redis://${proxy.host}:${proxy.port}`);
  const { messages } = subscribe(near);
  await far.post(mail('a'));
  await until(() => messages.length === 1);
  proxy.reset();
  await far.post(mail('while reset'));
  await pause(50);
  proxy.restore();
  await until(() => messages.length === 2);
  proxy.stallConnections();
  await far.post(mail('while stalled'));
  await until(() => messages.length === 3);
  expect(bodies(messages)).toEqual(['a', 'while reset', 'while stalled']);
  await near.close();
  opened = opened.filter(one => one !== near);
  await proxy.close();
});
