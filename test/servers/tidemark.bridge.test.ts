import { join } from 'node:path';
import { backlog, bodies, isAscending } from '../bridge/client/backlog';
import { clientId } from '../bridge/client/client-id';
import { openEvents } from '../bridge/client/events';
import { follow, type Follower } from '../bridge/client/follow';
import { paced } from '../bridge/client/paced';
import { post } from '../bridge/client/post';
import type { Bridge } from '../bridge/client/request';
import { postUntilAcknowledged } from '../bridge/client/retry-post';
import { BRIDGE_SETTINGS, bridgeOf } from '../bridge/program';
import { spawnTidemark, type Tidemark } from '../e2e/tidemark';
import { scaled } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { freePorts } from './program';
import { startDedicatedServers, type DedicatedServers } from './tidemark/dedicated-servers';
import { until } from '../until';

/* Two processes of the bridge over one Redis behave as one. */

const MESSAGES = Math.min(scaled(400), 2_000);
/** Some are posted while something happens, at a small scale too. */
const PER_SECOND = MESSAGES / 8;
const RECIPIENTS = 10;

const folder = temporaryFolder();
let servers: DedicatedServers;
let ports: number[];
const programs: Tidemark[] = [];
const bridges: Bridge[] = [];

const start = async (index: number): Promise<void> => {
  const settings = {
    ...BRIDGE_SETTINGS,
    DATA_DIR: join(folder, `process-${index}`),
    PORT: String(ports[index]),
    LOCAL_NETWORK_PORT: '4100',
    ...servers.settings,
  };
  programs[index] = await spawnTidemark(settings, ['run', 'bridge']).ready();
  bridges[index] = bridgeOf(programs[index]);
};

beforeAll(async () => {
  servers = await startDedicatedServers();
  ports = await freePorts(2);
  await Promise.all([start(0), start(1)]);
});
afterAll(async () => {
  await Promise.all(programs.map(program => program.kill('SIGTERM')));
  await servers?.stop();
});

test('a reader of one process receives what is posted to either, in order', async () => {
  const [from, to] = [clientId(), clientId()];
  const readers = await Promise.all(bridges.map(bridge => openEvents(bridge, to)));
  const sent = Array.from({ length: 200 }, (_, index) => `message ${index}`);
  for (const [index, body] of sent.entries()) await post(bridges[index % 2]!, { from, to, body });
  await until(() => readers.every(({ messages }) => messages.length >= sent.length));
  for (const { messages } of readers) expect(bodies(messages)).toEqual(sent);
  expect(readers[0]!.messages).toEqual(readers[1]!.messages);
  for (const reader of readers) reader.close();
});

test('a reader that moves to the other process continues where it was', async () => {
  const ids = [clientId(), clientId(), clientId()];
  const from = clientId();
  const sent = Array.from({ length: 60 }, (_, index) => `message ${index}`);
  for (const [index, body] of sent.entries())
    await post(bridges[index % 2]!, { from, to: ids[index % 3]!, body });
  const [first, second] = bridges as [Bridge, Bridge];
  const whole = await backlog(first, ids);
  expect(bodies(whole)).toEqual(sent);
  for (const cut of [1, 17, 59]) {
    const query = { last_event_id: String(whole[cut - 1]!.id) };
    expect(await backlog(second, ids, { query })).toEqual(whole.slice(cut));
  }
});

test('the same message posted to both is delivered once', async () => {
  const [from, to] = [clientId(), clientId()];
  const reader = await openEvents(bridges[0]!, to);
  await Promise.all([0, 1, 0, 1, 1].map(index => post(bridges[index]!, { from, to, body: 'a' })));
  await post(bridges[1]!, { from, to, body: 'end' });
  await until(() => reader.messages.at(-1)?.message === 'end');
  expect(bodies(reader.messages)).toEqual(['a', 'end']);
  reader.close();
});

test('clients that connect to one process while the other is written to miss nothing', async () => {
  const trial = async (_: unknown, index: number): Promise<void> => {
    const [from, to] = [clientId(), clientId()];
    const sent = ['before', 'meanwhile', 'after', 'end'];
    const posting = (async () => {
      for (const body of sent) await post(bridges[index % 2]!, { from, to, body });
    })();
    const reader = await openEvents(bridges[(index + 1) % 2]!, to);
    await posting;
    await until(() => reader.messages.some(({ message }) => message === 'end'));
    expect(bodies(reader.messages)).toEqual(sent);
    reader.close();
  };
  for (let round = 0; round < scaled(4); round++) await Promise.all(Array.from({ length: 20 }, trial));
});

/** Posts to both processes at a steady rate while something happens, and expects each message once in order. */
async function expectExactlyOnceWhile(happens: () => Promise<void>): Promise<void> {
  const ids = Array.from({ length: RECIPIENTS }, clientId);
  const senders = ids.map(clientId);
  const [first, second] = bridges as [Bridge, Bridge];
  const followers: Follower[] = [
    follow([first, second], ids.slice(0, 4)),
    ...ids.slice(4).map((id, index) => follow(index % 2 ? [first, second] : [second, first], [id])),
  ];
  let acknowledged = 0;
  const posting = paced(MESSAGES, PER_SECOND, async index => {
    const of = index % RECIPIENTS;
    const message = { from: senders[of]!, to: ids[of]!, body: `message ${index}` };
    await postUntilAcknowledged(index % 2 ? [first, second] : [second, first], message);
    acknowledged++;
  });
  const failed = posting.then(() => new Promise<never>(() => undefined));
  await Promise.race([failed, until(() => acknowledged >= MESSAGES / 3, Boolean, 600_000)]);
  await happens();
  await posting;

  const received = (): number => followers.reduce((sum, { messages }) => sum + messages.length, 0);
  await until(() => received() >= MESSAGES, Boolean, 600_000);
  for (const follower of followers) await follower.stop();
  const expected = Array.from({ length: MESSAGES }, (_, index) => `message ${index}`);
  expect(followers.flatMap(({ messages }) => bodies(messages)).sort()).toEqual(expected.sort());
  for (const { messages } of followers) expect(isAscending(messages)).toBe(true);
}

test('a process that is killed loses nothing and repeats nothing', () =>
  expectExactlyOnceWhile(async () => {
    expect(await programs[0]!.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    await start(0);
  }));

test('a restart of Redis loses nothing and repeats nothing', () =>
  expectExactlyOnceWhile(() => servers.running.redis.restart()));

test('a Redis that is killed loses nothing and repeats nothing', () =>
  expectExactlyOnceWhile(async () => {
    await servers.running.redis.kill();
    await servers.running.redis.restart();
  }));

test('a connection to one process is known to the other, which verifies it', async () => {
  const [client_id, origin, address] = [clientId(), 'https://dapp.example', '198.18.3.4'];
  const reader = await openEvents(bridges[0]!, client_id, { address, headers: { origin } });
  for (const bridge of bridges) {
    const url = `${bridge.url}/verify?${new URLSearchParams({ client_id, url: origin }).toString()}`;
    const answer = await fetch(url, { method: 'POST', headers: { 'x-forwarded-for': address } });
    expect(await answer.json()).toEqual({ status: 'ok' });
  }
  reader.close();
});
